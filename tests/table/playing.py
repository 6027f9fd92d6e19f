"""A table that is ready, with money at its stations, and coups to play at it."""

from collections.abc import Sequence
from typing import Any

import msgspec

from sabot.floor.lines.table import LineFloor, LineTable
from sabot.rules.coup import Coup
from sabot.table.events import Event
from sabot.table.evolve import evolve, fold
from sabot.table.fixtures import fixture
from sabot.table.state import UNCONFIGURED, TableState

SEATS = {True: ("A1", "A2"), False: ("P1", "P2")}


def table_with_money(identity: str) -> LineTable:
    crown = identity.startswith("crown")
    configuration = fixture("crown" if crown else "singapore")
    table = LineFloor().enter(msgspec.structs.replace(configuration, rule_set=identity))
    lines: list[dict[str, Any]] = [
        {"do": "sign_on", "by": "D1"},
        {"do": "open_table", "by": "D1"},
        {"do": "check_cards", "by": "GS1", "cards": 416},
        {"do": "new_shoe", "by": "D1"},
        {"do": "cut", "by": "GS1", "at": 208},
        {"do": "burn", "by": "D1"},
        *({"do": "buy_in", "by": "D1", "station": seat, "cents": 100_000} for seat in SEATS[crown]),
    ]
    for line in lines:
        assert table.answer(line).ok
    return table


def play_coup(table: LineTable, layouts: list[dict[str, int]], coup: Coup) -> None:
    """Each layout at a seat of its own; the pairs last, because under CROWN they need another wager first."""
    assert table.answer({"do": "open", "by": "D1"}).ok
    crown = "A1" in table.state.stations
    for seat, layout in zip(SEATS[crown], layouts, strict=False):
        for bet in sorted(layout, key=lambda bet: bet.endswith("pair")):
            answer = table.answer({"do": "set_wager", "by": seat, "station": seat, "bet": bet, "cents": layout[bet]})
            assert answer.ok, answer.refusal
    assert table.answer({"do": "close", "by": "D1"}).ok
    for card in coup.cards:
        assert table.answer({"do": "card", "by": "D1", "card": card.notation}).ok
    assert table.answer({"do": "confirm", "by": "D1"}).ok


def whole(history: Sequence[Event]) -> TableState:
    """The state that a table's whole history leads to."""
    return fold(history[1:], evolve(UNCONFIGURED, history[0]))


def put_into(table: LineTable, state: TableState, now_ms: int = 0) -> None:
    """Put a table into a state that no play leads to, at a time not before `now_ms`."""
    term = table._owner.term  # noqa: SLF001  No act does this, so the table offers no way to it.
    assert term is not None
    term.state = state
    table._clock.at_ms = max(now_ms, table.now_ms)  # noqa: SLF001  The same.
