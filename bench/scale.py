"""What a floor of 2,000 tables asks of the journal, the leases, the house's stream and the memory of a process.

Figures are CPU time of this process, the least of several rounds; only `renewals_at_once` goes by the clock. The
baseline of each is the same with fifty tables, or with a hundredth of the devices: a ratio near 1 says that the cost of
one does not grow with the number of all. The baseline of what stops the event loop is what a touch may take at p99. The
long form adds 100,000 devices, PostgreSQL and the memory of a served floor. docs/scale.md has the arithmetic.
"""

import asyncio
import gc
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

import msgspec

from sabot.basics.stamp import clock_stamp
from sabot.cli.stopwatch import Row, row, seconds
from sabot.floor.records.record_codec import HOUSE, entry_of, table_stream
from sabot.floor.records.recovery import Recovered
from sabot.floor.shared_owner.keeping import mark_at_once, slice_of
from sabot.floor.shared_owner.kinds import HOUSE_KIND
from sabot.floor.shared_owner.messages import ReadOn, SharedLook, SharedOpened, SharedRead
from sabot.floor.shared_owner.owner import SharedOwner
from sabot.house import acts
from sabot.house import events as e
from sabot.house.evolve import fold
from sabot.house.state import DeviceKind, HouseState
from sabot.journal.journal import Appended, Journal, Lease
from sabot.journal.opening import open_journal
from sabot.journal.record import Head, Record, head_after, start_of

ROOT = Path(__file__).resolve().parent
FEW, MANY = 50, 2_000
TTL_MS = 60_000
ROUNDS = 3
DEVICES = 20_000
LONG_DEVICES = 100_000
HEARD = 4_000
"""Records of the house that are followed: two for a coup at each of 2,000 tables."""
AIMED_MS = 20.0
PLAYING = 10
"""Tables of the floor whose CPU is measured."""
SLOPE = (1, 5)
"""Tables of the two floors whose memory is compared."""


def measure() -> Iterator[Row]:
    yield from _house("", DEVICES)
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as folder:
        yield from asyncio.run(_journal("sqlite", str(Path(folder) / "scale.journal")))


def measure_long() -> Iterator[Row]:
    yield from _house(f"_{LONG_DEVICES}", LONG_DEVICES)
    floors = _floors()
    with floors.postgres() as server:
        if server is not None:
            place = asyncio.run(floors.database(server, "scale"))
            yield from asyncio.run(_journal("postgres", place))
    yield from _memory(floors)
    yield row("station_at_the_real_pace", _playing(floors, 90.0, 40_000), "us/s", _playing(floors, 14.0, 4_000))


# The house's stream.


def _house(name: str, devices: int) -> Iterator[Row]:
    """Enrolling, saving, reading back and following, each beside a house of a hundredth of the devices."""
    small, large = _enrolments(devices // 100), _enrolments(devices)
    tables = [e.TableEntered(table=f"T{number}", offers=()) for number in range(MANY)]
    few, many = fold([*tables, *small]), fold([*tables, *large])
    yield row(f"house_enrol{name}", _each(large, tables), "us", _each(small, tables))
    empty = len(mark_at_once(HOUSE_KIND.mark(fold(tables), 0)))
    sizes = [(len(mark_at_once(HOUSE_KIND.mark(state, 0))) - empty) / len(state.devices) for state in (many, few)]
    yield row(f"house_snapshot{name}", sizes[0], "bytes/device", sizes[1])
    stopped = min(_longest_slice(many) for _ in range(ROUNDS)) * 1e3
    yield row(f"house_snapshot_stops_the_loop{name}", stopped, "ms", AIMED_MS)
    heard = _heard()
    yield row(f"house_followed{name}", _followed(many, heard), "us", _followed(few, heard))


def _longest_slice(state: HouseState) -> float:
    """Seconds of CPU for which writing a snapshot lets nobody else in."""
    writing, longest, mark = HOUSE_KIND.mark(state, 0), 0.0, None
    while mark is None:
        began = time.process_time()
        mark = slice_of(writing)
        longest = max(longest, time.process_time() - began)
    return longest


def _each(enrolments: Sequence[e.DeviceEnrolled], tables: Sequence[e.HouseEvent]) -> float:
    """Microseconds to apply one enrolment."""
    state = fold(tables)
    return seconds(lambda: fold(enrolments, state), runs=1) / len(enrolments) * 1e6


def _enrolments(devices: int) -> list[e.DeviceEnrolled]:
    return [
        e.DeviceEnrolled(
            device=f"T{number % MANY}-A{number // MANY}",
            kind=DeviceKind.STATION,
            table=f"T{number % MANY}",
            key=f"{number:064x}",
            approval="VCGLR-7",
            remote=False,
            station=f"A{number // MANY}",
            by="CS1",
            second="GS1",
            at_ms=0,
            clause="CROWN 3.2",
        )
        for number in range(devices)
    ]


def _heard() -> list[Record]:
    """What another process writes: at every table a coup begins, and ends."""
    entries = []
    for number in range(HEARD):
        table, busy = f"T{number % MANY}", number < MANY
        told = acts.TellBusy(table=table, busy=busy)
        entries.append(entry_of(f"clock/{number}", told, clock_stamp(number), (e.TableBusy(table=table, busy=busy),)))
    return start_of(HOUSE).then(1, entries)


def _followed(state: HouseState, heard: list[Record]) -> float:
    """Microseconds to check, decode and apply one record that another process wrote."""

    def follow() -> None:
        owner = SharedOwner(HOUSE_KIND)
        owner.handle(0, SharedOpened(Recovered(state, start_of(HOUSE), 0, 0)))
        for begin in range(0, len(heard), 100):
            (reads, *_) = owner.handle(0, SharedLook())
            assert isinstance(reads, ReadOn)
            owner.handle(0, SharedRead(heard[begin : begin + 100]))
        assert owner.head.version == len(heard)

    return seconds(follow, runs=ROUNDS) / len(heard) * 1e6


# The journal.


class _Cost(msgspec.Struct):
    append: list[float] = []
    renewal: list[float] = []
    renewal_ms: list[float] = []


async def _journal(name: str, place: str) -> list[Row]:
    """An append of every table at once, and the renewal of all leases, with 2,000 tables and with fifty in turns."""
    journal = await open_journal(place)
    few, many = _Cost(), _Cost()
    try:
        of_few, of_many = [await _taken(journal, f"{name}-{count}", count) for count in (FEW, MANY)]
        for _ in range(ROUNDS):
            for leases, cost in ((of_few, few), (of_many, many)):
                await _spend(journal, leases, cost)
    finally:
        await journal.close()
    return [
        row(f"{name}_append_2000_tables", min(many.append), "us", min(few.append)),
        row(f"{name}_renewal_2000_tables", min(many.renewal), "us", min(few.renewal)),
        row(f"{name}_renewals_at_once", min(many.renewal_ms), "ms", min(few.renewal_ms), on_clock=True),
    ]


class _Taken(msgspec.Struct):
    leases: list[Lease]
    heads: list[Head]


async def _taken(journal: Journal, name: str, tables: int) -> _Taken:
    streams = [table_stream(f"{name}-{number}") for number in range(tables)]
    leases = [await journal.acquire_lease(stream, "bench", TTL_MS) for stream in streams]
    return _Taken([lease for lease in leases if lease is not None], [start_of(stream) for stream in streams])


async def _spend(journal: Journal, taken: _Taken, cost: _Cost) -> None:
    written = [
        head.then(1, [entry_of(f"ask/{head.version}", acts.TellBusy(table="T1", busy=True), clock_stamp(), ())])
        for head in taken.heads
    ]
    gc.collect()
    started = time.process_time()
    outcomes = await asyncio.gather(
        *(journal.append(records[0].stream, records[0].version - 1, records) for records in written)
    )
    cost.append.append((time.process_time() - started) / len(written) * 1e6)
    assert all(isinstance(outcome, Appended) for outcome in outcomes)
    taken.heads = [head_after(records[0]) for records in written]
    started, clock = time.process_time(), time.perf_counter()
    taken.leases = await journal.renew_leases(taken.leases, TTL_MS)
    cost.renewal.append((time.process_time() - started) / len(taken.leases) * 1e6)
    cost.renewal_ms.append((time.perf_counter() - clock) * 1e3)


# Memory.


def _memory(floors: ModuleType) -> Iterator[Row]:
    """Of a served floor: what one more table takes with fifty accounts, and what one more connected station does."""
    kb = [_served(floors, tables) for tables in SLOPE]
    yield row("memory_a_table", (kb[1][0] - kb[0][0]) / (SLOPE[1] - SLOPE[0]), "KB", kb[0][0])
    yield row("memory_a_connected_station", kb[1][1], "KB", kb[0][1])


def _playing(floors: ModuleType, lasts_s: float, period_ms: int) -> float:
    """CPU microseconds a second of a process for each of 500 stations that play; the baseline is ten times the pace."""
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as folder:
        _, cost = floors._floor("open", str(Path(folder) / "journal"), PLAYING, lasts_s, period_ms)  # noqa: SLF001
    return float(cost.cpu / PLAYING / floors.STATIONS * 1e6)


def _served(floors: ModuleType, tables: int) -> tuple[float, float]:
    """Kilobytes of the process with so many tables before anybody connects, and for each station that connects."""
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as name:
        folder = Path(name)
        floors.write_keys(folder, tables)
        arguments = ("floor", str(folder), str(folder / "journal"), str(tables), "600000")
        with floors.process("_floor_server.py", *arguments) as server:
            told = msgspec.json.decode(server.stdout.readline())
            before = floors.memory_kb(told["pid"])
            words = ("open", told["url"], "1", str(folder / "keys"), str(folder / "taken.json"))
            with floors.process("_floor_load.py", *words) as load:
                load.stdout.readline()
                grown = (floors.memory_kb(told["pid"]) - before) / (tables * floors.STATIONS)
                load.stdin.write("go\n")
                load.stdin.flush()
                load.wait()
    return before, grown


def _floors() -> ModuleType:
    sys.path[:0] = [str(ROOT.parent), str(ROOT)]  # The benchmark stands on the same ground as the tests.
    import floor as floors  # noqa: PLC0415  Only where it is.

    return floors
