"""A table that is recorded in a journal: reads lines, renews the lease, and ends in order."""

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

from sabot.basics.mistake import Mistake
from sabot.cli.recording import RecordPlace
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import arriving, console
from sabot.floor.lines.stream import NotKept
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.records.program_digest import program_digest
from sabot.floor.table_owner.errands import Backing
from sabot.journal.journal import Journal
from sabot.journal.keys import SigningKey, read_signing_key, ring_path
from sabot.journal.opening import open_to_write
from sabot.journal.signer import Signer
from sabot.runtime.key_file import KeyFile
from sabot.table.configuration import Configuration

Lines = list[bytes]
LEASE_MS, RENEW_S = 10_000, 2.0
"""A person may think for long between two lines; the lease is renewed meanwhile."""


class Speech(NamedTuple):
    """How a table speaks to its user."""

    greet: Callable[[LineTable], None]
    """Once, before the first line."""
    answer: Callable[[LineTable, Lines], Awaitable[None]]


def play_recorded(place: RecordPlace, configuration: Configuration, speech: Speech) -> int:
    """Answer standard input at a table that is recorded, until it ends or the program is stopped."""
    if sys.stdin is None:
        raise Mistake("standard input is closed; a table reads its lines from it")
    with in_one_sentence():
        asyncio.run(_play(place, configuration, speech))
    return 0


async def _play(place: RecordPlace, configuration: Configuration, speech: Speech) -> None:
    async with recorded_table(place, configuration) as table:
        speech.greet(table)
        await answer_standard_input(table.floor, lambda lines: speech.answer(table, lines))


async def answer_standard_input(floor: LineFloor, answer: Callable[[Lines], Awaitable[None]]) -> None:
    """Answer lines as they arrive, and renew the leases of the floor's tables meanwhile."""
    lines, turn = _lines(), asyncio.Lock()
    renewing = asyncio.create_task(_renew(floor, turn))
    try:
        while True:
            waiting = asyncio.create_task(lines.get())
            await asyncio.wait((waiting, renewing), return_when=asyncio.FIRST_COMPLETED)
            if renewing.done():
                renewing.result()  # It ends only because a table was lost, and says so.
            arrived = await waiting
            if not arrived:
                return
            async with turn:
                await answer(arrived)
    finally:
        renewing.cancel()


@asynccontextmanager
async def recorded_table(place: RecordPlace, configuration: Configuration) -> AsyncIterator[LineTable]:
    """Take a table as its records leave it, and leave it in order."""
    async with recorded_floor(place, [configuration]) as floor:
        yield next(iter(floor.tables.values()))


@asynccontextmanager
async def recorded_floor(place: RecordPlace, configurations: Sequence[Configuration]) -> AsyncIterator[LineFloor]:
    """Take tables as their records leave them, and leave them in order; what is wrong with the key is found first."""
    key = None if place.key is None or _is_to_be_made(place) else read_signing_key(place.key)
    ring = () if key is None else tuple(one.key for one in key.ring)
    opened = await open_to_write(place.journal, anchor=place.anchor, keys=ring)
    journal = opened.journal

    try:
        if place.key is not None and key is None:
            key = _made(place.key)
        owner = f"process {os.getpid()} on {socket.gethostname()}"
        signer = None if key is None else await _signer(journal, key, owner)
        backing = Backing(
            journal=journal,
            owner=owner,
            build=program_digest(),
            wall_ms=_wall_ms,
            signer=signer,
            anchor=opened.raise_anchor,
            lease_ms=LEASE_MS,
        )
        floor = LineFloor(backing, own_ms=lambda: time.monotonic_ns() // 1_000_000)
        for one in configurations:
            await floor.take(one)
        yield floor
        await floor.close()
    finally:
        await journal.close()


def _made(path: Path) -> SigningKey:
    key = KeyFile(path).key
    said = f"sabot: {path} is made and signs this journal; {ring_path(path)} verifies it"
    console(to_error=True).print(said, soft_wrap=True)
    return key


async def _signer(journal: Journal, key: SigningKey, owner: str) -> Signer:
    signer = Signer(journal, key, owner, _wall_ms)
    why = await signer.look()
    if why is not None:
        raise NotKept(why)
    return signer


def _is_to_be_made(place: RecordPlace) -> bool:
    return place.makes_key and place.key is not None and not place.key.exists()


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000


async def _renew(floor: LineFloor, turn: asyncio.Lock) -> None:
    while True:
        await asyncio.sleep(RENEW_S)
        async with turn:
            for table in floor.tables.values():
                await table.wake()


def _lines() -> asyncio.Queue[Lines]:
    """Lines as they arrive, many at a time; an empty list when there are no more or the program is told to end.

    A thread of its own waits for them, so that the lease is renewed however long a person thinks.
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
