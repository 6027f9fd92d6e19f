"""What happened in a tournament. One frozen class each, in the past tense."""

import msgspec

from sabot.tournament.acts import ScoreNews, SeatTold
from sabot.tournament.conditions import Conditions


class TournamentEvent(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False, tag_field="event", tag=True
):
    by: str
    at_ms: int
    clause: str


# Planning


class TournamentCreated(TournamentEvent, frozen=True, kw_only=True):
    tournament: str
    name: str


class ConditionsSaved(TournamentEvent, frozen=True, kw_only=True):
    version: int
    digest: str
    conditions: Conditions
    opens_ms: int
    closes_ms: int
    withdraw_free_until_ms: int
    starts_ms: dict[str, tuple[int, ...]]
    """The starts of each round's sessions, in the house's zone."""


class DeputiesNamed(TournamentEvent, frozen=True, kw_only=True):
    """Conditions were saved that differ in their director part alone, which makes no new version."""

    version: int
    person: str
    deputies: tuple[str, ...]


class VersionWithdrawn(TournamentEvent, frozen=True, kw_only=True):
    version: int


class ConditionsApproved(TournamentEvent, frozen=True, kw_only=True):
    version: int
    digest: str
    reference: str
    dated: str
    second: str


class DirectorAppointed(TournamentEvent, frozen=True, kw_only=True):
    director: str


# Entry


class EntryOpened(TournamentEvent, frozen=True, kw_only=True):
    pass


class EntryClosed(TournamentEvent, frozen=True, kw_only=True):
    entered: int


class EntryLapsed(TournamentEvent, frozen=True, kw_only=True):
    """An entrant had not paid when entry closed, or still waited for a place."""

    entrant: int


class EntrantRegistered(TournamentEvent, frozen=True, kw_only=True):
    entrant: int
    player: str
    form_digest: str
    criteria: tuple[str, ...]


class Waitlisted(TournamentEvent, frozen=True, kw_only=True):
    entrant: int
    player: str
    form_digest: str
    criteria: tuple[str, ...]
    waiting: int
    """The place in the list of alternates, from 1."""


class AlternateAdmitted(TournamentEvent, frozen=True, kw_only=True):
    entrant: int


class EntrantEntered(TournamentEvent, frozen=True, kw_only=True):
    """The fee is paid, or none is due."""

    entrant: int


class ApplicationRefused(TournamentEvent, frozen=True, kw_only=True):
    player: str
    criterion: str
    reason: str


class EntrantWithdrawn(TournamentEvent, frozen=True, kw_only=True):
    entrant: int
    refund_cents: int


class SignaturesRequired(TournamentEvent, frozen=True, kw_only=True):
    on: bool


class EntrantsBriefed(TournamentEvent, frozen=True, kw_only=True):
    entrants: tuple[int, ...]
    version: int


class ConditionsSigned(TournamentEvent, frozen=True, kw_only=True):
    entrant: int
    version: int


# Slips


class SlipRaised(TournamentEvent, frozen=True, kw_only=True):
    """An order to the cage to take or pay an amount once."""

    slip: str
    direction: str
    """`take` or `pay`."""
    cents: int
    parts: dict[str, int]
    """What of it belongs to which account: `prize_pool`, `tournament_fees`, `stakes`."""
    entrant: int
    player: str
    purpose: str
    """`fee`, `buy_in`, `buy_back`, `refund`, `balance` or `prize`."""
    of: str = ""
    """The round of a buy-in or a buy-back; the slip that a refund gives back."""


class SlipWithdrawn(TournamentEvent, frozen=True, kw_only=True):
    """The tournament no longer wants it; what the house did first counts."""

    slip: str


class SlipNoted(TournamentEvent, frozen=True, kw_only=True):
    slip: str
    settled: str
    tender: str


# Presence and tables


class DirectorPresent(TournamentEvent, frozen=True, kw_only=True):
    person: str


class DirectorAway(TournamentEvent, frozen=True, kw_only=True):
    person: str


class TablesDesignated(TournamentEvent, frozen=True, kw_only=True):
    tables: dict[str, tuple[str, ...]]
    """The stations of each table, in their order."""


class TablesReleased(TournamentEvent, frozen=True, kw_only=True):
    tables: tuple[str, ...]


class TableNoted(TournamentEvent, frozen=True, kw_only=True):
    table: str
    state: str
    why: str


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


# Progress


class TieFound(TournamentEvent, frozen=True, kw_only=True):
    """Equals at a cut whom only a play-off can part (G-103)."""

    round: str
    entrants: tuple[int, ...]
    places: int
    """How many of them go through."""
    play_off: int
    """The play-off's number in the round."""


class TieBroken(TournamentEvent, frozen=True, kw_only=True):
    round: str
    entrants: tuple[int, ...]
    """In the order that the tie-break gives."""
    how: str
    seed: str = ""
    words: str = ""


class RoundConfirmed(TournamentEvent, frozen=True, kw_only=True):
    round: str
    through: dict[str, tuple[int, ...]]
    """To each next round, who goes there."""
    eliminated: tuple[int, ...]
    ranked: tuple[int, ...]


class RoundReopened(TournamentEvent, frozen=True, kw_only=True):
    round: str
    reason: str
    second: str


class PlaceAdmitted(TournamentEvent, frozen=True, kw_only=True):
    entrant: int
    round: str
    table: str
    station: str
    credit: int
    reason: str
    order: int


class BuyBackAsked(TournamentEvent, frozen=True, kw_only=True):
    entrant: int


class BoughtBack(TournamentEvent, frozen=True, kw_only=True):
    entrant: int
    into: str


# Prizes and the end


class PrizeAwarded(msgspec.Struct, frozen=True, gc=False):
    place: int
    entrant: int
    player: str
    cents: int
    text: dict[str, str] = {}
    of: str = ""


class PrizesAwarded(TournamentEvent, frozen=True, kw_only=True):
    pool_cents: int
    """With what the house adds."""
    house_adds_cents: int
    """To the pool, and for prizes that do not come from it."""
    prizes: tuple[PrizeAwarded, ...]
    second: str


class StakesDue(TournamentEvent, frozen=True, kw_only=True):
    """A cash session is closed: what its entrants lost or gained in sum (G-135)."""

    sitting: str
    won_cents: int
    """What the house won; below zero where the entrants gained."""


class TournamentCancelled(TournamentEvent, frozen=True, kw_only=True):
    reason: str
    second: str
    order: int = 0
    """Ends the sittings that are on."""


class BooksClosed(TournamentEvent, frozen=True, kw_only=True):
    pass


AnyTournamentEvent = (
    TournamentCreated
    | ConditionsSaved
    | DeputiesNamed
    | VersionWithdrawn
    | ConditionsApproved
    | DirectorAppointed
    | EntryOpened
    | EntryClosed
    | EntryLapsed
    | EntrantRegistered
    | Waitlisted
    | AlternateAdmitted
    | EntrantEntered
    | ApplicationRefused
    | EntrantWithdrawn
    | SignaturesRequired
    | EntrantsBriefed
    | ConditionsSigned
    | SlipRaised
    | SlipWithdrawn
    | SlipNoted
    | DirectorPresent
    | DirectorAway
    | TablesDesignated
    | TablesReleased
    | TableNoted
    | DrawCommitted
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
    | TieFound
    | TieBroken
    | RoundConfirmed
    | RoundReopened
    | PlaceAdmitted
    | BuyBackAsked
    | BoughtBack
    | PrizesAwarded
    | StakesDue
    | TournamentCancelled
    | BooksClosed
)
"""Every event, as one type to decode into."""


def schema() -> dict[str, object]:
    """The JSON Schema of a tournament's events; generated, never written by hand."""
    return msgspec.json.schema(AnyTournamentEvent)
