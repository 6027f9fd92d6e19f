"""How much free disk the program needs, to start and to go on."""

import shutil
from pathlib import Path

import msgspec

MEGABYTE = 2**20


class DiskRoom(msgspec.Struct, frozen=True):
    """How much disk must be free. A table that is played around the clock writes about 124 megabytes a day."""

    to_start: int = 64 * MEGABYTE
    """Below this a journal is not opened."""
    to_accept: int = 256 * MEGABYTE
    """Below this no new coup should be opened; what has begun can still be brought to its end."""


DEFAULT_ROOM = DiskRoom()


def disk_free(folder: Path) -> int:
    return shutil.disk_usage(folder).free
