"""What stations out of service and moved patrons change beside the ledger."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.table import events as e
from sabot.table.accounts.state import StationState
from sabot.table.cases.state import Case
from sabot.table.parts import meters_of
from sabot.table.signs.posted import seen_from, unseen_at
from sabot.table.state import TableState


def _taken_out(state: TableState, event: e.StationTakenOut) -> TableState:
    notices = unseen_at(state, event.station)
    return replace(state, out_of_service=state.out_of_service | {event.station}, notices=notices)


def _put_back(state: TableState, event: e.StationPutBack) -> TableState:
    notices = state.notices if event.station in state.signs else seen_from(state.notices, event.station, event.at_ms)
    return replace(state, out_of_service=state.out_of_service - {event.station}, notices=notices)


def _moved(state: TableState, event: e.PatronMoved) -> TableState:
    """All that is kept for the station's patron goes along, and so do the patron's open cases."""
    source, target = event.station, event.target
    cents = event.balance_cents + event.held_cents + sum(event.wagers.values())
    there = replace(state.stations[source], idle_in=(), vacate_by=None)
    purses = {**state.ledger.purses, target: state.purse(target)}  # An empty account has a purse, too.
    return replace(
        state,
        ledger=replace(state.ledger, purses=purses),
        stations={**state.stations, source: StationState(), target: there},
        meters={
            **state.meters,
            source: meters_of(state, source).moved_by(-cents),
            target: meters_of(state, target).moved_by(cents),
        },
        cases={number: _following(case, event) for number, case in state.cases.items()},
        moved={**state.moved, event.control: target},
        session=None if state.session is None else state.session.moved(source, target),
        sessions={**state.sessions, event.control: replace(state.sessions[event.control], station=target)},
    )


def _following(case: Case, event: e.PatronMoved) -> Case:
    return replace(case, station=event.target) if case.is_of(event.station, event.control) else case


APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    e.StationTakenOut: _taken_out,
    e.StationPutBack: _put_back,
    e.PatronMoved: _moved,
}
