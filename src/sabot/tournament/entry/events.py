"""What happened in planning, entry, slips, presence and designated tables."""

from sabot.tournament.conditions.parts import Conditions
from sabot.tournament.event import TournamentEvent

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


EntryEvent = (
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
)
