"""What a table's state has of a tournament: that it is reserved, the session that is on, and the sessions that were."""

import enum
from collections.abc import Mapping

import msgspec

from sabot.basics.growing_list import GrowingList
from sabot.ledger.ledger import Ledger
from sabot.ledger.meters import Meters
from sabot.rules.limits import Limits
from sabot.rules.rule_set import Bet
from sabot.table.sessions.terms import SessionTerms

MINUTE_MS = 60_000


class SeatStatus(enum.StrEnum):
    EXPECTED = "expected"
    """Drawn, and not there yet."""
    PLAYING = "playing"
    BUST = "bust"
    """Of a session that is over: the balance was below every minimum. While a session is on, `is_bust` tells it."""
    CLOSED = "closed"
    """The entrant's play ended before the session did."""
    ABSENT = "absent"
    """The seat was closed before the entrant came."""


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
    control: int = 0
    """Its control session at the table, or 0 before the entrant came; by it earlier coups are known."""
    warnings: int = 0
    score: int = 0
    """Of a seat that is closed: what it had when it closed, after later corrections."""
    closing: str = ""
    """Why it closes as soon as its wagers are settled, if it does."""


class SessionScore(msgspec.Struct, frozen=True, gc=False):
    """The scores after a counted coup."""

    counted: int
    coup: int
    revision: int
    """The revision of the session at which these figures last changed."""
    scores: Mapping[int, int]
    """By entrant's number."""


EMPTY_SCORES: GrowingList[SessionScore] = GrowingList()


class MoneyAside(msgspec.Struct, frozen=True, gc=False):
    """The table's money and its limits while a session is on; they come back as they were."""

    ledger: Ledger
    meters: Mapping[str, Meters]
    offered: frozenset[Bet]
    limits: Mapping[Bet, Limits]
    minimums: Mapping[Bet, int]
    aggregate_minimum: int


class SessionState(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The session that is on. Its credits are in the table's ledger, which is of credits meanwhile."""

    terms: SessionTerms
    stage: SessionStage = SessionStage.OPEN
    money: MoneyAside
    seats: Mapping[str, SeatInSession]
    """By station."""
    opened_ms: int
    first_coup: int
    counted: int
    revision: int = 0
    """It rises whenever a score or a seat changes, so that the tournament is told what is new."""
    scores: GrowingList[SessionScore] = EMPTY_SCORES
    forfeits: Mapping[int, Mapping[str, int]] = {}
    """What stations forfeited in each coup, so that an invalid coup gives it back."""
    agreed: tuple[str, ...] = ()
    """The stations whose entrants agree to end now (CROWN 12.3.5(b)); it lapses when wagering opens (G-128)."""
    orders: tuple[int, ...] = ()
    """The orders of the tournament that were done."""
    went: Mapping[str, str] = {}
    """Where entrants went on who were moved from the station that they drew (G-184)."""

    def now_at(self, station: str) -> str:
        """The station at which the entrant plays who drew this one."""
        return self.went.get(station, station)

    def moved(self, station: str, target: str) -> "SessionState":
        """The session once an entrant goes on at another station."""
        if station not in self.seats:
            return self

        def named(name: str) -> str:
            return target if name == station else name

        went = {drawn: named(now) for drawn, now in self.went.items()}
        return msgspec.structs.replace(
            self,
            seats={named(name): seat for name, seat in self.seats.items()},
            forfeits={coup: {named(name): lost for name, lost in of.items()} for coup, of in self.forfeits.items()},
            agreed=tuple(named(name) for name in self.agreed),
            went=went if station in self.went.values() else {**went, station: target},
            revision=self.revision + 1,
        )

    @property
    def left(self) -> int | None:
        """The scheduled coups that are still to count; None where only the time is scheduled."""
        return None if self.terms.coups is None else max(0, self.terms.coups - self.counted)

    @property
    def ends_ms(self) -> int | None:
        """From when on no wagering opens, where the time is scheduled (G-124)."""
        return None if self.terms.minutes is None else self.opened_ms + self.terms.minutes * MINUTE_MS

    def is_over(self, at_ms: int) -> bool:
        """Whether the scheduled coups are played or the scheduled time is up, whichever comes first (G-124)."""
        return self.left == 0 or (self.ends_ms is not None and at_ms >= self.ends_ms)

    def times_out_at(self, at_ms: int) -> bool:
        """Whether its scheduled time is up, and it is not played yet."""
        return self.stage is SessionStage.OPEN and self.ends_ms is not None and at_ms >= self.ends_ms

    @property
    def sitting(self) -> str:
        return self.terms.sitting

    @property
    def open_seats(self) -> dict[str, SeatInSession]:
        return {name: seat for name, seat in self.seats.items() if seat.status is SeatStatus.PLAYING}


OVER = frozenset({SeatStatus.CLOSED, SeatStatus.ABSENT})
"""Of a session that is on: the seats that nobody takes again."""


class KeptSession(msgspec.Struct, frozen=True, gc=False):
    """A session that is over: what its tournament was told, and what corrections made of it since (G-133)."""

    terms: SessionTerms
    revision: int
    counted: int
    scores: tuple[SessionScore, ...]
    seats: Mapping[str, SeatInSession]
    first_coup: int
    last_coup: int
    orders: tuple[int, ...] = ()
    forfeits: Mapping[int, Mapping[str, int]] = {}
    """What stations forfeited in each coup."""


class SeatNews(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What a table tells the tournament of a seat."""

    entrant: int
    present: bool = True
    bust: bool = False
    closed: bool = False
    agreed: bool = False
    warnings: int = 0
    owed: int = 0
    """What is owed after corrections, in hundredths of a credit (G-126)."""
