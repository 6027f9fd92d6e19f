"""Figures of a tournament: what a line is shown of its state, its standing, its slips and its books."""

from collections import Counter
from collections.abc import Collection
from typing import Any

import msgspec

from sabot.house.state import HouseState
from sabot.tournament.phase import TournamentPhase
from sabot.tournament.places.ranking import standing
from sabot.tournament.places.standing import contestants
from sabot.tournament.sittings.finding import final_scores
from sabot.tournament.state import EntrantStatus, Sitting, SittingState, TournamentState


class SittingFigures(msgspec.Struct, frozen=True):
    table: str
    state: SittingState
    why: str
    counted: int
    left: int | None
    revision: int
    seats: dict[str, int]
    """Entrants by station."""
    scores: dict[int, int]
    """By entrant's number, after the last counted coup."""


class SlipFigures(msgspec.Struct, frozen=True):
    direction: str
    cents: int
    entrant: int
    purpose: str
    status: str
    """As the tournament knows it."""
    house: str = ""
    """As the house knows it, or nothing."""


class StandingLine(msgspec.Struct, frozen=True):
    rank: int
    entrant: int
    score: int
    sitting: str
    status: EntrantStatus


class TournamentFigures(msgspec.Struct, frozen=True):
    tournament: str
    name: str
    phase: TournamentPhase
    conditions: int
    """The version of the conditions that holds, or 0."""
    director: str
    present: str
    entrants: dict[str, int]
    """How many have each status."""
    status: dict[int, EntrantStatus]
    """Of each entrant."""
    tables: dict[str, str]
    sittings: dict[str, SittingFigures]
    commitments: dict[str, str]
    pool_cents: int


def figures_of(state: TournamentState) -> TournamentFigures:
    by_number = {int(number): one.status for number, one in state.entrants.items()}
    return TournamentFigures(
        tournament=state.tournament,
        name=state.name,
        phase=state.phase,
        conditions=state.plays_by.version if state.newest else 0,
        director=state.director,
        present=state.present,
        entrants=dict(sorted(Counter(status.value for status in by_number.values()).items())),
        status=dict(sorted(by_number.items())),
        tables={name: one.state for name, one in state.tables.items()},
        sittings={name: _sitting(one) for name, one in state.sittings.items()},
        commitments=dict(state.commitments),
        pool_cents=state.pool_cents,
    )


def _sitting(one: Sitting) -> SittingFigures:
    seats = {station: seat.entrant for station, seat in one.seats.items()}
    scores = dict(final_scores(one))
    return SittingFigures(one.table, one.state, one.why, one.counted, one.left, one.revision, seats, scores)


def standing_of(state: TournamentState) -> dict[str, list[StandingLine]]:
    """The standing in every round that has begun, by the round's name."""
    return {
        part.name: _round_standing(state, part.name)
        for part in (state.conditions.rounds if state.versions else ())
        if any(sitting.round == part.name for sitting in state.sittings.values())
    }


def _round_standing(state: TournamentState, name: str) -> list[StandingLine]:
    by_sitting = contestants(state, name)
    where = {one.entrant: sitting for sitting, ranked in by_sitting.items() for one in ranked}
    everybody = [one for ranked in by_sitting.values() for one in ranked]
    return [
        StandingLine(rank, one.entrant, one.score, where[one.entrant], state.entrants[str(one.entrant)].status)
        for rank, one in standing(everybody)
    ]


def slips_of(state: TournamentState, house: HouseState) -> dict[str, SlipFigures]:
    """Every slip in the order of the numbers."""
    known = {number: house.slips.get(number) for number in state.slips}
    return {
        number: SlipFigures(
            *(one.direction, one.cents, one.entrant, one.purpose, one.status.value),
            registered.status.value if (registered := known[number]) else "",
        )
        for number, one in sorted(state.slips.items())
    }


def books_of(state: TournamentState, house: HouseState) -> dict[str, int]:
    """The cage, and the house's accounts of the tournament."""
    own = {
        account.kind.value: cents
        for account, cents in house.ledger.books.items()
        if account.station == state.tournament or account.kind.value == "cage"
    }
    return dict(sorted(own.items()))


def shown_of(state: TournamentState, house: HouseState, wanted: Collection[str]) -> dict[str, Any]:
    """The figures that a line asks for, by their names in the answer."""
    shown: dict[str, Any] = {"tournament": figures_of(state)} if "tournament" in wanted else {}
    if "standing" in wanted:
        shown["standing"] = standing_of(state)
    if "slips" in wanted:
        shown["slips"] = slips_of(state, house)
    if "books" in wanted:
        shown["books"] = books_of(state, house)
    return shown
