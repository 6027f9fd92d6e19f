"""Own limits, breaks and checks of a patron (G-221 to G-223), and calls for an attendant (G-224)."""

from sabot.basics.stamp import Stamp
from sabot.table import acts
from sabot.table.accounts.deciding import open_station
from sabot.table.accounts.state import StationState
from sabot.table.care.checking import HOUR_MS, check_due_ms
from sabot.table.care.figures import began_ms, net_cents
from sabot.table.care.state import MINUTE_MS, OwnLimit, OwnLimitKind
from sabot.table.events import (
    AttendantCalled,
    BreakTaken,
    CallAnswered,
    CallEnded,
    CheckAcknowledged,
    Event,
    OwnLimitSet,
)
from sabot.table.no import No
from sabot.table.refusal import Cause
from sabot.table.role import Role
from sabot.table.state import TableState

LIMITS, CHECKS, BREAKS, CALLS = "G-221", "G-222", "G-223", "G-224"
OwnAct = acts.SetOwnLimit | acts.TakeBreak | acts.AcknowledgeCheck | acts.CallAttendant | acts.EndCall


def set_own_limit(state: TableState, act: acts.SetOwnLimit, stamp: Stamp) -> tuple[Event, ...]:
    """Lower counts at once; higher, or none, after the house's delay. A lower one takes back a raise that waits."""
    station = _own_station(state, act, stamp)
    most, other = (act.minutes, act.cents) if act.limit is OwnLimitKind.TIME else (act.cents, act.minutes)
    if most < 0 or other:
        raise No(Cause.BAD_AMOUNT, why="a limit is an amount, or minutes for the time", clause=LIMITS)
    known = station.care.limits.get(act.limit, OwnLimit(0))
    now = known.at(stamp.at_ms)
    waits = known.from_ms > stamp.at_ms
    if most == (known.then if waits else now):
        return ()
    is_raise = bool(now) and not 0 < most <= now
    delay = state.configuration.care.limit_delay_hours * HOUR_MS
    return (
        OwnLimitSet(
            station=stamp.by,
            control=station.control,
            patron=station.patron,
            limit=act.limit,
            was=now,
            most=most,
            at_ms=stamp.at_ms,
            from_ms=stamp.at_ms + delay if is_raise else stamp.at_ms,
            clause=LIMITS,
        ),
    )


def take_break(state: TableState, act: acts.TakeBreak, stamp: Stamp) -> tuple[Event, ...]:
    """A break can be made longer and never shorter; wagers that lie stand, and can be lifted."""
    station = _own_station(state, act, stamp)
    offered = state.configuration.care.break_minutes
    if act.minutes not in offered:
        raise No(Cause.NO_SUCH_BREAK, offered=", ".join(map(str, offered)))
    until = stamp.at_ms + act.minutes * MINUTE_MS
    if until <= station.care.break_until_ms:
        raise No(Cause.ON_BREAK, until_ms=station.care.break_until_ms)
    return (
        BreakTaken(
            station=stamp.by,
            control=station.control,
            patron=station.patron,
            at_ms=stamp.at_ms,
            until_ms=until,
            clause=BREAKS,
        ),
    )


def acknowledge_check(state: TableState, act: acts.AcknowledgeCheck, stamp: Stamp) -> tuple[Event, ...]:
    station = _own_station(state, act, stamp)
    due = check_due_ms(state, stamp.by)
    if not due or stamp.at_ms < due:
        raise No(Cause.NO_CHECK_DUE)
    return (
        CheckAcknowledged(
            station=stamp.by,
            control=station.control,
            patron=station.patron,
            played_ms=stamp.at_ms - began_ms(state, stamp.by),
            net_cents=net_cents(state, stamp.by),
            at_ms=stamp.at_ms,
            clause=CHECKS,
        ),
    )


def call_attendant(state: TableState, act: acts.CallAttendant, stamp: Stamp) -> tuple[Event, ...]:
    """Anybody at a station may, with or without an account."""
    _check_own(act, stamp)
    if stamp.by in state.calls:
        raise No(Cause.CALLED_ALREADY, station=stamp.by)
    return (AttendantCalled(station=stamp.by, at_ms=stamp.at_ms, clause=CALLS),)


def answer_call(state: TableState, act: acts.AnswerCall, stamp: Stamp) -> tuple[Event, ...]:
    call = state.calls.get(act.station)
    if call is None:
        raise No(Cause.NOT_CALLED, station=act.station)
    if call.answered_by:
        raise No(Cause.CALLED_ALREADY, station=act.station)
    return (CallAnswered(station=act.station, at_ms=stamp.at_ms, by=stamp.by, clause=CALLS),)


def end_call(state: TableState, act: acts.EndCall, stamp: Stamp) -> tuple[Event, ...]:
    """Staff say that the patron was served; the patron takes the call back."""
    is_own = stamp.role is Role.STATION
    if is_own:
        _check_own(act, stamp)
    name = act.station or stamp.by
    if name not in state.calls:
        raise No(Cause.NOT_CALLED, station=name)
    return (CallEnded(station=name, at_ms=stamp.at_ms, by=stamp.by, served=not is_own, clause=CALLS),)


def _own_station(state: TableState, act: OwnAct, stamp: Stamp) -> StationState:
    """What a patron sets, only the patron sets, at the own station."""
    _check_own(act, stamp)
    return open_station(state, stamp.by)


def _check_own(act: OwnAct, stamp: Stamp) -> None:
    if act.station and act.station != stamp.by:
        raise No(Cause.NOT_THIS_STATION, station=act.station)
