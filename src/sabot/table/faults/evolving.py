"""What faults of a station or of the game system change."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.table import events as e
from sabot.table.corrections.evolving import adjusted, last_played
from sabot.table.signs.posted import unseen_at
from sabot.table.state import ShownWagers, TableState


def _station_faulted(state: TableState, event: e.StationFaulted) -> TableState:
    notices = unseen_at(state, event.station)
    return replace(state, faulted=state.faulted | {event.station}, notices=notices)


def _restarted(state: TableState, event: e.SystemRestarted) -> TableState:
    return replace(state, awaits_confirmation=event.awaits_confirmation)


def _wagers_seen(state: TableState, event: e.WagersSeen) -> TableState:
    assert state.coup is not None
    shown = {**state.coup.shown, event.station: ShownWagers(event.accepted, event.agrees)}
    return replace(state, coup=replace(state.coup, shown=shown))


def _records_confirmed(state: TableState, event: e.RecordsConfirmed) -> TableState:
    if not event.station:
        return replace(state, awaits_confirmation=False)
    return replace(state, faulted=state.faulted - {event.station})


def _wagers_reversed(state: TableState, event: e.WagersReversed) -> TableState:
    played = replace(last_played(state, event.coup), settlements=event.settlements)
    state = replace(adjusted(state, event.adjustments), played=state.played.then(played))
    if not event.case:
        return replace(state, faulted=state.faulted - {event.station})
    case, cents = state.cases[event.case], event.from_seized_cents
    case = replace(case, seized=case.seized - cents, seized_in_all=case.seized_in_all - cents)
    return replace(state, cases={**state.cases, event.case: case})


APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    e.StationFaulted: _station_faulted,
    e.SystemRestarted: _restarted,
    e.WagersSeen: _wagers_seen,
    e.RecordsConfirmed: _records_confirmed,
    e.WagersReversed: _wagers_reversed,
}
