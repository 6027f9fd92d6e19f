"""A process that rotates a journal in PostgreSQL and is killed behind one of the steps."""

import asyncio
import os
import signal
import sys

from sabot.journal import postgres_rotation
from sabot.journal.postgres import PostgresJournal
from tests.journal.parted import rotated


async def _die(_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def main(dsn: str, step: int) -> None:
    journal = await PostgresJournal.open(dsn)
    steps = postgres_rotation.STEPS
    if step < len(steps):
        postgres_rotation.STEPS = (*steps[:step], _die)
    await rotated(journal, "t")
    await _die(None)


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
