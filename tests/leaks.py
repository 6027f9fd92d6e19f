"""What a test leaves behind is a failure of the test: a process, a temporary file, a file of the checkout.

Processes are looked for after a test's fixtures are gone: what was started while the test itself ran must have ended.
The test process adopts what its children leave behind, so that a grandchild whose parent was killed is seen as well.
Every process of the tests, a worker of xdist too, has a folder for temporary files of its own; so nothing that another
program does beside it counts. Files of the checkout are looked at once, at the end.
"""

import contextlib
import ctypes
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator
from pathlib import Path

import pytest

GRACE_S = 10.0
"""How long a process that was told to end may take; only a test that leaks waits so long."""
ALLOWED = {
    "postgres": "the server of the session: a test may kill it and start it again, and its fixture stops it",
    "setpriv": "the same, before it has become the server",
    "sabot-loaded": "what commands are forked from (`tests/cli/loaded.py`): it ends with the process of the tests",
}
"""Processes by name that may be left when a test ends, and why."""
_BECOME_SUBREAPER = 36
"""Of prctl: orphans below this process become its children."""


class LeakWatch:
    """The plugin; one for each process of the tests."""

    def __init__(self, temporary: Path) -> None:
        self._temporary = temporary
        self._children: dict[int, str] = {}
        self._files: set[str] = set()
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_BECOME_SUBREAPER, 1, 0, 0, 0)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Generator[None, None, None]:
        """What fixtures of a module or of the session have started is there before, and is theirs to end."""
        self._children, self._files = _children(), self._here()
        yield

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self) -> Generator[None, None, None]:
        yield
        left = self._left_running()
        if left:
            pytest.fail(f"the test left processes behind: {', '.join(left)}", pytrace=False)
        files = self._here() - self._files
        self._files |= files
        if files:
            pytest.fail(f"the test left temporary files behind: {', '.join(sorted(files))}", pytrace=False)

    def _left_running(self) -> list[str]:
        until = time.monotonic() + GRACE_S
        while True:
            new = {pid: name for pid, name in _children().items() if self._children.get(pid) != name}
            new = {pid: name for pid, name in new.items() if name not in ALLOWED}
            if not new or time.monotonic() > until:
                self._children |= new
                return [f"{name} ({pid})" for pid, name in new.items()]
            time.sleep(0.01)

    def _here(self) -> set[str]:
        return {entry.name for entry in self._temporary.iterdir()}


def own_temporary_folder() -> Path:
    """The folder for temporary files of this process and its children. pytest's own stay where they were."""
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
    folder = Path(tempfile.mkdtemp(prefix="t"))
    folder.chmod(0o711)  # A database server that runs as somebody else has its folder in here.
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    return folder


def forget(folder: Path) -> None:
    """Delete the folder of this process when its tests are over."""
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder.parent)
    shutil.rmtree(folder, ignore_errors=True)


def _children() -> dict[int, str]:
    """The living processes that this one has to end, with their names."""
    found = {}
    for pid in _child_ids():
        with contextlib.suppress(OSError, ValueError):
            head, _, rest = Path(f"/proc/{pid}/stat").read_text().rpartition(")")
            state, parent = rest.split()[:2]
            if int(parent) == os.getpid() and state not in "ZX":
                found[pid] = head.partition("(")[2]
    return found


def _child_ids() -> list[int]:
    """As each thread has them, where the kernel lists them; otherwise every process there is may be one."""
    lists = [thread / "children" for thread in Path("/proc/self/task").glob("*")]
    if all(one.exists() for one in lists):
        return [int(pid) for one in lists for pid in _text(one).split()]
    return [int(folder.name) for folder in Path("/proc").glob("[0-9]*")]


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""  # The thread has ended meanwhile.


def untracked(root: Path) -> set[str]:
    """The files of a checkout that git neither has nor ignores; nothing where there is no git."""
    git = shutil.which("git")
    if git is None or not (root / ".git").exists():
        return set()
    listed = subprocess.run(  # noqa: S603  Our own words.
        [git, "-C", str(root), "ls-files", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=False,
    )
    return set(listed.stdout.splitlines())


class CheckoutWatch:
    """For the one process that sees the whole session: no test writes into the checkout."""

    def __init__(self, root: Path) -> None:
        self._root, self._before = root, untracked(root)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        left = untracked(self._root) - self._before
        if left:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
            print(f"\nthe tests left files in the checkout: {', '.join(sorted(left))}")  # noqa: T201  A person reads it.
