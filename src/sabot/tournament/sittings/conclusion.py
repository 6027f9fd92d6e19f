"""Ending a sitting: early (CROWN 12.3.5), in its time (12.2.1(b)), or because it cannot go on (11.10)."""

from msgspec.structs import replace

from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.conditions.parts import Interrupted
from sabot.tournament.refusal import TournamentCause, TournamentNo
from sabot.tournament.sittings import settling
from sabot.tournament.sittings.contending import verdict
from sabot.tournament.sittings.demands import session_on
from sabot.tournament.sittings.finding import (
    final_scores,
    is_closed,
    is_there,
    sitting_at,
    sitting_id,
    sittings_on,
)
from sabot.tournament.state import SITTING_OVER, Sitting, SittingState, TournamentState

_Events = tuple[e.TournamentEvent, ...]


def conclude_early(state: TournamentState, act: acts.ConcludeEarly, stamp: Stamp) -> _Events:
    """Who progresses must be determined; where balances are cash, every player must agree besides (G-105)."""
    known, sitting = _sitting(state, act.table)
    if sitting.state is not SittingState.OPEN:
        raise TournamentNo(TournamentCause.NO_SITTING, table=act.table)
    judged = verdict(state, known)
    if not judged.determined:
        raise TournamentNo(TournamentCause.NOT_DETERMINED, least_cents=judged.least, most_cents=judged.most)
    by_agreement = settling.is_cash(state, sitting)
    if by_agreement:
        _check_agreed(sitting)
    return (
        e.ConclusionOrdered(
            table=act.table,
            sitting=known,
            counted=sitting.counted,
            by_agreement=by_agreement,
            reason=act.reason,
            bounds=judged.bounds,
            order=state.orders + 1,
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause="CROWN 12.3.5(b)" if by_agreement else "CROWN 12.3.5(a)",
        ),
    )


def _sitting(state: TournamentState, table: str) -> tuple[str, Sitting]:
    session_on(state)
    found = sitting_at(state, table)
    if found is None:
        raise TournamentNo(TournamentCause.NO_SITTING, table=table)
    return found


def _check_agreed(sitting: Sitting) -> None:
    """Everybody who has an open seat agreed at the own station since the last coup (G-128)."""
    seated = [one for one in sitting.seats if is_there(sitting, one) and not is_closed(sitting, one)]
    agreed = sum(1 for one in seated if one in sitting.told and sitting.told[one].agreed)
    if agreed < len(seated):
        raise TournamentNo(TournamentCause.NOT_AGREED, agreed=agreed, seated=len(seated))


def close_session(state: TournamentState, act: acts.CloseSession, stamp: Stamp) -> _Events:
    """Order the closing of every sitting that is played out and not ordered to close yet."""
    del act
    session_on(state)
    waiting = {known: one for known, one in sittings_on(state) if one.state not in SITTING_OVER and not one.closing}
    played = {known: one for known, one in waiting.items() if one.state is SittingState.PLAYED}
    if not played:
        for one in waiting.values():
            raise TournamentNo(TournamentCause.SITTING_OPEN, table=one.table, state=one.state.value)
        return ()
    for one in played.values():
        if one.claims_open:
            raise TournamentNo(TournamentCause.CLAIMS_OPEN, table=one.table)
    return (
        e.ClosingOrdered(
            sittings=tuple(played),
            order=state.orders + 1,
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause="CROWN 12.2.1(b)",
        ),
    )


def abandon_sitting(state: TournamentState, act: acts.AbandonSitting, stamp: Stamp) -> _Events:
    """A sitting that cannot go on: it goes on or is played again elsewhere, or its scores stand."""
    known, sitting = _sitting(state, act.table)
    outcome = state.conditions.conduct.interrupted
    moved = None if outcome is Interrupted.STAND else _moved(state, sitting, act.move_to or act.table, outcome)
    abandoned = e.SittingAbandoned(
        sitting=known,
        table=act.table,
        reason=act.reason,
        second=stamp.second,
        outcome=outcome.value,
        moved_to=moved,
        order=state.orders + 1,
        by=stamp.by,
        at_ms=stamp.at_ms,
        clause="CROWN 12.2.1(d)",
    )
    return (abandoned, *settling.over(state, known, stamp)) if moved is None else (abandoned,)


def _moved(state: TournamentState, sitting: Sitting, table: str, outcome: Interrupted) -> e.SittingCalled:
    """The sitting at its new table: the same entrants, with their credits and count, or with those of its start."""
    stations = _stations(state, sitting, table)
    resumed = outcome is Interrupted.RESUME
    scores = final_scores(sitting)
    seats: dict[str, e.SeatAllotted] = {}
    for old, seat in sitting.seats.items():
        if not is_closed(sitting, old):
            credit = max(0, scores.get(seat.entrant, seat.credit)) if resumed else seat.credit
            new = old if old in stations else next(one for one in stations if one not in {*sitting.seats, *seats})
            substitute = state.entrants[str(seat.entrant)].substitute
            present = is_there(sitting, old)
            seats[new] = replace(seat, credit=credit, present=present, substitute=substitute)
    return e.SittingCalled(
        sitting=sitting_id(state, sitting.round, sitting.session, table),
        table=table,
        seats=seats,
        counted=sitting.counted if resumed else 0,
    )


def _stations(state: TournamentState, sitting: Sitting, table: str) -> tuple[str, ...]:
    """The stations of a designated table that plays nothing else now and has a seat for each."""
    designated = state.tables.get(table)
    if designated is None or designated.state == "releasing":
        raise TournamentNo(TournamentCause.NOT_DESIGNATED, table=table)
    if table != sitting.table and sitting_at(state, table) is not None:
        raise TournamentNo(TournamentCause.TABLE_TAKEN, table=table, tournament=state.tournament)
    if len(designated.stations) < len(sitting.seats):
        needed, found = len(sitting.seats), len(designated.stations)
        raise TournamentNo(TournamentCause.TOO_FEW_SEATS, needed=needed, found=found)
    return designated.stations
