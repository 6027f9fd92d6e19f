"""Durable appends a second, and how long one of them takes, on the disk that holds the temporary folder.

Elapsed time is measured, not CPU time: waiting for the disk is most of the work. The baselines write the same rows to
the same tables with the same durability and do nothing else: no versions compared, no keys looked for, no chain. The
sides take turns, several times, and the best run of each counts, because a disk is noisy.
"""

import asyncio
import queue
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import apsw
import msgspec

from sabot.cli.stopwatch import Row, row
from sabot.journal.journal import Appended
from sabot.journal.record import Entry, Record, start_of
from sabot.journal.sqlite import open_read_only, open_sqlite
from sabot.journal.sqlite_file import connect, create, reading

WRITERS, TURNS = 50, 100
ALONE = 300
LONG = 20_000
RUNS = 4

WAGER = msgspec.Raw(
    b'{"command":{"do":"set_wager","by":"A17","station":"A17","bet":"banker","cents":12500},'
    b'"events":[{"type":"wager_set","station":"A17","bet":"banker","cents":12500,"before":2500}]}'
)
Stream = list[Record]
Stored = tuple[str, int, str, bytes, bytes]


def measure() -> Iterator[Row]:
    tables = [_stream(f"table-{number:02}", TURNS) for number in range(WRITERS)]
    together, alone = WRITERS * TURNS, [_stream("table", ALONE)]
    many, callers, engine = _best(
        lambda path: asyncio.run(_append(path, tables)),
        lambda path: asyncio.run(_commit_in_groups(path, tables)),
        lambda path: _write(path, list(zip(*map(_stored, tables), strict=True))),
    )
    one, engine_alone = _best(
        lambda path: asyncio.run(_append(path, alone)),
        lambda path: _write(path, [(stored,) for stored in _stored(alone[0])]),
    )
    read, selected = _best(lambda path: asyncio.run(_read(path)), _select)
    yield row("journal_sqlite_50_writers", together / many.total, "appends/s", together / callers.total)
    yield row("journal_sqlite_50_writers_engine", together / many.total, "appends/s", together / engine.total)
    yield row("journal_sqlite_one_commit_each", ALONE / one.total, "appends/s", ALONE / engine_alone.total)
    yield row("journal_sqlite_grouping", together / many.total, "appends/s", ALONE / one.total)
    yield row("journal_sqlite_append_p50", one.percentile(50) * 1000, "ms", engine_alone.percentile(50) * 1000)
    yield row("journal_sqlite_append_p99", one.percentile(99) * 1000, "ms", engine_alone.percentile(99) * 1000)
    yield row("journal_sqlite_50_writers_p50", many.percentile(50) * 1000, "ms", callers.percentile(50) * 1000)
    yield row("journal_sqlite_50_writers_p99", many.percentile(99) * 1000, "ms", callers.percentile(99) * 1000)
    yield row("journal_sqlite_read_and_proved", LONG / read.total, "records/s", LONG / selected.total)


class Run(msgspec.Struct, frozen=True):
    total: float
    """How long all of it took."""
    waits: list[float]
    """How long each append took, in order of length."""

    def percentile(self, percent: int) -> float:
        return self.waits[len(self.waits) * percent // 100]


def _best(*sides: Callable[[Path], Run]) -> list[Run]:
    """The fastest run of each side, all of them taking turns."""
    runs: list[list[Run]] = [[] for _ in sides]
    for _ in range(RUNS):
        for side, done in zip(sides, runs, strict=True):
            with tempfile.TemporaryDirectory() as folder:
                done.append(side(Path(folder) / "journal"))
    return [min(done, key=lambda run: run.total) for done in runs]


async def _append(path: Path, streams: Sequence[Stream]) -> Run:
    """The journal itself: a writer for each stream, each waiting for its answer before it goes on."""
    journal = await open_sqlite(path)
    waits: list[float] = []

    async def write(stream: Stream) -> None:
        for record in stream:
            asked = time.perf_counter()
            outcome = await journal.append(record.stream, record.version - 1, [record])
            waits.append(time.perf_counter() - asked)
            assert outcome == Appended(record.version)

    started = time.perf_counter()
    await asyncio.gather(*map(write, streams))
    total = time.perf_counter() - started
    await journal.close()
    return Run(total, sorted(waits))


async def _read(path: Path) -> Run:
    """Reading a stream as a table does when it starts: every record decoded and its hash computed anew."""
    _write(path, [_stored(_stream("table", LONG))])
    reader = open_read_only(path)
    started = time.perf_counter()
    count = sum([1 async for _ in reader.read("table")])
    total = time.perf_counter() - started
    assert count == LONG
    return Run(total, [total])


def _select(path: Path) -> Run:
    """The same rows taken out of the file and looked at by nobody."""
    _write(path, [_stored(_stream("table", LONG))])
    with reading(path) as db:
        started = time.perf_counter()
        count = sum(1 for _ in db.execute("SELECT version, key, body, hash FROM record ORDER BY stream, version"))
        total = time.perf_counter() - started
    assert count == LONG
    return Run(total, [total])


async def _commit_in_groups(path: Path, streams: Sequence[Stream]) -> Run:
    """The least that commits for many callers at once: a queue, a thread, and one transaction for all that waits."""
    create(path)
    loop, waiting = asyncio.get_running_loop(), queue.SimpleQueue[tuple[Stored, asyncio.Future[None]] | None]()
    thread = threading.Thread(target=_serve, args=(path, waiting, loop))
    thread.start()
    waits: list[float] = []

    async def write(stream: Stream) -> None:
        for stored in _stored(stream):
            asked, answer = time.perf_counter(), loop.create_future()
            waiting.put((stored, answer))
            await answer
            waits.append(time.perf_counter() - asked)

    started = time.perf_counter()
    await asyncio.gather(*map(write, streams))
    total = time.perf_counter() - started
    waiting.put(None)
    await asyncio.to_thread(thread.join)
    return Run(total, sorted(waits))


def _serve(
    path: Path,
    waiting: queue.SimpleQueue[tuple[Stored, asyncio.Future[None]] | None],
    loop: asyncio.AbstractEventLoop,
) -> None:
    db = connect(path)
    while (first := waiting.get()) is not None:
        batch = [first]
        while not waiting.empty() and (further := waiting.get()) is not None:
            batch.append(further)
        _commit(db, [stored for stored, _ in batch])
        loop.call_soon_threadsafe(_answer, [answer for _, answer in batch])
    db.close()


def _answer(answers: list[asyncio.Future[None]]) -> None:
    for answer in answers:
        answer.set_result(None)


def _write(path: Path, batches: Sequence[Sequence[Stored]]) -> Run:
    """The engine alone: one commit after the other, with nobody waiting for an answer."""
    create(path)
    db = connect(path)
    waits = []
    started = time.perf_counter()
    for batch in batches:
        begun = time.perf_counter()
        _commit(db, batch)
        waits.append(time.perf_counter() - begun)
    total = time.perf_counter() - started
    db.close()
    return Run(total, sorted(waits))


def _commit(db: apsw.Connection, batch: Sequence[Stored]) -> None:
    db.execute("BEGIN IMMEDIATE")
    db.executemany("INSERT INTO record VALUES (?, ?, ?, ?, ?)", batch)
    db.execute("COMMIT")


def _stream(name: str, count: int) -> Stream:
    entries = [Entry(f"A17/1/{number}/{number // 3}", "A17", "", 1_700_000_000_000, WAGER) for number in range(count)]
    return start_of(name).then(1, entries)


def _stored(stream: Stream) -> list[Stored]:
    return [(record.stream, record.version, record.entry.key, record.body, record.hash) for record in stream]
