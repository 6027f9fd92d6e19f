"""What happened in a tournament."""

import msgspec


class TournamentEvent(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag=True, tag_field="event"):
    tournament: str
    by: str
    clause: str


class TournamentCreated(TournamentEvent, frozen=True, kw_only=True):
    name: str


class ConditionsSaved(TournamentEvent, frozen=True, kw_only=True):
    version: int
    entry_fee_cents: int
    starting_credit: int
    coups: int


class ConditionsApproved(TournamentEvent, frozen=True, kw_only=True):
    version: int
    reference: str


class DirectorAppointed(TournamentEvent, frozen=True, kw_only=True):
    director: str


class EntrantRegistered(TournamentEvent, frozen=True, kw_only=True):
    entrant: int
    player: str
    fee_cents: int


class SessionStarted(TournamentEvent, frozen=True, kw_only=True):
    session: int
    version: int
    """The version of the conditions that it is played by."""
    seats: dict[str, str]
    credit: int
    """What each entrant starts with: credit of this tournament, which is no money and meets no cash account."""


AnyTournamentEvent = (
    TournamentCreated | ConditionsSaved | ConditionsApproved | DirectorAppointed | EntrantRegistered | SessionStarted
)
"""Every event, as one type to decode into."""


def schema() -> dict[str, object]:
    """The JSON Schema of a tournament's events; generated, never written by hand."""
    return msgspec.json.schema(AnyTournamentEvent)
