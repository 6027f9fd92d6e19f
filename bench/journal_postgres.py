"""The journal in PostgreSQL: durable appends with fifty tables at once, and how long a table is without an owner.

The server is a private one on this machine's disk, with every commit synchronous. The baselines are loops on the bare
driver against a table of the same shape, in turn with the journal: fifty rows a statement for the group commit, one row
a statement for one commit per append. The baseline of a take-over is the lease's time to live. The baseline of what a
coup of fifty stations takes on the disk is the bare table with bodies as they are.
"""

import asyncio
import runpy
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import asyncpg
import msgspec

from sabot.cli.stopwatch import Row, row
from sabot.journal.journal import Appended, Journal
from sabot.journal.postgres import PostgresJournal
from sabot.journal.postgres_schema import migrate
from sabot.journal.record import Entry, Record, start_of

if TYPE_CHECKING:
    from tests.journal.postgres.server import PostgresServer

ROOT = Path(__file__).resolve().parent.parent
TABLES = 50
ROUNDS = 3
COUPS = 300
"""So many appends of each table in a round."""
ALONE = 300
"""So many one after the other."""
TAKE_OVERS = 5
TTL_MS = 2_000
VOLUME_COUPS = 40
_RAW_TABLE = """
CREATE TABLE public.raw (stream text, version bigint, key text, body bytea, previous bytea, hash bytea,
    PRIMARY KEY (stream, version), UNIQUE (stream, key))
"""
_RAW_INSERT = """
INSERT INTO public.raw SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bytea[], $5::bytea[], $6::bytea[])
"""


class Pace(msgspec.Struct):
    """How many appends were made, and how long each of them took."""

    appends: int = 0
    elapsed: float = 0.0
    taken_ms: list[float] = []

    @property
    def rate(self) -> float:
        return self.appends / self.elapsed

    def percentile(self, percent: int) -> float:
        return statistics.quantiles(self.taken_ms, n=100, method="inclusive")[percent - 1]


def measure() -> Iterator[Row]:
    sys.path.insert(0, str(ROOT / "bench"))
    from floor import postgres  # noqa: PLC0415  Only where it is.

    with postgres() as server:
        if server is not None:
            asyncio.run(_prepare(server))
            yield from asyncio.run(_appends(server))
            yield asyncio.run(_volume(server))
            yield from asyncio.run(_take_overs(server))


async def _prepare(server: "PostgresServer") -> None:
    admin = await asyncpg.connect(server.dsn())
    await admin.execute(_RAW_TABLE)
    await admin.execute("GRANT SELECT, INSERT ON public.raw TO sabot_app")
    await admin.close()
    await migrate(server.dsn())


async def _appends(server: "PostgresServer") -> list[Row]:
    journal = await PostgresJournal.open(server.dsn(role="pit"))
    raw = await asyncpg.connect(server.dsn(role="pit"))
    grouped, single, raw_grouped, raw_single = Pace(), Pace(), Pace(), Pace()
    for turn in range(ROUNDS):
        tables = [_records(f"table-{turn}-{number}", COUPS) for number in range(TABLES)]
        await _timed(grouped, *(_append_all(journal, records, grouped) for records in tables))
        await _timed(raw_grouped, _insert_all(raw, [_columns(rows) for rows in zip(*tables, strict=True)], raw_grouped))
        alone = _records(f"alone-{turn}", ALONE)
        await _timed(single, _append_all(journal, alone, single))
        await _timed(raw_single, _insert_all(raw, [_columns([record]) for record in alone], raw_single))
    await journal.close()
    await raw.close()
    return [
        row("postgres_appends_50_tables", grouped.rate, "appends/s", raw_grouped.rate),
        row("postgres_appends_50_tables_to_one_by_one", grouped.rate, "appends/s", single.rate),
        row("postgres_appends_one_by_one", single.rate, "appends/s", raw_single.rate),
        row("postgres_append_50_tables_p50", grouped.percentile(50), "ms", raw_grouped.percentile(50)),
        row("postgres_append_50_tables_p99", grouped.percentile(99), "ms", raw_grouped.percentile(99)),
        row("postgres_append_one_by_one_p50", single.percentile(50), "ms", raw_single.percentile(50)),
        row("postgres_append_one_by_one_p99", single.percentile(99), "ms", raw_single.percentile(99)),
    ]


async def _volume(server: "PostgresServer") -> Row:
    """Coups of fifty stations, records and indexes together."""
    entries = runpy.run_path(str(ROOT / "bench" / "journal_volume.py"))["day_of_fifty"](VOLUME_COUPS)
    journal = await PostgresJournal.open(server.dsn(role="pit"))
    admin = await asyncpg.connect(server.dsn())
    before = await _sizes(admin)
    records = start_of("table/volume").then(1, entries)
    for first in range(0, len(records), 7):
        assert isinstance(await journal.append("table/volume", first, records[first : first + 7]), Appended)
        await admin.execute(_RAW_INSERT, *_columns(records[first : first + 7]))
    stored, raw = ((now - then) / VOLUME_COUPS / 1024 for now, then in zip(await _sizes(admin), before, strict=True))
    await admin.close()
    await journal.close()
    return row("postgres_coup_of_50", stored, "KB", raw)


async def _sizes(admin: "asyncpg.Connection[asyncpg.Record]") -> tuple[int, int]:
    stored, raw = "pg_total_relation_size('sabot.record')", "pg_total_relation_size('public.raw')"
    found = await admin.fetchrow(f"SELECT {stored}, {raw}")
    assert found is not None
    return found[0], found[1]


def _records(stream: str, count: int) -> list[Record]:
    answer = msgspec.Raw(b'{"do":"set_wager","station":"A17","bet":"banker","cents":2500,"events":[{"wager":2500}]}')
    return start_of(stream).then(
        1, (Entry(f"A17/1/{n}", "A17", "", 1_700_000_000_000 + n, answer) for n in range(count))
    )


def _columns(records: Sequence[Record]) -> tuple[list[object], ...]:
    rows = ((each.stream, each.version, each.entry.key, each.body, each.previous, each.hash) for each in records)
    return tuple(map(list, zip(*rows, strict=True)))


async def _timed(pace: Pace, *work: Awaitable[None]) -> None:
    started = time.perf_counter()
    await asyncio.gather(*work)
    pace.elapsed += time.perf_counter() - started


async def _append_all(journal: Journal, records: Sequence[Record], pace: Pace) -> None:
    for record in records:
        started = time.perf_counter()
        outcome = await journal.append(record.stream, record.version - 1, [record])
        pace.taken_ms.append((time.perf_counter() - started) * 1_000)
        assert isinstance(outcome, Appended), outcome
        pace.appends += 1


async def _insert_all(
    raw: "asyncpg.Connection[asyncpg.Record]", batches: Sequence[tuple[list[object], ...]], pace: Pace
) -> None:
    for columns in batches:
        started = time.perf_counter()
        await raw.execute(_RAW_INSERT, *columns)
        pace.taken_ms.append((time.perf_counter() - started) * 1_000)
        pace.appends += len(columns[0])


async def _take_overs(server: "PostgresServer") -> list[Row]:
    """From the kill of an owner to the record of the next one's taking, with three that want the table."""
    from tests.journal.postgres.owners import owners  # noqa: PLC0415

    seconds = []
    with tempfile.TemporaryDirectory() as folder, owners(3, server.dsn(role="pit"), TTL_MS, Path(folder)) as group:
        for _ in range(TAKE_OVERS):
            owner = await group.at_work()
            owner.kill()
            started = time.perf_counter()
            group.start()
            await group.taken(after_epoch=owner.epoch)
            seconds.append(time.perf_counter() - started)
    return [
        row("postgres_take_over_p50", statistics.median(seconds), "s", TTL_MS / 1_000),
        row("postgres_take_over_max", max(seconds), "s", TTL_MS / 1_000),
    ]
