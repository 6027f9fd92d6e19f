"""Calling a session: everything that rule 12 demands before play begins."""

from collections.abc import Mapping

from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.conditions.parts import Balances
from sabot.tournament.entry import slips
from sabot.tournament.refusal import TournamentCause, TournamentNo
from sabot.tournament.seats.seating import in_order
from sabot.tournament.sittings.demands import director_present
from sabot.tournament.sittings.finding import (
    RoundPlayed,
    final_scores,
    ranked_sittings,
    round_played,
    sitting_id,
    sources,
    start_of,
)
from sabot.tournament.state import OUT, TournamentState

_Events = tuple[e.TournamentEvent, ...]
_Seats = Mapping[str, Mapping[str, int]]
"""Entrant numbers by table and station."""


def call_session(state: TournamentState, act: acts.CallSession, stamp: Stamp) -> _Events:
    _check_approval(state)
    director_present(state)
    played = _played(state, act)
    seats = _play_off_seats(state, played) if played.play_off else _drawn_seats(state, act)
    _check_designated(state, seats)
    _check_uncalled(state, act)
    if not played.play_off and stamp.at_ms < start_of(state, act.round, act.session):
        raise TournamentNo(TournamentCause.TOO_EARLY, session=act.session, round=act.round)
    numbers = sorted(number for table in seats.values() for number in table.values())
    _check_players(state, numbers)
    for number in act.absent:
        if number not in numbers:
            raise TournamentNo(TournamentCause.NOT_SEATED, entrant=number)
    return (
        e.SessionCalled(
            round=act.round,
            session=act.session,
            version=state.plays_by.version,
            sittings=tuple(
                e.SittingCalled(
                    sitting=sitting_id(state, act.round, act.session, table),
                    table=table,
                    seats={
                        station: _allotted(state, played, number, present=number not in act.absent)
                        for station, number in at.items()
                    },
                )
                for table, at in seats.items()
            ),
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause="CROWN 12.2.1(d)",
        ),
    )


def _check_approval(state: TournamentState) -> None:
    """Only the newest version is played by, and only with its written approval (CROWN 12.1.3)."""
    newest = state.newest
    assert newest is not None, "entry was closed, so there are conditions"
    if not newest.approval:
        raise TournamentNo(TournamentCause.APPROVAL_MISSING, version=newest.version)


def _played(state: TournamentState, act: acts.CallSession) -> RoundPlayed:
    played = round_played(state, act.round)
    part = state.round(act.round)
    sessions = 1 if part is None else part.sessions
    if played is None or not 1 <= act.session <= sessions:
        raise TournamentNo(TournamentCause.UNKNOWN_ROUND, round=act.round, session=act.session)
    return played


def _check_uncalled(state: TournamentState, act: acts.CallSession) -> None:
    if state.on is not None:
        name, session = state.on
        raise TournamentNo(TournamentCause.SESSION_ON, session=session, round=name)
    if act.session in state.progress(act.round).called:
        raise TournamentNo(TournamentCause.SESSION_CALLED, session=act.session, round=act.round)


def _drawn_seats(state: TournamentState, act: acts.CallSession) -> _Seats:
    """The places of the session, without those who have left the tournament since the draw."""
    progress = state.progress(act.round)
    if progress.drawn is None:
        raise TournamentNo(TournamentCause.NOT_DRAWN, round=act.round)
    seats: dict[str, dict[str, int]] = {}
    for placed in progress.drawn:
        if placed.session == act.session and state.entrants[str(placed.entrant)].status not in OUT:
            seats.setdefault(placed.table, {})[placed.station] = placed.entrant
    if not seats:
        raise TournamentNo(TournamentCause.NOBODY_TO_SEAT, round=act.round)
    return seats


def _play_off_seats(state: TournamentState, played: RoundPlayed) -> _Seats:
    """The tied alone, by number: wagers are unseen until the close, so no seat is better than another (G-122)."""
    play_off = state.progress(played.of).play_offs[played.play_off - 1]
    waiting = [one for one in play_off.entrants if state.entrants[str(one)].status not in OUT]
    left = sorted(waiting)
    seats: dict[str, dict[str, int]] = {}
    for table in in_order(list(state.tables)):
        stations = state.tables[table].stations
        if left:
            seats[table] = dict(zip(stations, left, strict=False))
            left = left[len(stations) :]
    if left:
        found = len(waiting) - len(left)
        raise TournamentNo(TournamentCause.TOO_FEW_SEATS, needed=len(waiting), found=found)
    return seats


def _check_designated(state: TournamentState, seats: _Seats) -> None:
    for table in seats:
        if table not in state.tables or state.tables[table].state == "releasing":
            raise TournamentNo(TournamentCause.NOT_DESIGNATED, table=table)


def _check_players(state: TournamentState, numbers: list[int]) -> None:
    """Everybody has paid, was briefed on the version that is played by, and has signed it where that is required."""
    version = state.plays_by.version
    signatures = state.conditions.conduct.signature or bool(state.signatures)
    for number in numbers:
        entrant = state.entrants[str(number)]
        if slips.owes(state, entrant):
            raise TournamentNo(TournamentCause.FEE_DUE, entrant=number)
        if entrant.briefed < version:
            raise TournamentNo(TournamentCause.NOT_BRIEFED, entrant=number, version=version)
        if signatures and entrant.signed < version:
            raise TournamentNo(TournamentCause.NOT_SIGNED, entrant=number, version=version)


def _allotted(state: TournamentState, played: RoundPlayed, number: int, *, present: bool) -> e.SeatAllotted:
    entrant = state.entrants[str(number)]
    credit = played.credit or _carried(state, played, number)
    return e.SeatAllotted(number, entrant.player, credit, present, entrant.substitute)


def _carried(state: TournamentState, played: RoundPlayed, number: int) -> int:
    """The balance of the round before, where balances are carried (CROWN 12.2.1(b))."""
    part = state.round(played.name)
    for name in () if part is None else sorted(sources(part)):
        before = state.round(name)
        if before is not None and before.balances is Balances.CARRIED:
            for sitting in ranked_sittings(state, name).values():
                if number in final_scores(sitting):
                    return max(0, final_scores(sitting)[number])
    return 0
