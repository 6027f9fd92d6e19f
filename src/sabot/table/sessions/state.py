"""What a table remembers of a tournament: that it is reserved, the session that is on, and the sessions that were."""

import enum
from collections.abc import Mapping

import msgspec

from sabot.basics.growing_list import GrowingList
from sabot.rules.limits import Limits
from sabot.rules.rule_set import Bet
from sabot.table.sessions.terms import SessionTerms


class SeatStatus(enum.StrEnum):
    EXPECTED = "expected"
    """Drawn, and not there yet."""
    PLAYING = "playing"
    BUST = "bust"
    CLOSED = "closed"


class SessionStage(enum.StrEnum):
    OPEN = "open"
    PLAYED = "played"
    """No further wagering; claims and corrections are still made in credits."""


class Reservation(msgspec.Struct, frozen=True, gc=False):
    tournament: str
    title: Mapping[str, str]
    limits: Mapping[Bet, Limits]
    since_ms: int
    sign_until_ms: int
    """A session opens from here on: a raised minimum has its sign for 20 minutes (G-129)."""


class SeatInSession(msgspec.Struct, frozen=True, gc=False):
    entrant: int
    patron: str
    substitute: str
    status: SeatStatus
    warnings: int = 0


class SessionScore(msgspec.Struct, frozen=True, gc=False):
    """The scores after a counted coup."""

    counted: int
    coup: int
    revision: int
    """The revision of the session at which these figures last changed."""
    scores: Mapping[int, int]
    """By entrant's number."""


class KeptSession(msgspec.Struct, frozen=True, gc=False):
    """A session that is over: what its tournament was told, and what corrections made of it since (G-133)."""

    terms: SessionTerms
    revision: int
    counted: int
    scores: tuple[SessionScore, ...]
    seats: Mapping[str, SeatInSession]
    first_coup: int
    last_coup: int


class SeatNews(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What a table tells the tournament of a seat."""

    entrant: int
    present: bool = True
    bust: bool = False
    closed: bool = False
    agreed: bool = False
    warnings: int = 0


EMPTY_SCORES: GrowingList[SessionScore] = GrowingList()
