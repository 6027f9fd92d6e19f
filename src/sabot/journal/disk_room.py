"""How much free disk the program needs, to start and to go on."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

import msgspec

MEGABYTE = 2**20


class DiskRoom(msgspec.Struct, frozen=True):
    """How much disk must be free. A table that is played around the clock writes about 124 megabytes a day."""

    to_start: int = 64 * MEGABYTE
    """Below this a journal is not opened."""
    to_accept: int = 256 * MEGABYTE
    """Below this no new coup is opened; what has begun can still be brought to its end."""
    ballast: int = 32 * MEGABYTE
    """So much is set aside while there is room, and given up when the disk is full, to end what has begun."""


DEFAULT_ROOM = DiskRoom()


class Ballast:
    """A file that takes up room beside a journal, so that there is room left when others have filled the disk."""

    def __init__(self, path: Path, room: DiskRoom) -> None:
        self._path, self._room = path, room

    def lay(self, free: int) -> None:
        """Set the room aside, if it is not and there is enough of it; a failure is no trouble yet."""
        if not self._room.ballast or free < self._room.to_accept + self._room.ballast or self._path.exists():
            return
        try:
            with self._path.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, self._room.ballast)
        except OSError:
            self.give_up()

    def give_up(self) -> None:
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def disk_free(folder: Path) -> int:
    return shutil.disk_usage(folder).free
