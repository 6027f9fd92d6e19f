"""Runs the real command in a process of its own: a new one, or one forked from a process that has it loaded."""

import atexit
import ctypes
import functools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tests.cli import loaded

SABOT = Path(sys.executable).with_name("sabot")
_ROOT = Path(__file__).resolve().parents[2]
_IS_SUBREAPER = 37
"""Of prctl."""


@dataclass
class Ran:
    code: int
    out: str
    error: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


def sabot(*words: str, given: str = "", cwd: Path | None = None, within_s: float = 1_800, anew: bool = False) -> Ran:
    """`anew` starts Python as well, where that is what counts: another seed of hashes, for the same answer."""
    if anew:
        try:
            done = subprocess.run(  # noqa: S603  Our own command with our own words.
                [SABOT, *words], input=given, capture_output=True, text=True, check=False, timeout=within_s, cwd=cwd
            )
        except subprocess.TimeoutExpired as expired:
            raise AssertionError(f"it does not end: {expired}") from None
        return Ran(done.returncode, done.stdout, done.stderr)
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as error:
        taken, giving = os.pipe()
        with open(taken, "rb") as stdin:  # noqa: PTH123  It is no path.
            running = command(words, stdin, out, error, cwd)
        feeding = threading.Thread(target=_feed, args=(giving, given))
        feeding.start()
        try:
            code = running.wait(within_s)
        except subprocess.TimeoutExpired as expired:
            raise AssertionError(f"it does not end: {expired}") from None
        finally:
            running.kill()
            feeding.join()
        return Ran(code, *(_said(stream) for stream in (out, error)))


def _feed(giving: int, given: str) -> None:
    with suppress(BrokenPipeError), open(giving, "w", encoding="utf-8") as stdin:
        stdin.write(given)


def _said(stream: IO[str]) -> str:
    stream.seek(0)
    return stream.read()


class Command:
    """The process of a command that this process has adopted."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._code: int | None = None

    def poll(self) -> int | None:
        if self._code is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                self._code = os.waitstatus_to_exitcode(status)
        return self._code

    def wait(self, within_s: float) -> int:
        until, pause_s = time.monotonic() + within_s, 0.001
        while (code := self.poll()) is None:
            if time.monotonic() > until:
                raise subprocess.TimeoutExpired(str(SABOT), within_s)
            time.sleep(pause_s)
            pause_s = min(2 * pause_s, 0.02)
        return code

    def send_signal(self, which: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, which)

    def kill(self) -> None:
        """One that has ended already is left alone."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)
            self.wait(60)


def command(
    words: Sequence[str], stdin: IO[Any], stdout: IO[Any], stderr: IO[Any], cwd: Path | None = None
) -> Command | subprocess.Popen[bytes]:
    """Start the command, forked from a process that has it loaded where that can be done."""
    forks = _loaded()
    if forks is None:
        return subprocess.Popen([SABOT, *words], stdin=stdin, stdout=stdout, stderr=stderr, cwd=cwd)  # noqa: S603  Our own.
    return forks.start(words, (stdin, stdout, stderr), cwd)


class Loaded:
    """The process that has the command loaded; it ends when its socket is closed."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair()
        self._turn = threading.Lock()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603  Our own program.
                [sys.executable, "-m", loaded.__name__, str(theirs.fileno())], pass_fds=[theirs.fileno()], cwd=_ROOT
            )
        atexit.register(self._end)

    def start(
        self, words: Sequence[str], streams: tuple[IO[Any], IO[Any], IO[Any]], cwd: Path | None = None
    ) -> Command:
        request = {"words": words, "folder": str(cwd or Path.cwd()), "environment": dict(os.environ)}
        with self._turn:
            socket.send_fds(
                self._socket, [json.dumps(request).encode() + b"\0"], [stream.fileno() for stream in streams]
            )
            pid = self._socket.recv(16, socket.MSG_WAITALL)
        assert pid, "the process that has the command loaded has ended"
        return Command(int(pid))

    def _end(self) -> None:
        self._socket.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:  # A fork of this process holds the socket, too.
            self._process.kill()
            self._process.wait()


@functools.cache
def _loaded() -> Loaded | None:
    """Where this process adopts the orphans of its children; nowhere else could it wait for what is forked."""
    if sys.platform != "linux":
        return None
    adopts = ctypes.c_int(0)
    ctypes.CDLL(None).prctl(_IS_SUBREAPER, ctypes.byref(adopts), 0, 0, 0)
    return Loaded() if adopts.value else None


def assert_one_clear_sentence(ran: Ran) -> None:
    """Wrong input: exit code 2, nothing on standard output, one line on standard error and no traceback."""
    assert (ran.code, ran.out) == (2, "")
    assert ran.error.startswith("sabot: ")
    assert ran.error.count("\n") == 1
    assert "Traceback" not in ran.error
