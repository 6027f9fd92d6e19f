"""The leader board of a tournament, and what an entrant's station shows of it. It names no bet (CROWN 13.5)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import msgspec

from sabot.tournament.phase import TournamentPhase
from sabot.tournament.places.advancing import clearly_through, lines_from
from sabot.tournament.places.awarding import pool_shown
from sabot.tournament.places.ranking import Contestant, standing
from sabot.tournament.places.standing import contestants, final_contestants
from sabot.tournament.sittings.finding import ranked_sittings, start_of
from sabot.tournament.state import OUT, Sitting, TournamentState

_PLACED = frozenset({TournamentPhase.FINISHED, TournamentPhase.CLOSED})


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
    out: bool
    """Whether the entrant plays no later session."""


class BoardPrize(msgspec.Struct, frozen=True):
    place: int
    share: int | None
    cents: int | None
    text: Mapping[str, str]


class TournamentBoard(msgspec.Struct, frozen=True, dict=True):
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
    director: bool
    """Whether a director is present (CROWN 12.2.5)."""
    time_zone: str = ""
    """The house's own, in which times of day are told."""

    @cached_property
    def by_entrant(self) -> Mapping[int, BoardRow]:
        return {row.entrant: row for row in self.rows}

    @cached_property
    def last_on(self) -> BoardRow | None:
        """The last who would go on."""
        return next((row for row in reversed(self.rows) if row.through), None)

    @cached_property
    def first_out(self) -> BoardRow | None:
        """The first who would not."""
        return next((row for row in self.rows if not row.through), None)


def board_of(state: TournamentState, names: Mapping[str, str], at_ms: int) -> TournamentBoard:
    """The board of the newest round; of a tournament that is over, of the whole. `names` are by player's reference."""
    conditions = state.conditions if state.versions else None
    name = round_shown(state)
    progress = state.progress(name)
    sittings = ranked_sittings(state, name) if name else {}
    return TournamentBoard(
        tournament=state.tournament,
        title=conditions.title if conditions else {},
        phase=state.phase.value,
        round=name,
        provisional=not progress.confirmed,
        sittings=tuple(
            BoardSitting(one.table, one.round, one.session, one.state.value, one.counted, one.left)
            for one in sittings.values()
        ),
        rows=tuple(_rows(state, name, sittings, names)) if name else (),
        prizes=tuple(
            BoardPrize(one.place, one.share, one.cents, one.text or {})
            for one in (conditions.prizes if conditions else ())
        ),
        pool_cents=pool_shown(state),
        next_start_ms=_next_start(state, at_ms),
        director=bool(state.present),
    )


def round_shown(state: TournamentState) -> str:
    """The newest round that is drawn, or nothing."""
    rounds = state.conditions.rounds if state.versions else ()
    drawn = [part.name for part in rounds if state.progress(part.name).drawn is not None]
    return drawn[-1] if drawn else ""


_Groups = Sequence[tuple[Contestant, ...]]
"""The contestants of each sitting."""


def _ranked(state: TournamentState, groups: _Groups) -> list[tuple[int, Contestant]]:
    """Everybody who is ranked on the board, best first."""
    if state.phase in _PLACED:
        return standing(final_contestants(state))
    return standing(one for sitting in groups for one in sitting)


def _going_on(state: TournamentState, name: str, groups: _Groups) -> frozenset[int]:
    """Who would go on as the scores stand; of a confirmed round, who does."""
    progress = state.progress(name)
    if progress.confirmed:
        return frozenset(number for group in progress.through.values() for number in group)
    return clearly_through(lines_from(name, state.conditions.rounds), groups)


def _rows(
    state: TournamentState, name: str, sittings: Mapping[str, Sitting], names: Mapping[str, str]
) -> Iterator[BoardRow]:
    seats = {
        seat.entrant: (sitting, station) for sitting in sittings.values() for station, seat in sitting.seats.items()
    }
    groups, entrants = list(contestants(state, name, count_back=False).values()), state.entrants.whole()
    through = _going_on(state, name, groups)
    for rank, one in _ranked(state, groups):
        entrant = entrants[str(one.entrant)]
        sitting, station = seats.get(one.entrant, (None, ""))
        yield BoardRow(
            rank=rank,
            entrant=one.entrant,
            name=names.get(entrant.player, ""),
            score=one.score,
            change=None if sitting is None else _change(sitting, one.entrant),
            table=sitting.table if sitting else "",
            station=station,
            status=entrant.status.value,
            through=one.entrant in through,
            out=entrant.status in OUT,
        )


def _change(sitting: Sitting, entrant: int) -> int | None:
    now, before = sitting.scores.last, sitting.scores.before_last
    return now[entrant] - before[entrant] if now and before and entrant in now and entrant in before else None


def _next_start(state: TournamentState, at_ms: int) -> int | None:
    starts = [
        start_of(state, part.name, session)
        for part in (state.conditions.rounds if state.versions else ())
        for session in range(1, part.sessions + 1)
        if session not in state.progress(part.name).called
    ]
    return min((start for start in starts if start > at_ms), default=None)
