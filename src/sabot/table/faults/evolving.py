"""What faults of a station or of the game system change."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.table import events as e
from sabot.table.corrections.evolving import adjusted, last_played, with_version
from sabot.table.signs.posted import unseen_at
from sabot.table.state import Doubt, ShownWagers, TableState


def _station_faulted(state: TableState, event: e.StationFaulted) -> TableState:
    state = replace(state, faulted=state.faulted | {event.station}, notices=unseen_at(state, event.station))
    return state if event.before_close else _declared(state, event.coup, (event.station,))


def _system_failed(state: TableState, event: e.SystemFailed) -> TableState:
    if not event.awaits_confirmation:
        return state
    return _declared(replace(state, awaits_confirmation=True), event.coup, tuple(state.layouts()))


def _clock_jumped(state: TableState, event: e.ClockJumped) -> TableState:
    if event.clock != "journal":
        return state
    return replace(state, journal_ahead_ms=state.journal_ahead_ms + event.by_ms)


def _restarted(state: TableState, event: e.SystemRestarted) -> TableState:
    state = replace(state, awaits_confirmation=event.awaits_confirmation, journal_ahead_ms=0)
    state = replace(state, keeps=event.keeps or state.keeps)
    return _declared(state, state.coups, tuple(state.layouts())) if event.awaits_confirmation else state


def _declared(state: TableState, coup: int, stations: tuple[str, ...]) -> TableState:
    """The wagers of these stations are to be confirmed, with what the stations have told already."""
    for station in stations:
        before = _doubt(state, coup, station)
        told = before.told or (state.coup.shown.get(station) if state.coup and state.coup.number == coup else None)
        state = _put(state, replace(before, declared=True, told=told))
    return state


def _doubt(state: TableState, coup: int, station: str) -> Doubt:
    found = (one for one in state.doubts if (one.coup, one.station) == (coup, station))
    return next(found, Doubt(coup, station))


def _put(state: TableState, doubt: Doubt) -> TableState:
    return replace(state, doubts=(*_without(state, doubt.coup, doubt.station), doubt))


def _without(state: TableState, coup: int, station: str) -> tuple[Doubt, ...]:
    """The other doubts; without a station, those of other coups."""
    return tuple(one for one in state.doubts if one.coup != coup or one.station != (station or one.station))


def _wagers_seen(state: TableState, event: e.WagersSeen) -> TableState:
    told, coup = ShownWagers(event.accepted, event.agrees), state.coup
    if coup is not None and coup.number == event.coup:
        state = replace(state, coup=replace(coup, shown={**coup.shown, event.station: told}))
    doubt = _doubt(state, event.coup, event.station)
    return state if event.agrees and not doubt.declared else _put(state, replace(doubt, told=told))


def _records_confirmed(state: TableState, event: e.RecordsConfirmed) -> TableState:
    state = replace(state, doubts=_without(state, event.coup, event.station))
    if not event.station:
        return replace(state, awaits_confirmation=False)
    return replace(state, faulted=state.faulted - {event.station})


def _wagers_reversed(state: TableState, event: e.WagersReversed) -> TableState:
    played = replace(last_played(state, event.coup), settlements=event.settlements)
    doubts = _without(state, event.coup, event.station)
    state = with_version(replace(adjusted(state, event.adjustments), doubts=doubts), played)
    if not event.case:
        return replace(state, faulted=state.faulted - {event.station})
    case, cents = state.cases[event.case], event.from_seized_cents
    case = replace(case, seized=case.seized - cents, seized_in_all=case.seized_in_all - cents)
    return replace(state, cases={**state.cases, event.case: case})


APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    e.StationFaulted: _station_faulted,
    e.SystemFailed: _system_failed,
    e.SystemRestarted: _restarted,
    e.ClockJumped: _clock_jumped,
    e.WagersSeen: _wagers_seen,
    e.RecordsConfirmed: _records_confirmed,
    e.WagersReversed: _wagers_reversed,
}
