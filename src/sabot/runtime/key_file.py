"""The signing key of a process: made at the first start, and read again when its file or its ring was replaced."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sabot.journal.keys import SigningKey, new_key, read_signing_key, ring_path

Look = tuple[tuple[int, int, int], ...]


class KeyFile:
    def __init__(self, path: Path) -> None:
        """The key in this file, which is made if it is not there. Raises `BadKey`."""
        self.path = path
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone_in(path.parent):
            self.is_new = not path.exists()
            if self.is_new:
                new_key(path)
        self._seen = self._look()
        self.key = read_signing_key(path)

    def replaced(self) -> SigningKey | None:
        """The key as it is now, where the files have changed since the last look. Raises `BadKey`."""
        seen = self._look()
        if seen == self._seen:
            return None
        self._seen = seen
        self.key = read_signing_key(self.path)
        return self.key

    def _look(self) -> Look:
        """Enough to tell that a file is another one; a file that is gone for a moment is looked at again."""
        found = []
        for path in (self.path, ring_path(self.path)):
            try:
                stat = path.stat()
                found.append((stat.st_ino, stat.st_mtime_ns, stat.st_size))
            except OSError:
                found.append((0, 0, 0))
        return tuple(found)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Processes of one floor that start for the first time together make one key, not two."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
