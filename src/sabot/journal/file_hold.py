"""Holds a file for one process at a time, by a lock that ends with the process, however it ends.

The lock is on the file itself, so another name of the same file makes no difference, and it is of another kind than the
locks of SQLite, with which it does not interfere. Under POSIX a process that closes any descriptor of a file releases
all of SQLite's locks on it. So a file is held before SQLite opens it and released after SQLite has closed it, and one
that this process holds already is not opened a second time.
"""

import fcntl
import os
import socket
import threading
from pathlib import Path

from sabot.journal.journal import Unusable

_held: set[tuple[int, int]] = set()
"""Device and inode of every file that this process holds."""
_guard = threading.Lock()


class FileHold:
    def __init__(self, path: Path, what: str) -> None:
        """Hold the file, or raise `Unusable` with the name of the process that holds it; `what` is `the journal`."""
        with _guard:
            found = path.stat()
            self._identity = (found.st_dev, found.st_ino)
            if self._identity in _held:
                raise Unusable(_refusal(path, what, os.getpid()))
            self._descriptor = os.open(path, os.O_RDONLY)
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                os.close(self._descriptor)
                if isinstance(error, BlockingIOError):
                    raise Unusable(_refusal(path, what, _holder(*self._identity))) from None
                raise Unusable(f"{what} {path} cannot be locked: {error.strerror}") from None
            _held.add(self._identity)

    def release(self) -> None:
        with _guard:
            if self._identity in _held:
                _held.discard(self._identity)
                os.close(self._descriptor)


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
