"""A table that plays by itself: the virtual dealer and some robots take turns, on a clock that nobody waits for.

Whoever shows it to people sleeps between the turns; whoever tests takes them as they come. The shoe is fetched by the
one who plays, since files and randomness are at the edge.
"""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from sabot.floor.virtual.dealer import Crew, FetchShoe, Hand, Line, Lost, Manner, next_act
from sabot.floor.virtual.robots import Robot, seen_at
from sabot.floor.virtual.shoe import VirtualShoe
from sabot.table.conversation import Answer, Conversation
from sabot.table.events import CoupDecided

Fetch = Callable[[FetchShoe], VirtualShoe | Lost]


class Turn(msgspec.Struct, frozen=True):
    """A line that was said, and what the table answered."""

    line: Line
    answer: Answer
    waited_ms: int
    """How long after the turn before it."""


def play(talk: Conversation, crew: Crew, manner: Manner, robots: Sequence[Robot], fetch: Fetch) -> Iterator[Turn]:
    """Turn after turn, until a person or a patron is needed, or the table refuses the dealer."""
    hand: Hand = None
    last_winner = ""
    while True:
        act = next_act(talk.state, hand, crew, manner, talk.now_ms)
        if act is None:
            return
        if isinstance(act, FetchShoe):
            hand = fetch(act)
            continue
        turn = _said(talk, act.line, max(act.at_ms, talk.now_ms))
        yield turn
        if not turn.answer.ok:
            return
        for event in turn.answer.events:
            if isinstance(event, CoupDecided) and not event.dummy:
                last_winner = event.winner
        for robot in robots:
            for line in robot.lines(seen_at(talk.state, robot.station, last_winner)):
                yield _said(talk, line, talk.now_ms)


def _said(talk: Conversation, line: Line, at_ms: int) -> Turn:
    waited = at_ms - talk.now_ms
    return Turn(line, talk.answer({**line, "at_ms": at_ms}), waited)
