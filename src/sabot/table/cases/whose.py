"""Whose a case is: a patron's or another person's, no matter who sits at the station meanwhile (G-141)."""

from typing import NamedTuple

from sabot.table.cases.state import Case, CaseKind
from sabot.table.history.kept import control_session, coup_as_settled, newest_session_of
from sabot.table.no import No
from sabot.table.refusal import Cause
from sabot.table.state import TableState


class Whose(NamedTuple):
    station: str = ""
    control: int = 0
    patron: str = ""
    person: str = ""


def whose(
    state: TableState, station: str, control: int | None = None, patron: str = "", person: str = "", coup: int = 0
) -> Whose:
    """The person who is meant: by session, by reference, by station, or by a description alone."""
    if station and station not in state.stations:
        raise No(Cause.UNKNOWN_STATION, station=station)
    if control is None and patron:
        control = newest_session_of(state, patron, station)
    if control is None and station:
        control = session_at(state, station, coup)
        known = control_session(state, control)
        if patron and known is not None and known.patron:  # Another patron's session, by its reference.
            control = 0
    if control:
        session = control_session(state, control)
        if session is None or (station and session.station != station):
            raise No(Cause.NO_SESSION, control=control)
        return Whose(session.station, control, patron or session.patron, person)
    if not (station or patron.strip() or person.strip()):
        raise No(Cause.NOBODY_NAMED)
    return Whose(station, 0, patron, person)


def session_at(state: TableState, station: str, coup: int = 0, as_of: int | None = None) -> int:
    """The session that had wagers there in that coup, or else the one that is open, or was last; 0 for none.

    `as_of` is the newest session that counts: who came later is not meant.
    """
    played = coup_as_settled(state, coup)
    if played is not None and station in played.controls:
        return played.controls[station]
    newest = state.controls if as_of is None else as_of
    found = (number for number, one in state.sessions.items() if one.station == station and number <= newest)
    return max(found, default=0)


def sessions_of(state: TableState, case: Case) -> frozenset[int]:
    """The sessions of the patron of a case: its own, and others under the same reference."""
    others = (number for number, one in state.sessions.items() if case.patron and one.patron == case.patron)
    return frozenset({case.control, *others}) - {0}


def is_here(state: TableState, case: Case) -> bool:
    """Whether the patron of the case is still in control of the station."""
    station = state.stations.get(case.station)
    return station is not None and station.is_open and station.control == case.control


def open_case(state: TableState, number: int, kind: CaseKind, clause: str) -> Case:
    case = state.cases.get(number)
    if case is None or case.kind is not kind or case.closed:
        raise No(Cause.NO_CASE, clause=clause, kind=kind, case=number)
    return case
