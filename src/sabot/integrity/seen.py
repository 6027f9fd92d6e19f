"""What the records of a table tell about its play: settled coups, finished shoes, and what was done about a coup.

A card is its place in `DECK` (suit by suit, from the ace up), so rank is `card % 13` and suit `card // 13`.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from sabot.odds.composition import Composition
from sabot.rules.terms import Terms

UNSEEN: Final = -1
"""A card that left the shoe and that nobody saw."""

LATE_MS: Final = 2_000
"""A wager that was last changed so shortly before wagering closed is told as late."""


class LateWager(msgspec.Struct, frozen=True, gc=False):
    """A wager that was changed in the last `LATE_MS` before wagering closed."""

    before_closing_ms: int
    added_cents: int
    """How much larger it became in that time; negative where it became smaller."""


class CoupSeen(msgspec.Struct, frozen=True, kw_only=True):
    """A coup as it was first settled for money."""

    table: str
    coup: int
    shoe: int
    at_ms: int
    """When it was settled."""
    dealer: str
    """The reference of who dealt it."""
    confirmed_by: str
    """Who confirmed the result: the dealer, or another person."""
    terms: Terms
    unseen: Composition | None
    """The cards that nobody had seen before the coup: those in the shoe, and those that were burned unseen.

    Any order of them is equally likely in an honest shoe. None where they are not known, or where a card that was known
    before opened the coup.
    """
    cards: tuple[int, ...]
    """The cards of the hands, in the order in which they left the shoe."""
    burned: tuple[int, ...] = ()
    """The cards burned since the coup before, in this order; `UNSEEN` for those that nobody saw."""
    stakes: Mapping[str, Mapping[str, int]]
    """Cents, by seat and bet."""
    nets: Mapping[str, Mapping[str, int]]
    """What each wager won for the patron after commission, in cents, by seat and bet; negative for a loss."""
    late: Mapping[str, Mapping[str, LateWager]] = {}
    """The late wagers, by seat and bet."""
    open_ms: int = 0
    """For how long wagering was open; 0 where that is not known."""


class ShoeSeen(msgspec.Struct, frozen=True, kw_only=True):
    """A shoe that has ended."""

    table: str
    shoe: int
    at_ms: int
    decks: int
    virtual: bool
    whole: bool
    """Whether it was read from its shuffle on, and every card that left it is told in its place."""
    cards: tuple[int, ...]
    """All that left it, in order; `UNSEEN` where nobody saw it. Cards that never left are not told."""
    shuffled_by: str = ""


class VoidSeen(msgspec.Struct, frozen=True, kw_only=True):
    """A coup that was voided, or played as a dummy coup, with its wagers given back."""

    table: str
    coup: int
    shoe: int
    at_ms: int
    dealer: str
    by: str
    cards: int
    """How many of its cards were known by then."""
    stakes: Mapping[str, Mapping[str, int]]
    """What was given back, in cents, by seat and bet."""


class CorrectionSeen(msgspec.Struct, frozen=True, kw_only=True):
    """A settled coup whose result was corrected, or that was made invalid."""

    table: str
    coup: int
    at_ms: int
    dealer: str
    """Who dealt the coup; empty where that is not known any more."""
    by: str
    moved: Mapping[str, int]
    """What each seat's account should change by, in cents."""
    invalidated: bool


class ClaimSeen(msgspec.Struct, frozen=True, kw_only=True):
    """A patron's claim about a coup."""

    table: str
    coup: int
    at_ms: int
    seat: str
    dealer: str
    """Who dealt that coup; empty where that is not known any more."""


WhatWasSeen = CoupSeen | ShoeSeen | VoidSeen | CorrectionSeen | ClaimSeen
