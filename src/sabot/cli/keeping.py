"""A table that is recorded: the thin shell around `KeptTable` that reads lines, renews the lease and ends in order."""

import asyncio
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec

from sabot.basics.mistake import Mistake
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import arriving
from sabot.floor.kept import RENEW_MS, Keeper, KeptTable, keep
from sabot.journal.journal import SignedCheckpoint
from sabot.journal.keys import read_signing_key
from sabot.journal.opening import anchor_of, open_journal
from sabot.journal.record import Head
from sabot.rulebook.trace import program_digest
from sabot.table.configuration import Configuration

Lines = list[bytes]


class Place(msgspec.Struct, frozen=True):
    """Where a table is recorded, and what vouches for it."""

    journal: str
    key: Path | None
    anchor: Path | None


class Manner(NamedTuple):
    """How a table speaks to whoever plays it."""

    greet: Callable[[KeptTable], None]
    """Once, before the first line."""
    answer: Callable[[KeptTable, Lines], Awaitable[None]]


def keep_table(place: Place, configuration: Configuration, manner: Manner) -> int:
    """Answer standard input at a table that is recorded, until it ends or somebody stops the program."""
    if sys.stdin is None:
        raise Mistake("standard input is closed; a table reads its lines from it")
    with in_one_sentence():
        asyncio.run(_keep(place, configuration, manner))
    return 0


async def _keep(place: Place, configuration: Configuration, manner: Manner) -> None:
    async with _opened(place, configuration) as kept:
        manner.greet(kept)
        lines = _lines()
        renewing = asyncio.create_task(_renew(kept))
        try:
            while True:
                waiting = asyncio.create_task(lines.get())
                await asyncio.wait((waiting, renewing), return_when=asyncio.FIRST_COMPLETED)
                if renewing.done():
                    renewing.result()  # It ends only because the table was lost, and says so.
                arrived = await waiting
                if not arrived:
                    return
                await manner.answer(kept, arrived)
        finally:
            renewing.cancel()


@asynccontextmanager
async def _opened(place: Place, configuration: Configuration) -> AsyncIterator[KeptTable]:
    key = None if place.key is None else read_signing_key(place.key)
    ring = () if key is None else tuple(one.key for one in key.ring)
    journal = await open_journal(place.journal, anchor=place.anchor, keys=ring)
    try:
        anchor = anchor_of(place.journal, place.anchor, [])

        def raise_anchor(heads: Sequence[Head], signed: Sequence[SignedCheckpoint]) -> None:
            if anchor is not None:
                for head in heads:
                    anchor.note(head)
                for checkpoint in signed:
                    anchor.note(checkpoint)
                anchor.write()

        keeper = Keeper(_who(), program_digest(), _wall_ms, key, raise_anchor)
        kept = await keep(journal, configuration, keeper)
        try:
            yield kept
        finally:
            await kept.close()
    finally:
        await journal.close()


async def _renew(kept: KeptTable) -> None:
    while True:
        await asyncio.sleep(RENEW_MS / 1000)
        await kept.renew()


def _lines() -> asyncio.Queue[Lines]:
    """Lines as they arrive, many at a time; an empty list when there are no more or the program is told to end.

    A thread of its own waits for them, so that the lease is renewed however long somebody thinks.
    """
    queue: asyncio.Queue[Lines] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, queue.put_nowait, [])
    source = sys.stdin.fileno()

    def read() -> None:
        for _, lines in arriving(source):
            loop.call_soon_threadsafe(queue.put_nowait, lines)
        loop.call_soon_threadsafe(queue.put_nowait, [])

    threading.Thread(target=read, daemon=True).start()
    return queue


def _who() -> str:
    return f"process {os.getpid()} on {socket.gethostname()}"


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000
