"""A light: what one detector says about one subject at a table."""

import enum

import msgspec

from sabot.basics.phrase import Phrase


class Kind(enum.StrEnum):
    """What a light is about. Its subject is named beside it."""

    RETURN_OF_BET = "return_of_bet"
    RETURN_OF_TABLE = "return_of_table"
    RETURN_OF_DEALER = "return_of_dealer"
    RETURN_OF_SEAT = "return_of_seat"
    CENSUS = "census"
    SLUG = "slug"
    """A stretch of an earlier shoe played again, in order or riffled."""
    CLUMPS = "clumps"
    REPEATS = "repeats"
    SOURCE = "source"
    """The random source of virtual shoes."""
    LATE_WAGERS = "late_wagers"
    CORRECTIONS = "corrections"
    VOIDS = "voids"
    CLAIMS = "claims"
    OPPOSED_SEATS = "opposed_seats"
    """Two seats that wager against each other with like amounts and move together."""
    FAVOURS = "favours"
    """A seat that wins too often with one dealer."""
    KNOWING = "knowing"
    """A seat that lays a bet just when the cards left favour it."""


class LightState(enum.StrEnum):
    QUIET = "quiet"
    WATCH = "watch"
    ALARM = "alarm"


class ReturnShown(msgspec.Struct, frozen=True, gc=False):
    """The actual return to patrons beside the theoretical one, as fractions of the turnover."""

    turnover_cents: int
    actual: float
    theoretical: float
    lower: float
    upper: float
    """Bounds of the mean return of the cards as they are dealt.

    An honest table has the theoretical one within them at all times, but in so many cases as `budget.INTERVAL_MISSES`
    says.
    """


class Light(msgspec.Struct, frozen=True):
    kind: Kind
    table: str
    subject: str
    """A bet, a dealer, a seat, or two seats with a blank between them; empty for the table."""
    state: LightState
    evidence: float
    """The most that the evidence came to: by how much likelier what was seen is under the suspicion than at an honest
    table. An honest table reaches N in at most one of N days."""
    threshold: float
    """The evidence at which it is an alarm."""
    coups: int
    """How many coups, or shoes for a light of the shoe, it has seen."""
    seen: Phrase
    advice: Phrase
    returned: ReturnShown | None = None


WORST_FIRST = (LightState.ALARM, LightState.WATCH, LightState.QUIET)
