"""A floor under load, over real sockets: how many touches a second are acknowledged, and how long each one takes.

Closed loop: fifty stations at one table touch as fast as they are answered. The baselines of the same run are a bare
echo on the same stack, and the journal alone with fifty writers that write just what touches leave behind; the slower
of the two is what a floor could reach at best.

Open loop: ten times the pace of a real table, three touches a coup at every station, whether or not anybody answers.
The baseline of each time is what is aimed at. Server and stations share the machine, so times include both.
`close_to_settled` is what a station sees, from "no more bets" to its own settlement, with all cards dealt in between.
"""

import asyncio
import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

import asyncpg
import msgspec

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.cli.stopwatch import Row, row
from sabot.cli.terminal import console
from sabot.client.key import DeviceKey
from sabot.floor.records.record_codec import entry_of
from sabot.journal.journal import Appended
from sabot.journal.postgres_schema import migrate
from sabot.journal.record import Entry, Record, start_of
from sabot.journal.sqlite import open_sqlite
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.events import WagersChanged

if TYPE_CHECKING:
    from tests.journal.postgres.server import PostgresServer

ROOT = Path(__file__).resolve().parent
STATIONS = 50
CLOSED_S, OPEN_S = 5.0, 14.0
LONG_PERIOD_MS, PERIOD_MS = 600_000, 4_000
FLOORS = (1, 20, 40)
AIMED_MS = {"p50": 20.0, "p99": 100.0, "p999": 250.0}
AIMED_KB = 60.0
APPENDS = 1_000
"""Of each writer: as many in all as a closed loop leaves behind."""
AT_MS = 1_767_225_600_000
TICKS = os.sysconf("SC_CLK_TCK")


class Load(msgspec.Struct):
    touches: list[float]
    settled: list[float]
    refused: int


class Cost(msgspec.Struct, frozen=True):
    """What it cost the server."""

    cpu: float
    """Of one core."""
    kb_a_station: float


def measure() -> Iterator[Row]:
    echoed, written = _echo(), asyncio.run(_journal())
    with tempfile.TemporaryDirectory() as folder:
        load, _ = _floor("closed", str(Path(folder) / "journal"), 1, CLOSED_S, LONG_PERIOD_MS)
    acknowledged = len(load.touches) / CLOSED_S
    yield row("floor_closed_1x50", acknowledged, "wagers/s", min(echoed, written))
    yield row("floor_closed_1x50_echo", acknowledged, "wagers/s", echoed)
    yield row("floor_closed_1x50_journal", acknowledged, "wagers/s", written)
    yield row("floor_closed_1x50_p99", percentile(load.touches, 0.99), "ms", AIMED_MS["p99"])
    for tables in FLOORS:
        with tempfile.TemporaryDirectory() as folder:
            yield from _open(f"sqlite_{tables}x50", str(Path(folder) / "journal"), tables)
    with postgres() as server:
        if server is not None:
            for tables in FLOORS:
                place = asyncio.run(database(server, f"floor_{tables}"))
                yield from _open(f"postgres_{tables}x50", place, tables)


def _open(name: str, place: str, tables: int) -> Iterator[Row]:
    load, cost = _floor("open", place, tables, OPEN_S, PERIOD_MS)
    for word, share in (("p50", 0.5), ("p99", 0.99), ("p999", 0.999)):
        yield row(f"floor_{name}_touch_{word}", percentile(load.touches, share), "ms", AIMED_MS[word])
    for word, share in (("p50", 0.5), ("p99", 0.99)):
        yield row(f"floor_{name}_close_to_settled_{word}", percentile(load.settled, share), "ms", 1_000.0)
    yield row(f"floor_{name}_touches", len(load.touches) / OPEN_S, "wagers/s", tables * STATIONS * 3 / 4.5)
    yield row(f"floor_{name}_cpu", cost.cpu * 100, "% of a core", 100.0)
    yield row(f"floor_{name}_cpu_a_station", cost.cpu / tables / STATIONS * 1e6, "us/s", 1_000.0)
    yield row(f"floor_{name}_memory", cost.kb_a_station, "KB/station", AIMED_KB)


@contextlib.contextmanager
def postgres() -> "Iterator[PostgresServer | None]":
    """A private server with the floor's role `pit`; nothing, and a sentence why, where there can be none."""
    sys.path.insert(0, str(ROOT.parent))  # The benchmark stands on the same ground as the tests.
    server, why = _started()
    if server is None:
        console(to_error=True).print(f"sabot: no PostgreSQL to measure: {why}")
        yield None
        return
    try:
        admin = server.dsn()
        asyncio.run(execute(admin, "CREATE ROLE sabot_app NOLOGIN; CREATE ROLE pit LOGIN IN ROLE sabot_app"))
        yield server
    finally:
        server.stop()


def _started() -> "tuple[PostgresServer | None, str]":
    try:
        from tests.journal.postgres.server import NoServer, PostgresServer  # noqa: PLC0415  Only where they are.
    except ModuleNotFoundError as missing:
        return None, f"the packages for testing lack {missing.name}; ./test installs them"
    server = PostgresServer()
    try:
        server.start()
    except NoServer as reason:
        return None, str(reason)
    return server, ""


async def database(server: "PostgresServer", name: str) -> str:
    """An empty database for one floor."""
    await execute(server.dsn(), f"CREATE DATABASE {name}")
    await migrate(server.dsn(database=name))
    return server.dsn(database=name, role="pit")


async def execute(place: str, statement: str) -> None:
    admin = await asyncpg.connect(place)
    await admin.execute(statement)
    await admin.close()


def percentile(taken: list[float], share: float) -> float:
    ordered = sorted(taken)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000


def _echo() -> float:
    """Messages a second that the same stack gives back and does nothing with."""
    with process("_floor_server.py", "echo") as server:
        assert server.stdout is not None
        url = msgspec.json.decode(server.stdout.readline())["url"]
        with (
            tempfile.NamedTemporaryFile() as taken,
            process("_floor_load.py", "echo", url, str(CLOSED_S), str(STATIONS), taken.name) as load,
        ):
            return len(_outcome(load, Path(taken.name)).touches) / CLOSED_S


async def _journal() -> float:
    """Appends a second of fifty writers that only write, each the records that touches leave behind."""
    with tempfile.TemporaryDirectory() as folder:
        journal = await open_sqlite(Path(folder) / "journal")
        written = [start_of(f"table/T{number}").then(1, _touches()) for number in range(STATIONS)]

        async def write(records: Sequence[Record]) -> None:
            for record in records:
                outcome = await journal.append(record.stream, record.version - 1, [record])
                assert isinstance(outcome, Appended)

        loop = asyncio.get_running_loop()
        started = loop.time()
        await asyncio.gather(*map(write, written))
        rate = STATIONS * APPENDS / (loop.time() - started)
        await journal.close()
        return rate


def _touches() -> Iterator[Entry]:
    station, bet = "A17", Bet("banker")
    for n in range(APPENDS):
        wager, stamp = acts.SetWager(bet=bet, cents=12_500), Stamp(by=station, role=Role.STATION, at_ms=AT_MS + n)
        changed = WagersChanged(station=station, before={bet: 0}, after={bet: 12_500}, clause="CROWN 4.1")
        yield entry_of(f"ask/T1-{station}/1/{n}", wager, stamp, (changed,))


def _floor(mode: str, place: str, tables: int, seconds: float, period_ms: int) -> tuple[Load, Cost]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_keys(folder, tables)
        arguments = ("floor", str(folder), place, str(tables), str(period_ms))
        with process("_floor_server.py", *arguments) as server:
            assert server.stdout is not None
            told = msgspec.json.decode(server.stdout.readline())
            before = memory_kb(told["pid"])
            taken = folder / "taken.json"
            with process("_floor_load.py", mode, told["url"], str(seconds), str(folder / "keys"), str(taken)) as load:
                assert load.stdout is not None
                assert load.stdin is not None
                load.stdout.readline()
                grown = (memory_kb(told["pid"]) - before) / (tables * STATIONS)
                busy = cpu_s(told["pid"])
                load.stdin.write("go\n")
                load.stdin.flush()
                outcome = _outcome(load, taken)
                return outcome, Cost((cpu_s(told["pid"]) - busy) / seconds, grown)


def _outcome(load: "subprocess.Popen[str]", taken: Path) -> Load:
    assert load.wait() == 0, "the stations did not play to the end"
    return msgspec.json.decode(taken.read_bytes(), type=Load)


def write_keys(folder: Path, tables: int, first: int = 0) -> None:
    (folder / "keys").mkdir()
    public = {}
    for table in range(first, first + tables):
        for number in range(1, STATIONS + 1):
            key, device = DeviceKey.make(), f"T{table}-A{number}"
            key.write(folder / "keys" / f"{device}.pem")
            public[device] = key.public
    (folder / "keys.json").write_bytes(msgspec.json.encode(public))


@contextlib.contextmanager
def process(script: str, *arguments: str, program: Path = ROOT.parent) -> "Iterator[subprocess.Popen[str]]":
    """A part of a program's benchmarks, with that program's package."""
    process = subprocess.Popen(  # noqa: S603  It runs our own program.
        [sys.executable, str(program / "bench" / script), *arguments],
        env={**os.environ, "PYTHONPATH": str(program / "src")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        _closed(process.stdout)


def _closed(stream: IO[str] | None) -> None:
    if stream is not None:
        stream.close()


def memory_kb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return float(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS
