"""What happened at a table for a tournament. Amounts are hundredths of a credit, never money."""

from sabot.rules.limits import Limits
from sabot.rules.rule_set import Bet
from sabot.rules.terms import Settlement
from sabot.table.event import Event
from sabot.table.sessions.terms import SessionSeat, SessionTerms


class TableReserved(Event, frozen=True, kw_only=True):
    """The table is closed to cash play, and shows the limits of the tournament's sessions."""

    tournament: str
    title: dict[str, str]
    limits: dict[Bet, Limits]
    at_ms: int
    sign_until_ms: int
    clause: str


class TableReleased(Event, frozen=True, kw_only=True):
    tournament: str
    clause: str


class SessionOpened(Event, frozen=True, kw_only=True):
    """The money is put aside, and play goes on in credits."""

    terms: SessionTerms
    seats: dict[str, SessionSeat]
    first_coup: int
    at_ms: int
    clause: str


class SeatOpened(Event, frozen=True, kw_only=True):
    """An entrant takes the seat with these credits."""

    sitting: str
    station: str
    entrant: int
    patron: str
    substitute: str
    control: int
    credits: int
    order: int = 0
    at_ms: int
    clause: str


class SubstituteSeated(Event, frozen=True, kw_only=True):
    """Somebody else plays at an entrant's seat; the score stays the entrant's (CROWN 12.3.3)."""

    sitting: str
    station: str
    entrant: int
    substitute: str
    order: int
    clause: str


class CreditsAdded(Event, frozen=True, kw_only=True):
    sitting: str
    station: str
    entrant: int
    credits: int
    order: int
    clause: str


class CreditsForfeited(Event, frozen=True, kw_only=True):
    """Credits are lost: a compulsory wager was not made, or the entrant came late."""

    sitting: str
    station: str
    entrant: int
    coup: int
    """The coup in which the wager was missed; 0 for a late arrival."""
    credits: int
    clause: str


class ForfeitReturned(Event, frozen=True, kw_only=True):
    """The coup in which it was due has no effect, so neither has the forfeit (CROWN 13.4)."""

    sitting: str
    station: str
    entrant: int
    coup: int
    credits: int
    clause: str


class MissWarned(Event, frozen=True, kw_only=True):
    """An entrant did not make the compulsory wager of a coup, and it is on record."""

    sitting: str
    station: str
    entrant: int
    coup: int
    warnings: int
    """With this one."""
    clause: str


class SeatToClose(Event, frozen=True, kw_only=True):
    """The seat closes as soon as its wagers are settled."""

    sitting: str
    station: str
    entrant: int
    reason: str
    order: int = 0
    clause: str


class SeatClosed(Event, frozen=True, kw_only=True):
    """An entrant's play is over; the credits go back, and the score stays."""

    sitting: str
    station: str
    entrant: int
    credits: int
    score: int
    reason: str
    at_the_end: bool = False
    """Whether it closes because the session does."""
    order: int = 0
    clause: str


class ConclusionAgreed(Event, frozen=True, kw_only=True):
    sitting: str
    station: str
    entrant: int
    counted: int
    clause: str


class SessionScored(Event, frozen=True, kw_only=True):
    """The scores after a counted coup."""

    sitting: str
    coup: int
    counted: int
    left: int | None
    revision: int
    scores: dict[int, int]
    clause: str


class SessionRescored(Event, frozen=True, kw_only=True):
    """A correction changed the scores from a coup on, or took a coup out of the count."""

    sitting: str
    coup: int
    revision: int
    changes: dict[int, int]
    """By entrant, what is added to every score from that coup on."""
    uncounted: bool = False
    """Whether the coup no longer counts and another takes its place."""
    carried: dict[int, int] = {}
    """By entrant, what other decisions had added at a newest coup that no longer counts: the one before bears it."""
    clause: str


class SessionPlayed(Event, frozen=True, kw_only=True):
    """No further wagering opens in the session."""

    sitting: str
    counted: int
    why: str
    """coups, time, concluded, or agreed."""
    order: int = 0
    clause: str


class SessionClosed(Event, frozen=True, kw_only=True):
    """The credits are disposed of, and the money is back."""

    sitting: str
    counted: int
    revision: int
    scores: dict[int, int]
    balances: str
    """What the conditions make of them: cancelled, carried or cash (CROWN 12.2.1(b))."""
    order: int
    at_ms: int
    clause: str


class SessionCoupCorrected(Event, frozen=True, kw_only=True):
    """A coup of a session that is over is put right: its scores change, and nothing is booked (G-133)."""

    sitting: str
    coup: int
    settlements: dict[str, list[Settlement]]
    invalid: bool = False
    revision: int
    changes: dict[int, int]
    """By entrant."""
    reason: str = ""
    by: str
    clause: str


SessionEvent = (
    TableReserved
    | TableReleased
    | SessionOpened
    | SeatOpened
    | SubstituteSeated
    | CreditsAdded
    | CreditsForfeited
    | ForfeitReturned
    | MissWarned
    | SeatToClose
    | SeatClosed
    | ConclusionAgreed
    | SessionScored
    | SessionRescored
    | SessionPlayed
    | SessionClosed
    | SessionCoupCorrected
)
