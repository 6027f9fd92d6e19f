"""The story of a coup, step by step, from which recall tells it to a station.

Its steps are the events themselves, but for touches, which are most of a story. They are kept in short: a recall needs
only which wagers lay there and what the purse held.
"""

from collections import Counter
from collections.abc import Mapping

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


def in_short(number: int, at_ms: int, touch: e.WagersChanged, purse: Purse) -> TouchInShort:
    """A touch, with the station's purse after it."""
    laid = tuple([(bet, cents) for bet, cents in touch.after.items() if cents])
    return TouchInShort(number, at_ms, touch.station, touch.clause, laid, purse.balance, purse.wagered, purse.held)


def shortened(story: Story) -> Story:
    """The story of a coup that is over, with no more touches of a station than it can be told."""
    touches = Counter(step.station for step in story.steps if type(step) is TouchInShort)
    if not touches or max(touches.values()) <= MOST_STEPS:
        return story
    kept = Steps()
    for step in story.steps:
        if type(step) is TouchInShort:
            touches[step.station] -= 1
            if touches[step.station] >= MOST_STEPS:
                continue
        kept = kept.then(step)
    return msgspec.structs.replace(story, steps=kept)
