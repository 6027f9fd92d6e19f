"""The leader board of a tournament, and what an entrant's station shows of it. It names no bet (CROWN 13.5)."""

from collections.abc import Mapping

import msgspec


class BoardSitting(msgspec.Struct, frozen=True):
    """As of which coup the board speaks, for each table."""

    table: str
    round: str
    session: int
    state: str
    counted: int
    left: int | None


class BoardRow(msgspec.Struct, frozen=True):
    rank: int | None
    """None where the entrant is not ranked."""
    entrant: int
    name: str
    """The name that the entrant chose for the board; nothing where it was erased or none was given."""
    score: int
    """In hundredths of a credit."""
    change: int | None
    """Since the coup before."""
    table: str
    station: str
    status: str
    through: bool
    """Whether the place is one that goes on, as the scores stand."""


class BoardPrize(msgspec.Struct, frozen=True):
    place: int
    share: int | None
    cents: int | None
    text: Mapping[str, str]


class TournamentBoard(msgspec.Struct, frozen=True):
    tournament: str
    title: Mapping[str, str]
    phase: str
    round: str
    provisional: bool
    """Whether the round is not confirmed yet."""
    sittings: tuple[BoardSitting, ...]
    rows: tuple[BoardRow, ...]
    """By rank; those without one last."""
    prizes: tuple[BoardPrize, ...]
    pool_cents: int
    next_start_ms: int | None


class TableSession(msgspec.Struct, frozen=True):
    """What every screen of a table shows of the tournament that it is reserved for."""

    tournament: str
    title: Mapping[str, str]
    stage: str
    """`reserved`, `open` or `played`."""
    round: str
    session: int
    counted: int
    coups: int | None
    left: int | None
    ends_ms: int | None
    hidden: bool
    """Whether the wagers of this coup are shown only after its result."""
    cash: bool
    """Whether credits are paid at face value at the end."""
    top: tuple[tuple[int, int], ...]
    """The three best at the table: entrant and score."""


class SeatStanding(msgspec.Struct, frozen=True):
    """What a station shows of its entrant's standing."""

    entrant: int
    score: int
    rank_at_table: int
    seats: int
    rank: int | None
    entrants: int
    line: int | None
    """The score of the last place that goes on, or where the entrant is through, of the first that does not."""
    line_rank: int | None
    through: bool
    bust: bool
    asked_to_agree: bool
    agreed: bool
