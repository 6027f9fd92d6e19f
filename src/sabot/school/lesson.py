"""A lesson: the cards of a shoe, patrons with their wagers, and what is staged.

A lesson says what physically happens and never what is right: that follows from the table's own rules. It is a TOML
file; fourteen come with Sabot.
"""

import re
from typing import Annotated, Literal

import msgspec

from sabot.rules.hand import Side
from sabot.rules.rule_set import Bet
from sabot.school.words import LessonWords
from sabot.table.cases.acts import ClaimReason

MOST_COUPS = 60
_Name = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9-]{0,39}$")]
_Station = Annotated[str, msgspec.Meta(pattern=r"^A[1-4]$")]
_Cents = Annotated[int, msgspec.Meta(ge=0, le=10**9)]
_Coup = Annotated[int, msgspec.Meta(ge=1, le=MOST_COUPS)]
_Moment = Annotated[str, msgspec.Meta(pattern=r"^(before|wagering|closed|card [1-6]|settled)$")]
WHOLE = 1_000
"""Steps from a coup to the next, in the order of moments."""


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of a lesson: a key that it does not know is refused."""


class SeatedPatron(_Part, frozen=True, kw_only=True):
    brings: _Cents = 100_000
    """What the patron has bought in for when the lesson begins; 0 for one who comes later."""
    wagers: tuple[dict[Bet, _Cents], ...] = ()
    """What lies on the layout in each coup, from the first on, and from the start again after the last."""

    def wagers_in(self, coup: int) -> dict[Bet, int]:
        return dict(self.wagers[(coup - 1) % len(self.wagers)]) if self.wagers else {}


class Staged(_Part, frozen=True, kw_only=True, tag_field="what"):
    """Something that is staged at a moment of a coup."""

    coup: _Coup
    """Counted from the first coup of the lesson that is opened for wagers."""
    at: _Moment
    """Before the coup opens, while wagers are open, after the close, after a card, or after the settlement."""
    told: LessonWords | None = None
    """What the trainee is told, where the school's own phrase does not serve."""

    @property
    def moment(self) -> int:
        """Its place in the order of all moments of a lesson."""
        if self.at == "before":
            return (self.coup - 1) * WHOLE + WHOLE - 1
        if self.at.startswith("card"):
            return self.coup * WHOLE + 1 + int(self.at.split()[1])
        return self.coup * WHOLE + {"wagering": 0, "closed": 1, "settled": WHOLE - 1}[self.at]


class StagedFact(Staged, frozen=True, kw_only=True, tag="fact"):
    """A fact of the cards: what physically happened, in the words in which the table takes it."""

    kind: str
    cards: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0
    """How many cards are out and not entered; they are the next of the shoe."""
    hand: Side | None = None
    reconstructible: bool | None = None
    order_known: bool | None = None
    count: int | None = None


class Misread(Staged, frozen=True, kw_only=True, tag="misread"):
    """The scanner enters another card than the one that is drawn."""

    card: str


class CashLaid(Staged, frozen=True, kw_only=True, tag="cash"):
    """A patron lays cash on the table, to buy in."""

    station: _Station
    cents: Annotated[int, msgspec.Meta(ge=1, le=10**9)]


class PatronLeaves(Staged, frozen=True, kw_only=True, tag="leaves"):
    """A patron asks at the station to leave, and must be paid."""

    station: _Station


class PatronClaims(Staged, frozen=True, kw_only=True, tag="claims"):
    """A patron claims at the station that something was wrong with a coup of the lesson."""

    station: _Station
    about: _Coup
    reason: ClaimReason = ClaimReason.WRONG_CARD


class PatronCalls(Staged, frozen=True, kw_only=True, tag="calls"):
    """A patron calls for an attendant at the station."""

    station: _Station


class StationFails(Staged, frozen=True, kw_only=True, tag="fails"):
    """A station goes dark."""

    station: _Station


AnyStaged = StagedFact | Misread | CashLaid | PatronLeaves | PatronClaims | PatronCalls | StationFails


class Lesson(_Part, frozen=True, kw_only=True):
    id: _Name
    title: LessonWords
    intro: LessonWords
    rule_set: str = "crown-traditional"
    decks: Annotated[int, msgspec.Meta(ge=1, le=8)] = 8
    table: Literal["open", "closed"] = "open"
    """Whether the trainee finds a shoe in play, or opens the table."""
    coups: _Coup
    """How many coups are opened for wagers."""
    dealt_before: Annotated[int, msgspec.Meta(ge=0, le=MOST_COUPS)] = 0
    """How many of them, from the first on, a colleague deals while the trainee looks on."""
    wagering_seconds: Annotated[int, msgspec.Meta(ge=5, le=600)] = 60
    cards: tuple[str, ...] = ()
    """The first cards of the shoe after the burn, in the order of drawing, several in a text with blanks between."""
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**53)] = 1
    """Decides the order of the cards behind these."""
    patrons: Annotated[dict[_Station, SeatedPatron], msgspec.Meta(min_length=1)]
    happens: tuple[AnyStaged, ...] = ()

    @property
    def stated(self) -> tuple[str, ...]:
        return tuple(re.split(r"\s+", " ".join(self.cards).strip())) if self.cards else ()
