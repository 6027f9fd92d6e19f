"""Finding sittings and seats in a tournament, and asking how far they are."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sabot.tournament.conditions.parts import Balances, PlayOffPart, RoundPart
from sabot.tournament.events import SeatAllotted
from sabot.tournament.state import SITTING_OVER, EntrantStatus, Sitting, TournamentState

PLAY_OFF_MARK = "+"
"""A play-off of `heats` is called as the round `heats+1`, by its number."""
PLAYS = frozenset({EntrantStatus.PLAYING, EntrantStatus.BUST})


class SeatFound(NamedTuple):
    sitting: str
    at: Sitting
    station: str
    seat: SeatAllotted


class RoundPlayed(NamedTuple):
    """A round, or a play-off as the round that it is called as."""

    name: str
    credit: int
    coups: int | None
    minutes: int | None
    balances: Balances
    buy_in_cents: int
    play_off: int = 0
    of: str = ""
    """The round that the play-off belongs to."""


def round_played(state: TournamentState, name: str) -> RoundPlayed | None:
    """What is played under this name; None if the conditions have no such round, or the round no such play-off."""
    part = state.round(name)
    if part is not None:
        return RoundPlayed(name, part.credit, part.coups, part.minutes, part.balances, part.buy_in_cents, of=name)
    of, _, number = name.rpartition(PLAY_OFF_MARK)
    played: PlayOffPart | None = state.conditions.ranking.play_off
    if played is None or not number.isdecimal() or not 1 <= int(number) <= len(state.progress(of).play_offs):
        return None
    return RoundPlayed(name, played.credit, played.coups, None, Balances.CANCELLED, 0, int(number), of)


def play_off_name(of: str, number: int) -> str:
    return f"{of}{PLAY_OFF_MARK}{number}"


def sitting_id(state: TournamentState, name: str, session: int, table: str) -> str:
    """A name that no sitting has yet: with `#2` at its end where the table plays it a second time."""
    first = f"{state.tournament}/{name}/{session}/{table}"
    times = 1 + sum(1 for known in state.sittings if known == first or known.startswith(f"{first}#"))
    return first if times == 1 else f"{first}#{times}"


def sittings_on(state: TournamentState) -> Iterator[tuple[str, Sitting]]:
    """The sittings of the session that is on, those that are over too."""
    for known, sitting in state.sittings.items():
        if (sitting.round, sitting.session) == state.on:
            yield known, sitting


def sitting_at(state: TournamentState, table: str) -> tuple[str, Sitting] | None:
    """The sitting that a table is to play or plays now."""
    return next(((k, s) for k, s in sittings_on(state) if s.table == table and s.state not in SITTING_OVER), None)


def seat_of(state: TournamentState, entrant: int) -> SeatFound | None:
    """The seat of an entrant in the session that is on, at a table that still plays."""
    for known, sitting in sittings_on(state):
        if sitting.state not in SITTING_OVER:
            for station, seat in sitting.seats.items():
                if seat.entrant == entrant:
                    return SeatFound(known, sitting, station, seat)
    return None


def is_there(sitting: Sitting, station: str) -> bool:
    """Whether the entrant came: with the call, or admitted since."""
    admitted = any(order.kind == "admit" and order.station == station for order in sitting.orders)
    return admitted or sitting.seats[station].present


def is_closed(sitting: Sitting, station: str) -> bool:
    """Whether the seat's play has ended, or was ordered to end."""
    told = sitting.told.get(station)
    ordered = any(order.kind == "close" and order.station == station for order in sitting.orders)
    return ordered or (told is not None and told.closed)


def ranked_sittings(state: TournamentState, name: str) -> dict[str, Sitting]:
    """The sittings whose scores count for a round: all but those that went on, or were played again, elsewhere."""
    superseded = {sitting.stood_for for sitting in state.sittings.values() if sitting.stood_for}
    return {
        known: sitting for known, sitting in state.sittings.items() if sitting.round == name and known not in superseded
    }


def final_scores(sitting: Sitting) -> Mapping[int, int]:
    """The scores after the last counted coup; before any, what each entrant sits down with."""
    if sitting.scores.last is not None:
        return sitting.scores.last
    return {seat.entrant: seat.credit for station, seat in sitting.seats.items() if is_there(sitting, station)}


def sources(part: RoundPart) -> frozenset[str]:
    """The rounds that must be confirmed before it is known who is in this one."""
    named = {
        one for line in part.from_ for one in (line.round, line.bought_back_after, line.missed, line.eliminated_in)
    }
    return frozenset(named - {""})


def start_of(state: TournamentState, name: str, session: int) -> int:
    """When a session starts, in milliseconds: as altered, or as the conditions say."""
    altered = state.progress(name).starts_ms.get(session)
    return altered if altered is not None else state.plays_by.starts_ms[name][session - 1]


def sessions_due(state: TournamentState, name: str) -> frozenset[int]:
    """The sessions of a round that are or will be played: those with a place for an entrant who is still in."""
    progress = state.progress(name)
    waiting = {
        placed.session
        for placed in progress.drawn or ()
        if state.entrants[str(placed.entrant)].status is EntrantStatus.SEATED
    }
    return progress.called | waiting


def is_over(state: TournamentState, name: str) -> bool:
    """Whether every session of a round that was drawn has ended."""
    progress = state.progress(name)
    return progress.drawn is not None and sessions_due(state, name) <= progress.ended


def next_rounds(state: TournamentState, name: str) -> tuple[RoundPart, ...]:
    """The rounds that some players of this one can come into."""
    return tuple(part for part in state.conditions.rounds if name in sources(part))
