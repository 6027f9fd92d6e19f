"""The story of a coup, step by step, from which recall tells it to a station.

While the coup is played its steps are the events themselves. When the next one opens, touches are kept in short. They
are most of a story, and a recall needs only which wagers lay there and what the purse held.
"""

from collections import Counter
from collections.abc import Mapping
from functools import reduce

import msgspec

from sabot.basics.growing_list import GrowingList
from sabot.ledger.ledger import Purse
from sabot.rules.rule_set import Bet
from sabot.table import events as e

MOST_STEPS = 60
"""The newest steps of a coup that a station is told; the records have the others."""


class Happened(msgspec.Struct, frozen=True, gc=False):
    """An event, with the purses that it may have touched as they were afterwards."""

    number: int
    at_ms: int
    event: e.Event
    purses: Mapping[str, Purse]


class TouchInShort(msgspec.Struct, frozen=True, gc=False):
    """A touch on a layout, and the station's purse after it."""

    number: int
    at_ms: int
    station: str
    clause: str
    laid: tuple[tuple[Bet, int], ...]
    balance: int
    wagered: int
    held: int


Steps = GrowingList[Happened | TouchInShort]


class Story(msgspec.Struct, frozen=True, gc=False):
    """The events of a coup from its opening on, with its later corrections."""

    coup: int
    shoe: int
    steps: Steps = GrowingList()


def shortened(story: Story) -> Story:
    """The story of a coup that is over: touches in short, and no more of them than a station can be told."""
    touches: Counter[str] = Counter()
    kept: list[Happened | TouchInShort] = []
    for step in reversed(list(story.steps)):
        if not isinstance(step, Happened) or type(step.event) is not e.WagersChanged:
            kept.append(step)
            continue
        touches[step.event.station] += 1
        if touches[step.event.station] <= MOST_STEPS:
            kept.append(_in_short(step, step.event))
    return msgspec.structs.replace(story, steps=reduce(GrowingList.then, reversed(kept), Steps()))


def _in_short(step: Happened, touch: e.WagersChanged) -> TouchInShort:
    purse = step.purses[touch.station]
    laid = tuple((bet, cents) for bet, cents in touch.after.items() if cents)
    return TouchInShort(
        *(step.number, step.at_ms, touch.station, touch.clause, laid, purse.balance, purse.wagered, purse.held)
    )
