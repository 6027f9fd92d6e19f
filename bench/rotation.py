"""Starting a floor from a journal that was rotated again and again: it reads the open part alone, so it must not grow.

Each part has the same number of coups. The baseline of every row is the same figure after thirty rotations, when the
state of the table keeps as many coups as it ever does. Times are the program's own; a database's are its server's.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import asyncpg

from sabot.audit.rotation_plan import make_snapshots, rotation_plan
from sabot.cli.stopwatch import Row, row, seconds
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.records.recovery import recover_table
from sabot.floor.table_owner.errands import Backing
from sabot.journal.checkpoint import is_signed_by, sign
from sabot.journal.journal import Appended, Journal
from sabot.journal.keys import SigningKey, new_key
from sabot.journal.memory import MemoryJournal
from sabot.journal.postgres import PostgresJournal
from sabot.journal.postgres_schema import migrate
from sabot.journal.sqlite import open_sqlite
from sabot.table.fixtures import fixture

STREAM, BUILD = "table/T1", "bench"
STATIONS = ("A1", "A2", "A3")
COUPS = 4
"""Of one part."""
ROTATIONS = (30, 60)
A_LIFE = 365
OPEN_PART = """
SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c
WHERE c.relnamespace = 'sabot'::regnamespace AND c.relkind = 'r'
"""
A_TIE = ("7S", "7H", "KD", "KC")
"""Player and Banker have seven points each and stand: wagers on both go back, so nobody's money runs out."""


class Figures(NamedTuple):
    start_ms: float
    rotation_ms: float
    open_kb: float


NAMED = {"start": "ms", "rotation": "ms", "open_part": "KB"}


def measure() -> Iterator[Row]:
    yield from _measured(ROTATIONS)


def measure_long() -> Iterator[Row]:
    yield from _measured((A_LIFE,))


def _measured(rotations: tuple[int, ...]) -> Iterator[Row]:
    sys.path[:0] = [str(Path(__file__).resolve().parent)]
    from floor import postgres  # noqa: PLC0415  Only where it is.

    with tempfile.TemporaryDirectory() as folder:
        yield from _on(Path(folder), str(Path(folder) / "floor.journal"), "", rotations)
    with postgres() as server, tempfile.TemporaryDirectory() as folder:
        if server is not None:
            asyncio.run(migrate(server.dsn()))
            yield from _on(Path(folder), server.dsn(), "postgres_", rotations)


def _on(folder: Path, place: str, prefix: str, rotations: tuple[int, ...]) -> Iterator[Row]:
    key, played = new_key(folder / "key"), MemoryJournal(lambda: 0)
    table = asyncio.run(_open_table(played))
    first, done = None, 0
    for number in sorted({ROTATIONS[0], *rotations}):
        rotation_s = 0.0
        while done < number:
            rotation_s = asyncio.run(_play_part(place, key, table, played))
            done += 1
        start_s = seconds(lambda: asyncio.run(_start(place, key)), 3)
        figures = Figures(start_s * 1000, rotation_s * 1000, asyncio.run(_open_part_kb(place)))
        first = first or figures
        for name, value, baseline in zip(NAMED, figures, first, strict=True):
            if number in rotations:
                yield row(f"{prefix}{name}_after_{number}_rotations", value, NAMED[name], baseline)


async def _open_table(journal: MemoryJournal) -> LineTable:
    backing = Backing(journal=journal, owner="bench", build=BUILD, wall_ms=lambda: 0)
    table = await LineFloor(backing).take(fixture("crown"))
    await _say(table, "D1", "sign_on")
    await _say(table, "D1", "open_table")
    await _say(table, "GS1", "check_cards", cards=416)
    await _new_shoe(table)
    for station in STATIONS:
        await _say(table, "D1", "buy_in", station=station, cents=1_000_000)
    return table


async def _say(table: LineTable, by: str, do: str, **fields: object) -> None:
    answer = await table.ask({"do": do, "by": by, **fields})
    assert answer.ok, (do, answer.refusal)


async def _new_shoe(table: LineTable) -> None:
    await _say(table, "D1", "new_shoe")
    await _say(table, "GS1", "cut", at=200)
    await _say(table, "D1", "burn")


async def _play_part(place: str, key: SigningKey, table: LineTable, played: MemoryJournal) -> float:
    """Play in memory, write it down and rotate; returns the CPU time of the rotation."""
    for _ in range(COUPS):
        await _say(table, "D1", "open", at_ms=table.now_ms + 5_000)
        for station in STATIONS:
            await _say(table, station, "set_wager", bet="player", cents=5_000)
        await _say(table, "D1", "close")
        for card in A_TIE:
            await _say(table, "D1", "card", card=card)
        await _say(table, "D1", "confirm")
    await _say(table, "CS1", "order_shuffle", reason="bench")
    await _new_shoe(table)
    journal = await _opened(place, key)
    head = await journal.head(STREAM)
    records = [record async for record in played.read(STREAM, head.version)]
    assert isinstance(await journal.append(STREAM, head.version, records), Appended)
    await journal.save_checkpoint(sign(await journal.head(STREAM), 0, key))
    await make_snapshots(journal)
    plan = await rotation_plan(journal, key, 0)
    started = time.process_time()
    await journal.rotate(plan)
    taken = time.process_time() - started
    await journal.close()
    return taken


async def _opened(place: str, key: SigningKey) -> Journal:
    if place.startswith("postgresql:"):
        return await PostgresJournal.open(place)
    return await open_sqlite(Path(place), trusts=lambda one: is_signed_by(one, key.public))


async def _open_part_kb(place: str) -> float:
    if not place.startswith("postgresql:"):
        return Path(place).stat().st_size / 1024
    link = await asyncpg.connect(place)
    try:
        return float(await link.fetchval(OPEN_PART)) / 1024
    finally:
        await link.close()


async def _start(place: str, key: SigningKey) -> None:
    """As a program that finds no snapshot of its own."""
    journal = await _opened(place, key)
    await recover_table(journal, STREAM, "another program")
    await journal.close()
