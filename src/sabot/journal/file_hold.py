"""Holds a file for one process at a time, by a lock that ends with the process, however it ends.

The lock is on the file itself, so another name of the same file makes no difference. It is of another kind than the
locks of SQLite, with which it does not interfere. Under POSIX a process that closes any descriptor of a file releases
all of SQLite's locks on it. So a file is held before SQLite opens it and released after SQLite has closed it, and one
that this process holds already is not opened a second time.
"""

import fcntl
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sabot.journal.journal import Unusable

_held: set[tuple[int, int]] = set()
"""Device and inode of every file that this process holds."""
_guard = threading.Lock()


class FileHold:
    def __init__(self, path: Path, what: str) -> None:
        """Hold the file, or raise `Unusable` with the name of the process that holds it; `what` is `the journal`."""
        self._what = what
        self._identity: tuple[int, int]
        self._descriptor: int
        self._take(path)

    @contextmanager
    def moved(self, path: Path) -> Iterator[None]:
        """Hold both files while the block lasts, and then this one alone; after an exception the one before alone.

        SQLite has closed the one before.
        """
        before = self._identity, self._descriptor
        self._take(path)
        try:
            yield
        except BaseException:
            self.release()
            self._identity, self._descriptor = before
            raise
        with _guard:
            _held.discard(before[0])
            os.close(before[1])

    def release(self) -> None:
        with _guard:
            if self._identity in _held:
                _held.discard(self._identity)
                os.close(self._descriptor)

    def _take(self, path: Path) -> None:
        with _guard:
            found = path.stat()
            identity = (found.st_dev, found.st_ino)
            if identity in _held:
                raise Unusable(_refusal(path, self._what, os.getpid()))
            descriptor = os.open(path, os.O_RDONLY)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                os.close(descriptor)
                if isinstance(error, BlockingIOError):
                    raise Unusable(_refusal(path, self._what, _holder(*identity))) from None
                raise Unusable(f"{self._what} {path} cannot be locked: {error.strerror}") from None
            _held.add(identity)
            self._identity, self._descriptor = identity, descriptor


def _refusal(path: Path, what: str, process: int | None) -> str:
    who = "another process" if process is None else f"process {process} on {socket.gethostname()}"
    return f"{what} {path} is in use by {who}; one process at a time may write to it"


def _holder(device: int, inode: int) -> int | None:
    """The process that holds the file, where the system tells."""
    place = f"{os.major(device):02x}:{os.minor(device):02x}:{inode}"
    try:
        lines = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    for line in lines:
        match line.split():
            case [_, "FLOCK", _, _, process, at, *_] if at == place and process.isdigit() and process != "0":
                return int(process)
    return None
