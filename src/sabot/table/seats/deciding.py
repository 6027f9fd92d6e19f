"""Seats: stations out of service, patrons who are moved, and seats that are taken back (CROWN 13.8, G-183 to G-185)."""

from sabot.basics.stamp import Stamp
from sabot.table import acts
from sabot.table.accounts.deciding import asked_to_leave, is_running, open_station, paid_in_full, pays_by_ticket
from sabot.table.events import Event, PatronMoved, SeatTakenBack, StationPutBack, StationTakenOut
from sabot.table.no import No
from sabot.table.refusal import Cause
from sabot.table.state import TableState

SERVICE = "G-183"
MOVING = "G-184"


def take_out_of_service(state: TableState, act: acts.OutOfService, stamp: Stamp) -> tuple[Event, ...]:
    """Wagers that lie there stand as they are, unless the patron is moved with them."""
    _check_known(state, act.station)
    if act.station in state.out_of_service:
        raise No(Cause.OUT_OF_SERVICE, station=act.station)
    if not act.reason.strip():
        raise No(Cause.REASON_MISSING, clause=SERVICE)
    return (StationTakenOut(station=act.station, reason=act.reason, by=stamp.by, clause=SERVICE),)


def put_back_in_service(state: TableState, act: acts.BackInService, stamp: Stamp) -> tuple[Event, ...]:
    _check_known(state, act.station)
    if act.station not in state.out_of_service:
        raise No(Cause.IN_SERVICE, station=act.station)
    return (StationPutBack(station=act.station, at_ms=stamp.at_ms, by=stamp.by, clause=SERVICE),)


def move_patron(state: TableState, act: acts.MovePatron, stamp: Stamp) -> tuple[Event, ...]:
    """The control session goes on at the other station; wagers that can no longer be lifted are settled first."""
    station = open_station(state, act.station)
    _check_free(state, act.station, act.target)
    if is_running(state, act.station, stamp.at_ms):
        raise No(Cause.WAGERS_RUNNING, station=act.station)
    purse = state.purse(act.station)
    return (
        PatronMoved(
            station=act.station,
            target=act.target,
            control=station.control,
            balance_cents=purse.balance,
            held_cents=purse.held,
            owed_cents=state.owed(act.station),
            payable_cents=state.payable(act.station).get(station.control, 0),
            seized_cents=sum(case.seized for case in state.cases.values() if case.is_of(act.station, station.control)),
            wagers=dict(purse.layout),
            by=stamp.by,
            clause=MOVING,
        ),
    )


def close_idle(state: TableState, act: acts.CloseIdle, stamp: Stamp) -> tuple[Event, ...]:
    """Not while the patron has chips on the layout, for that is playing."""
    station = open_station(state, act.station)
    due = station.vacate_by
    waited = due is not None and bool(station.idle_in) and station.idle_in[-1] >= due
    if due is None or not waited or state.purse(act.station).layout:
        raise No(Cause.NOT_VACATING, station=act.station)
    taken_back = SeatTakenBack(station=act.station, coup=due, by=stamp.by, clause="CROWN 13.8")
    if not pays_by_ticket(state, act.station):
        return (taken_back, *paid_in_full(state, act.station, stamp))
    asked = () if station.leaving else asked_to_leave(state, act.station, stamp.at_ms, "CROWN 13.8")
    return (taken_back, *asked)


def _check_known(state: TableState, station: str) -> None:
    if station not in state.stations:
        raise No(Cause.UNKNOWN_STATION, station=station)


def _check_free(state: TableState, station: str, target: str) -> None:
    """A remote station takes no account that the dealer gives it, but that of another remote one (G-63)."""
    _check_known(state, target)
    if state.session is not None and target in (*state.session.seats, *state.session.went):
        raise No(Cause.TAKEN, station=target, clause="CROWN 12.1.1")
    if state.stations[target].is_open:
        raise No(Cause.TAKEN, station=target, clause=MOVING)
    if target in state.out_of_service:
        raise No(Cause.OUT_OF_SERVICE, station=target)
    if target in state.faulted:
        raise No(Cause.FAULTED, station=target)
    equipment = state.configuration.stations
    if equipment[target].remote and not equipment[station].remote:
        raise No(Cause.REMOTE_BUY_IN)
