"""A table of fifty stations after 200, 2,000 and 20,000 coups: start, snapshot, state and one coup must not grow.

Every coup all stations wager and one patron is paid and succeeded by another. The coups are applied as events, without
deciding each again. The baseline of every row is the same figure after 200 coups. The long form measures a table of
200,000 coups too, which takes minutes.
"""

import asyncio
import gc
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from sabot.basics.stamp import Stamp
from sabot.cli.stopwatch import Row, row, seconds
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.records.recovery import snapshot_at, table_mark
from sabot.floor.records.shelf import SHELVED_TO, fallen
from sabot.floor.table_owner.errands import Backing
from sabot.journal.journal import Derived
from sabot.journal.memory import MemoryJournal
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table import events as e
from sabot.table.configuration import StationPart
from sabot.table.decide import decide
from sabot.table.evolve import TRIMMING, evolve
from sabot.table.fixtures import fixture
from sabot.table.refusal import Refused
from sabot.table.role import Role
from sabot.table.snapshot import read_state, write_state
from sabot.table.state import TableState

STATIONS = [f"A{number}" for number in range(1, 51)]
A_SHORT_LIFE = 200
COUPS = (A_SHORT_LIFE, 2_000, 20_000)
A_LONG_LIFE = 200_000
A_TIE = ("7S", "7H", "KD", "KC")
"""Player and Banker have seven points each and stand: wagers on both go back, so nobody's money runs out."""
BUILD = "bench"
NAMED = {"start": "ms", "snapshot": "ms", "snapshot_size": "KB", "state": "MB", "coup": "ms"}


class Figures(NamedTuple):
    start_ms: float
    snapshot_ms: float
    snapshot_kb: float
    state_mb: float
    coup_ms: float


def measure() -> Iterator[Row]:
    yield from _measured(COUPS)


def measure_long() -> Iterator[Row]:
    yield from _measured((A_LONG_LIFE,))


def _measured(coups: Sequence[int]) -> Iterator[Row]:
    table = _open_table()
    told = _a_coup(table)
    state = _after(table.state, told, A_SHORT_LIFE)
    first = _figures(state)
    for number in coups:
        state = _after(state, told, number)
        figures = _figures(state)
        for name, value, baseline in zip(NAMED, figures, first, strict=True):
            yield row(f"{name}_after_{number}_coups", value, NAMED[name], baseline)


def _open_table() -> LineTable:
    parts = {station: StationPart(approval="bench") for station in STATIONS}
    table = LineFloor(_backing(MemoryJournal(lambda: 0))).enter(replace(fixture("crown"), stations=parts))
    for by, act in (
        ("D1", acts.SignOn()),
        ("D1", acts.OpenTable()),
        ("GS1", acts.CheckCards(cards=416)),
        ("D1", acts.NewShoe()),
        ("GS1", acts.Cut(at=200)),
        ("D1", acts.Burn()),
        *(("D1", acts.BuyIn(station=station, cents=1_000_000)) for station in STATIONS),
    ):
        _give(table, by, act)
    return table


def _backing(journal: MemoryJournal) -> Backing:
    return Backing(journal=journal, owner="bench", build=BUILD, wall_ms=lambda: 0)


def _give(table: LineTable, by: str, act: acts.Act) -> None:
    answer = table.give(act, by)
    assert answer.ok, (act, answer.refusal)


def _play_coup(table: LineTable) -> None:
    _give(table, "D1", acts.Open())
    for station in STATIONS:
        _give(table, station, acts.SetWager(bet=Bet("player"), cents=5_000))
    _give(table, "D1", acts.Close())
    for card in A_TIE:
        _give(table, "D1", acts.Card(card=card))
    _give(table, "D1", acts.Confirm())


def _a_coup(table: LineTable) -> list[e.Event]:
    """The events of a coup at which all stations wager and nobody wins."""
    noted = len(table.records)
    _play_coup(table)
    return [event for record in table.records[noted:] for event in record.events]


def _after(state: TableState, told: Sequence[e.Event], coups: int) -> TableState:
    """The state after that many coups, each with the same cards of the same shoe.

    What falls out of it is worked out, as an owner does, and let go.
    """
    shoe = state.shoe
    while state.coups < coups:
        number, before = state.coups + 1, state
        for event in told:
            before, state = state, evolve(state, _numbered(event, number))
            if type(event) in TRIMMING:
                list(fallen(before, state))
        state = replace(_with_another_patron(state, STATIONS[number % 50]), shoe=shoe)
    return state


def _numbered(event: e.Event, number: int) -> e.Event:
    return replace(event, coup=number) if hasattr(event, "coup") else event


def _with_another_patron(state: TableState, station: str) -> TableState:
    dealer = Stamp(by="D1", role=Role.DEALER, at_ms=1)
    paid = (acts.Leave(station=station), acts.Pay(station=station), acts.BuyIn(station=station, cents=1_000_000))
    for act in paid:
        decision = decide(state, act, dealer)
        assert not isinstance(decision, Refused), decision
        for event in decision:
            state = evolve(state, event)
    return state


def _figures(state: TableState) -> Figures:
    written = write_state(state)
    return Figures(
        start_ms=_start_ms(state),
        snapshot_ms=1_000 * seconds(lambda: write_state(state)),
        snapshot_kb=len(written) / 1_000,
        state_mb=_memory_mb(written),
        coup_ms=_coup_ms(state),
    )


def _memory_mb(written: bytes) -> float:
    gc.collect()
    tracemalloc.start()
    state = read_state(written)
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert state.coups
    return held / 1e6


def _start_ms(state: TableState) -> float:
    """A table taken over from its newest snapshot, with a few records behind it."""
    taken = []
    for _ in range(3):
        journal = _kept(state)
        started = time.process_time()
        LineFloor(_backing(journal)).enter(state.configuration)
        taken.append(time.process_time() - started)
    return 1_000 * min(taken)


def _kept(state: TableState) -> MemoryJournal:
    """A journal with the records of an opening and a snapshot that says that the table has had these coups."""
    journal = MemoryJournal(lambda: 0)
    floor = LineFloor(_backing(journal))
    table = floor.enter(state.configuration)
    asyncio.run(floor.close())
    head = asyncio.run(journal.head("table/" + table.name))
    shelved = Derived(head.stream, SHELVED_TO, head.version, b"")
    asyncio.run(journal.keep([shelved]))
    asyncio.run(journal.save_snapshot(snapshot_at(head, table_mark(state, 0, 1))))
    return journal


def _coup_ms(state: TableState) -> float:
    """A coup through the owner, with every record written to a journal in memory."""
    table = LineFloor(_backing(_kept(state))).enter(state.configuration)
    return 1_000 * seconds(lambda: _play_coup(table), 3)
