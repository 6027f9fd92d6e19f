"""What happened in progress from round to round, with prizes, and at the end."""

import msgspec

from sabot.tournament.event import TournamentEvent

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


PlaceEvent = (
    TieFound
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
