"""One report of a table of fifty stations: a day of it, and all of it, after 200, 2,000, 20,000 and 200,000 coups.

The sums are kept, as a floor keeps them. Each report is made as `sabot serve` makes it, in a process that does nothing
else; CPU time leaves out what the process needs to start, and memory is the most it ever had. The baseline is the same
report after 200 coups, which is a tenth of a day. `sums_by_coup` is what adding up costs the process that makes reports
for each coup, beside what the coup costs to decide and book.

The records are written quickly: 25 coups are played, and written over and over, with keys, times, versions, hashes and
numbers of coups of their own.

The long form has 20,000 and 200,000 coups, or as many as SABOT_BENCH_COUPS says.
"""

import asyncio
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from sabot.audit.kept_sums import SumReader
from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, operator_stamp
from sabot.cli.stopwatch import Row, row
from sabot.floor.records.record_codec import Started, entry_of, started_entry, table_stream
from sabot.journal.journal import Appended, Derived, Journal
from sabot.journal.opening import open_journal
from sabot.journal.ownership import Ownership, take
from sabot.journal.record import Entry, Head, head_after
from sabot.rules.cards import DECK
from sabot.rules.coup import next_card
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.configuration import StationPart
from sabot.table.decide import decide
from sabot.table.evolve import evolve, fold
from sabot.table.fixtures import fixture
from sabot.table.refusal import Refused
from sabot.table.state import UNCONFIGURED

STREAM = table_stream("T1")
STATIONS = [f"A{number}" for number in range(1, 51)]
PLAYED = 25
COUP_MS = 43_200
"""2,000 coups a day."""
FIRST_MS = 1_767_225_600_000
_DEALER = Stamp(by="D1", role=Role.DEALER)
_CLOSES = Stamp(by="D1", role=Role.DEALER, salts=dict.fromkeys(STATIONS, "5a" * 16))
_SUPERVISOR = Stamp(by="GS1", role=Role.GAME_SUPERVISOR)
_COUP = re.compile(rb'"coup":(\d+)')
DAY_MS = 2_000 * COUP_MS
REPORTS = ("day", "all", "odd_day")
_ONE_REPORT = """
import resource, sys, time
from sabot.web.reports.asks import MakeReport
from sabot.web.reports.report_process import answered
place, from_ms, to_ms = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
answered(place, MakeReport("T1", to_ms, to_ms, "bench", 0))
taken = []
for _ in range(3):
    started = time.process_time()
    made = answered(place, MakeReport("T1", from_ms, to_ms, "bench", 0))
    taken.append(time.process_time() - started)
assert made.json
print(min(taken), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


class _Measured(NamedTuple):
    sums_s: float
    """CPU time of adding up, for each coup."""
    reports: dict[str, tuple[float, float]]
    """CPU time in milliseconds and memory in megabytes of each report."""


def measure() -> Iterator[Row]:
    few, day = _measured(200), _measured(2_000)
    yield row("sums_by_coup", 1000 * day.sums_s, "ms", 1000 * _coup_s())
    yield from _rows(2_000, day, few)


def measure_long() -> Iterator[Row]:
    few = _measured(200)
    for coups in map(int, os.environ.get("SABOT_BENCH_COUPS", "20000 200000").split()):
        yield from _rows(coups, _measured(coups), few)


def _rows(coups: int, measured: _Measured, few: _Measured) -> Iterator[Row]:
    for name in REPORTS:
        (cpu, memory), (least_cpu, least_memory) = measured.reports[name], few.reports[name]
        yield row(f"report_{name}_at_{coups}", cpu, "ms", least_cpu)
        yield row(f"report_{name}_memory_at_{coups}", memory, "MB", least_memory)


def _measured(coups: int) -> _Measured:
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as folder:
        place = str(Path(folder) / "table.journal")
        _write_stream(place, coups)
        sums_s = asyncio.run(_keep(place)) / coups
        end = FIRST_MS + coups * COUP_MS
        periods = {
            "day": (end - DAY_MS, end),
            "all": (0, end),
            "odd_day": (end - DAY_MS + 7 * COUP_MS, end - 7 * COUP_MS),
        }
        return _Measured(sums_s, {name: _report(place, *periods[name]) for name in REPORTS})


async def _keep(place: str) -> float:
    """Keep all sums; returns the CPU time that adding them up took."""
    journal, waiting = await open_journal(place), list[Derived]()
    started, writing = time.process_time(), 0.0
    async for one in SumReader(journal, STREAM).missing():
        waiting.append(one)
        if len(waiting) >= 100:
            before = time.process_time()
            await journal.keep(waiting)
            waiting.clear()
            writing += time.process_time() - before
    taken = time.process_time() - started - writing
    await journal.keep(waiting)
    await journal.close()
    return taken


def _report(place: str, from_ms: int, to_ms: int) -> tuple[float, float]:
    words = [sys.executable, "-c", _ONE_REPORT, place, str(from_ms), str(to_ms)]
    told = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()  # noqa: S603  Our own.
    return 1000 * float(told[0]), int(told[1]) / 1024


def _coup_s() -> float:
    """The CPU time of deciding, applying and writing down one coup, without journal, sockets and views."""
    started = time.process_time()
    play_coups()
    return (time.process_time() - started) / PLAYED


class _Template(NamedTuple):
    opening: list[Entry]
    coups: list[list[Entry]]


def _write_stream(place: str, coups: int) -> None:
    """Write a journal of so many coups."""
    asyncio.run(_write(place, coups))


async def _write(place: str, coups: int) -> None:
    template = play_coups()
    journal = await open_journal(place)
    owned = await take(journal, STREAM, "bench", 60_000)
    assert isinstance(owned, Ownership)
    head = await append(journal, owned.head, [started_entry(Started("bench"), "bench", 1, FIRST_MS), *template.opening])
    for first in range(0, coups, PLAYED):
        entries = [
            again(entry, first, FIRST_MS + (first + place) * COUP_MS)
            for place, coup in enumerate(template.coups[: coups - first])
            for entry in coup
        ]
        head = await append(journal, head, entries)
    await journal.close()


def again(entry: Entry, first: int, at_ms: int) -> Entry:
    """The same a number of coups later."""
    answer = _COUP.sub(lambda found: b'"coup":%d' % (int(found[1]) + first), bytes(entry.answer))
    return Entry(f"{entry.key}/{first}", entry.actor, entry.second_actor, at_ms, msgspec.Raw(answer))


async def append(journal: Journal, head: Head, entries: list[Entry]) -> Head:
    records = head.then(1, entries)
    assert isinstance(await journal.append(STREAM, head.version, records), Appended)
    return head_after(records[-1])


def play_coups() -> _Template:
    """The opening of the table, and its 25 coups."""
    table = _Table()
    table.open()
    for station in STATIONS:
        table.do(acts.BuyIn(station=station, cents=10**9), _DEALER)
    opening = table.drained()
    return _Template(opening, [table.coup() for _ in range(PLAYED)])


def play_day(coups: int) -> _Template:
    """The opening of the table; then its patrons come, who all gave a reference, so many coups, and they go."""
    table = _Table()
    table.open()
    opening = table.drained()
    for number, station in enumerate(STATIONS):
        table.do(acts.BuyIn(station=station, cents=10**8, patron=f"P{number}"), _DEALER)
    parts = [table.drained(), *(table.coup() for _ in range(coups))]
    for station in STATIONS:
        table.do(acts.Leave(), Stamp(by=station, role=Role.STATION))
        table.do(acts.Pay(station=station), _DEALER)
    return _Template(opening, [*parts, table.drained()])


class _Table:
    """A table that is told acts and asked for no answers."""

    def __init__(self) -> None:
        stations = {name: StationPart(approval="bench") for name in STATIONS}
        act = acts.Configure(configuration=msgspec.structs.replace(fixture("crown"), stations=stations))
        decision = decide(UNCONFIGURED, act, operator_stamp())
        assert not isinstance(decision, Refused), decision
        self._state = evolve(UNCONFIGURED, decision[0])
        self._chance, self._n = random.Random(6), 1
        self._entries = [_dated(entry_of("console/1", act, operator_stamp(), decision))]

    def open(self) -> None:
        """Until a first coup can be played."""
        self.do(acts.SignOn(), msgspec.structs.replace(_DEALER, sign_on=1))
        self.do(acts.OpenTable(), msgspec.structs.replace(_DEALER, build="bench"))
        self.do(acts.CheckCards(cards=416), _SUPERVISOR)
        self.do(acts.NewShoe(), _DEALER)
        self.do(acts.Cut(at=200), _SUPERVISOR)
        self.do(acts.Burn(), _DEALER)

    def drained(self) -> list[Entry]:
        entries, self._entries = self._entries, []
        return entries

    def do(self, act: acts.Act, stamp: Stamp) -> None:
        assert self._tries(act, stamp), act

    def _tries(self, act: acts.Act, stamp: Stamp) -> bool:
        self._n += 1
        decision = decide(self._state, act, stamp)
        self._entries.append(_dated(entry_of(f"console/{self._n}", act, stamp, decision)))
        if isinstance(decision, Refused):
            return False
        self._state = fold(decision, self._state)
        return True

    def coup(self) -> list[Entry]:
        """A coup with a wager or two at each station."""
        chance = self._chance
        self.do(acts.Open(), _DEALER)
        for place, station in enumerate(STATIONS):
            stamp = Stamp(by=station, role=Role.STATION)
            cents = chance.randrange(2_500, 20_001, 500)
            self.do(acts.SetWager(bet=Bet(chance.choice(("player", "banker"))), cents=cents), stamp)
            if place % 2:
                self.do(acts.SetWager(bet=Bet("tie"), cents=500), stamp)
        self.do(acts.Close(), _CLOSES)
        while self._state.coup is not None and next_card(self._state.coup.cards) is not None:
            self._tries(acts.Card(card=chance.choice(DECK).notation), _DEALER)
        self.do(acts.Confirm(), _DEALER)
        return self.drained()


def _dated(entry: Entry) -> Entry:
    return msgspec.structs.replace(entry, at_ms=FIRST_MS)
