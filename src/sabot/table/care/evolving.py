"""What own limits, breaks, checks and calls change."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.table import events as e
from sabot.table.care.state import AttendantCall, OwnLimit
from sabot.table.parts import on_station, put
from sabot.table.state import TableState


def _on_care(state: TableState, name: str, **changes: object) -> TableState:
    return on_station(state, name, care=replace(state.stations[name].care, **changes))


def _own_limit_set(state: TableState, event: e.OwnLimitSet) -> TableState:
    waits = event.from_ms > event.at_ms
    limit = OwnLimit(event.was, event.most, event.from_ms) if waits else OwnLimit(event.most)
    return _on_care(state, event.station, limits={**state.stations[event.station].care.limits, event.limit: limit})


def _break_taken(state: TableState, event: e.BreakTaken) -> TableState:
    return _on_care(state, event.station, break_until_ms=event.until_ms)


def _carried(state: TableState, event: e.OwnLimitsCarried) -> TableState:
    return _on_care(
        state,
        event.station,
        limits=event.limits,
        break_until_ms=event.break_until_ms,
        lost_before=event.lost_cents,
        since_ms=event.since_ms,
    )


def _check_acknowledged(state: TableState, event: e.CheckAcknowledged) -> TableState:
    return _on_care(state, event.station, checked_ms=event.at_ms)


def _called(state: TableState, event: e.AttendantCalled) -> TableState:
    return replace(state, calls=put(state.calls, event.station, AttendantCall(event.at_ms)))


def _answered(state: TableState, event: e.CallAnswered) -> TableState:
    call = replace(state.calls[event.station], answered_by=event.by)
    return replace(state, calls=put(state.calls, event.station, call))


def _ended(state: TableState, event: e.CallEnded) -> TableState:
    return replace(state, calls={name: call for name, call in state.calls.items() if name != event.station})


APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    e.OwnLimitSet: _own_limit_set,
    e.BreakTaken: _break_taken,
    e.OwnLimitsCarried: _carried,
    e.CheckAcknowledged: _check_acknowledged,
    e.AttendantCalled: _called,
    e.CallAnswered: _answered,
    e.CallEnded: _ended,
}
