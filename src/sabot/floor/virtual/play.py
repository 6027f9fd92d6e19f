"""A table that plays by itself: the virtual dealer and some robots take turns, on a clock that nobody waits for.

The caller fetches the shoe, since files and randomness are at the edge, and may sleep between the turns.
"""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from sabot.floor.lines.answer import LineAnswer
from sabot.floor.lines.table import LineTable
from sabot.floor.virtual.dealer import Crew, DealerHand, FetchShoe, LostShoe, Manner, next_act
from sabot.floor.virtual.robots import Robot, seen_at
from sabot.floor.virtual.shoe import VirtualShoe
from sabot.table.acts import Act
from sabot.table.events import CoupDecided

Fetch = Callable[[FetchShoe], VirtualShoe | LostShoe]


class Turn(msgspec.Struct, frozen=True):
    """An act that was given, and what the table answered."""

    act: Act
    answer: LineAnswer
    waited_ms: int
    """How long after the turn before it."""


def play(table: LineTable, crew: Crew, manner: Manner, robots: Sequence[Robot], fetch: Fetch) -> Iterator[Turn]:
    """Turn after turn, until a person or a patron is needed, or the table refuses the dealer."""
    hand: DealerHand = None
    last_winner = ""
    while True:
        act = next_act(table.state, hand, crew, manner, table.now_ms)
        if act is None:
            return
        if isinstance(act, FetchShoe):
            hand = fetch(act)
            continue
        waited = max(0, act.at_ms - table.now_ms)
        turn = Turn(act.act, table.give(act.act, act.by, at_ms=act.at_ms, second=act.second), waited)
        yield turn
        if not turn.answer.ok:
            return
        for event in turn.answer.events:
            if isinstance(event, CoupDecided) and not event.dummy:
                last_winner = event.winner
        for robot in robots:
            for move in robot.moves(seen_at(table.state, robot.station, last_winner)):
                yield Turn(move, table.give(move, robot.station), 0)
