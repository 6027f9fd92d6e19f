"""The way of a touch: what an acknowledged wager costs the server, beside the earlier program in the same run.

    sabot bench touch
    python bench/touch.py TABLES SECONDS TURNS

Both programs serve the same floor in turns, each in a process of its own with its own package, and are loaded by the
same stations. What counts is the CPU time of the server's process alone; the stations' and the database's are theirs.
The least of several turns is taken, since a busy machine only ever adds.

Closed loop: fifty stations at one table touch as fast as they are answered. Open loop: ten times the pace of a real
table, three touches a coup at every station. In `open` all tables open, close and settle in the same moment, which is
the worst that a floor can do. In `apart` they are spread over a coup, as tables are whose dealers do not wait for one
another; the earlier program cannot be spread. `sabot bench` has few tables, so that it can be run beside other work.
The times of touches are aimed at forty tables and a quiet machine, which is what the second command is for: `40 60 2`.
"""

import asyncio
import contextlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from sabot.cli.earlier_program import earlier_program, run_beside
from sabot.cli.stopwatch import Row, row

if TYPE_CHECKING:
    from tests.journal.postgres.server import PostgresServer

ROOT = Path(__file__).resolve().parent
STATIONS = 50
LONG_PERIOD_MS, PERIOD_MS = 600_000, 4_000
TABLES, SECONDS, TURNS = 4, 9.0, 3
CLOSED_S = 4.0
AIMED_MS = {"p50": 10.0, "p99": 20.0, "p999": 50.0}
AIMED_SETTLED_MS = 150.0
MIGRATE = """
import asyncio, json, sys
from sabot.journal.postgres_schema import migrate
asyncio.run(migrate(sys.argv[1]))
print(json.dumps("done"))
"""
Mode = Literal["closed", "open", "apart"]


class Turn(msgspec.Struct, frozen=True):
    """One program under load once."""

    cpu_s: float
    """Of the server's processes."""
    touches: list[float]
    settled: list[float]

    @property
    def us_a_wager(self) -> float:
        return self.cpu_s / len(self.touches) * 1e6


class Trial:
    """Programs in turns on one kind of journal."""

    def __init__(self, floors: Any, server: "PostgresServer | None") -> None:
        self._floors, self._server = floors, server
        self._databases = 0

    def turn(
        self, program: Path, mode: Mode, tables: int, seconds: float, processes: int = 1, *, is_one_floor: bool = True
    ) -> Turn:
        """Processes that are no one floor have a journal each and know nothing of one another."""
        with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
            folder, place, running = Path(name), "", list[tuple[int, subprocess.Popen[str], Path]]()
            for number in range(processes):
                place = place if place and is_one_floor else self._place(program, folder)
                own = folder / str(number)
                own.mkdir()
                self._floors.write_keys(own, tables, first=number * tables)
                for key in (folder / "0").glob("*.key*") if number and is_one_floor else ():
                    shutil.copy(key, own)  # The processes of a floor share its keys.
                period = str(LONG_PERIOD_MS if mode == "closed" else PERIOD_MS)
                kind, first = "apart" if mode == "apart" else "floor", [str(number * tables)] if number else []
                words = (kind, str(own), place, str(tables), period, *first)
                server = stack.enter_context(self._floors.process("_floor_server.py", *words, program=program))
                assert server.stdout is not None
                told = msgspec.json.decode(server.stdout.readline())
                taken = own / "taken.json"
                loop = "closed" if mode == "closed" else "open"
                asked = (loop, told["url"], str(seconds), str(own / "keys"), str(taken))
                load = stack.enter_context(self._floors.process("_floor_load.py", *asked))
                running.append((told["pid"], load, taken))
            return self._played(running)

    def _played(self, running: "list[tuple[int, subprocess.Popen[str], Path]]") -> Turn:
        for _, load, _ in running:
            _line(load)  # Its stations are connected.
        before = [self._floors.cpu_s(pid) for pid, _, _ in running]
        for _, load, _ in running:
            assert load.stdin is not None
            load.stdin.write("go\n")
            load.stdin.flush()
        for _, load, _ in running:
            _line(load)  # They have played.
        spent = sum(self._floors.cpu_s(pid) for pid, _, _ in running) - sum(before)
        touches, settled = list[float](), list[float]()
        for _, load, taken in running:
            assert load.wait() == 0, "the stations did not play to the end"
            outcome = msgspec.json.decode(taken.read_bytes())
            touches += outcome["touches"]
            settled += outcome["settled"]
        return Turn(spent, touches, settled)

    def _place(self, program: Path, folder: Path) -> str:
        """A fresh journal, in the form of that program."""
        if self._server is None:
            return str(folder / "journal")
        self._databases += 1
        name = f"touch_{self._databases}"
        asyncio.run(self._floors.execute(self._server.dsn(), f"CREATE DATABASE {name}"))
        run_beside(program, MIGRATE, self._server.dsn(database=name))
        return self._server.dsn(database=name, role="pit")


def measure() -> Iterator[Row]:
    yield from compared(TABLES, SECONDS, TURNS)


def compared(tables: int, seconds: float, turns: int) -> Iterator[Row]:
    sys.path[:0] = [str(ROOT.parent), str(ROOT)]  # The benchmark stands on the same ground as the tests.
    import floor as floors  # noqa: PLC0415  Only where it is.

    yield from _on("sqlite", Trial(floors, None), tables, seconds, turns)
    with floors.postgres() as server:
        if server is not None:
            trial = Trial(floors, server)
            yield from _on("postgres", trial, tables, seconds, turns)
            yield from _two(trial, tables, seconds, turns)


def _on(journal: str, trial: Trial, tables: int, seconds: float, turns: int) -> Iterator[Row]:
    earlier = earlier_program()
    shapes: tuple[tuple[str, Mode, int, float], ...] = (
        ("closed_1x50", "closed", 1, min(CLOSED_S, seconds)),
        (f"open_{tables}x50", "open", tables, seconds),
    )
    for shape, mode, many, lasts in shapes:
        before, now = list[Turn](), list[Turn]()
        for _ in range(turns):
            before.append(trial.turn(earlier, mode, many, lasts))
            now.append(trial.turn(ROOT.parent, mode, many, lasts))
        name = f"touch_{journal}_{shape}"
        yield row(f"{name}_cpu", _least(now), "us/wager", _least(before))
        if mode == "open":
            yield from _times(name, now)
    apart = [trial.turn(ROOT.parent, "apart", tables, seconds) for _ in range(turns)]
    yield from _times(f"touch_{journal}_apart_{tables}x50", apart)


def _times(name: str, turns: list[Turn]) -> Iterator[Row]:
    """From a touch to its answer, and from the close to the settlement, as a station sees them."""
    from floor import percentile  # noqa: PLC0415  Only where it is.

    touches = [taken for turn in turns for taken in turn.touches]
    settled = [taken for turn in turns for taken in turn.settled]
    for word, share in (("p50", 0.5), ("p99", 0.99), ("p999", 0.999)):
        yield row(f"{name}_{word}", percentile(touches, share), "ms", AIMED_MS[word])
    if settled:
        yield row(f"{name}_close_to_settled_p99", percentile(settled, 0.99), "ms", AIMED_SETTLED_MS)


def _two(trial: Trial, tables: int, seconds: float, turns: int) -> Iterator[Row]:
    """What a table costs where two processes have as many each; 1.0 is twice the tables for twice the CPU time.

    The second row is beside two processes that share nothing but the machine and the server, so it says what is due to
    the program; the rest is that two cores have twice as much to do.
    """
    one, two, apart = list[float](), list[float](), list[float]()
    for _ in range(turns):
        one.append(trial.turn(ROOT.parent, "open", tables, seconds).cpu_s / tables / seconds)
        for is_one_floor, spent in ((True, two), (False, apart)):
            both = trial.turn(ROOT.parent, "open", tables, seconds, processes=2, is_one_floor=is_one_floor)
            spent.append(both.cpu_s / (2 * tables) / seconds)
    name = f"touch_postgres_two_processes_{tables}x50_each"
    yield row(name, min(two) * 1e3, "ms/s a table", min(one) * 1e3)
    yield row(f"{name}_beside_two_floors", min(two) * 1e3, "ms/s a table", min(apart) * 1e3)


def _least(turns: list[Turn]) -> float:
    return min(turn.us_a_wager for turn in turns)


def _line(process: "subprocess.Popen[str]") -> None:
    assert process.stdout is not None
    assert process.stdout.readline(), "the stations did not play to the end"


if __name__ == "__main__":
    for one in compared(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])):
        sys.stdout.write(f"{one.name}  {one.value:.1f} {one.unit}  {one.baseline:.1f}  {one.ratio:.2f}\n")
        sys.stdout.flush()
