"""What happened to seats and in sessions."""

import msgspec

from sabot.tournament.acts import ScoreNews, SeatTold
from sabot.tournament.event import TournamentEvent

# Seats


class DrawCommitted(TournamentEvent, frozen=True, kw_only=True):
    draw: str
    commitment: str


class Placed(msgspec.Struct, frozen=True, gc=False, array_like=True):
    entrant: int
    session: int
    table: str
    station: str


class SeatsDrawn(TournamentEvent, frozen=True, kw_only=True):
    round: str
    commitment: str
    seed: str
    words: str
    order: tuple[int, ...]
    places: tuple[Placed, ...]


class StartAltered(TournamentEvent, frozen=True, kw_only=True):
    round: str
    session: int
    to_ms: int


# Sessions


class SeatAllotted(msgspec.Struct, frozen=True, gc=False):
    entrant: int
    player: str
    credit: int
    present: bool
    substitute: str = ""


class SittingCalled(msgspec.Struct, frozen=True, gc=False):
    sitting: str
    table: str
    seats: dict[str, SeatAllotted]
    counted: int = 0


class SessionCalled(TournamentEvent, frozen=True, kw_only=True):
    round: str
    session: int
    version: int
    sittings: tuple[SittingCalled, ...]


class SittingNoted(TournamentEvent, frozen=True, kw_only=True):
    sitting: str
    table: str
    state: str
    why: str


class ScoreNoted(TournamentEvent, frozen=True, kw_only=True):
    sitting: str
    table: str
    revision: int
    counted: int
    left: int | None
    scores: tuple[ScoreNews, ...]
    seats: dict[str, SeatTold]
    claims_open: bool


class SessionEnded(TournamentEvent, frozen=True, kw_only=True):
    """The last sitting of the session is closed or abandoned."""

    round: str
    session: int


class ArrivalRecorded(TournamentEvent, frozen=True, kw_only=True):
    entrant: int
    order: int
    """Names what the table is asked to do for it; so do the orders below."""
    late: bool


class EntrantAbsent(TournamentEvent, frozen=True, kw_only=True):
    entrant: int
    round: str
    outcome: str


class SubstituteApproved(TournamentEvent, frozen=True, kw_only=True):
    entrant: int
    substitute: str
    until: str
    order: int


class SubstituteRefused(TournamentEvent, frozen=True, kw_only=True):
    entrant: int
    substitute: str
    reason: str


class EntrantRetired(TournamentEvent, frozen=True, kw_only=True):
    entrant: int
    reason: str
    order: int


class EntrantDisqualified(TournamentEvent, frozen=True, kw_only=True):
    entrant: int
    ground: str
    reason: str
    order: int


class EntrantExcluded(TournamentEvent, frozen=True, kw_only=True):
    entrant: int
    player: str
    reason: str
    order: int


class ConclusionOrdered(TournamentEvent, frozen=True, kw_only=True):
    table: str
    sitting: str
    counted: int
    by_agreement: bool
    reason: str
    bounds: dict[int, tuple[int, int]]
    """The least and the most that each entrant can still reach, where arithmetic decided (G-127)."""
    order: int


class ClosingOrdered(TournamentEvent, frozen=True, kw_only=True):
    sittings: tuple[str, ...]
    order: int


class SittingAbandoned(TournamentEvent, frozen=True, kw_only=True):
    sitting: str
    table: str
    reason: str
    second: str
    outcome: str
    """`resume`, `replay` or `stand`."""
    moved_to: SittingCalled | None
    order: int = 0


SittingEvent = (
    DrawCommitted
    | SeatsDrawn
    | StartAltered
    | SessionCalled
    | SittingNoted
    | ScoreNoted
    | SessionEnded
    | ArrivalRecorded
    | EntrantAbsent
    | SubstituteApproved
    | SubstituteRefused
    | EntrantRetired
    | EntrantDisqualified
    | EntrantExcluded
    | ConclusionOrdered
    | ClosingOrdered
    | SittingAbandoned
)
