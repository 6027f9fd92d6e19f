"""A process that rotates a journal and is killed behind one of the steps."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from sabot.journal import sqlite_rotation
from sabot.journal.sqlite import open_sqlite
from tests.journal.parted import rotated


def die(_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def rotate(path: Path, step: int) -> None:
    sqlite_rotation.STEPS = (*sqlite_rotation.STEPS[:step], die, *sqlite_rotation.STEPS[step:])
    await rotated(await open_sqlite(path), "t")


if __name__ == "__main__":
    asyncio.run(rotate(Path(sys.argv[1]), int(sys.argv[2])))
