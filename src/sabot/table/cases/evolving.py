"""What claims, disputes and breaches change."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.table import events as e
from sabot.table.parts import meters_of, on_station, put
from sabot.table.phase import Phase
from sabot.table.state import Case, CaseKind, TableState


def _case_opened(state: TableState, event: e.ClaimMade | e.DisputeOpened | e.BreachRecorded) -> TableState:
    match event:
        case e.ClaimMade():
            opened = Case(CaseKind.CLAIM, event.station, event.text, control=state.stations[event.station].control)
        case e.DisputeOpened():
            opened = Case(CaseKind.DISPUTE, event.station, event.text, control=state.stations[event.station].control)
        case e.BreachRecorded():
            opened = Case(CaseKind.BREACH, event.station, event.reason, event.prohibited_device, event.control)
    return replace(state, cases={**state.cases, event.case: opened})


def _case_closed(state: TableState, event: e.ClaimDecided | e.DisputeDecided | e.SeizedReleased) -> TableState:
    case = replace(state.cases[event.case], closed=True, seized=0)
    state = replace(state, cases={**state.cases, event.case: case})
    if isinstance(event, e.DisputeDecided):
        meters = dict(state.meters)
        for station, cents in event.adjustments.items():
            meters[station] = meters_of(state, station).corrected(cents)
        state = replace(state, meters=meters)
    return state


def _winnings_seized(state: TableState, event: e.WinningsSeized) -> TableState:
    case = state.cases[event.case]
    cases = {**state.cases, event.case: replace(case, seized=case.seized + event.cents)}
    meters = meters_of(state, event.station).corrected(-event.cents)
    return replace(state, cases=cases, meters=put(state.meters, event.station, meters))


def _wagers_voided(state: TableState, event: e.WagersVoided) -> TableState:
    coup = state.coup
    if coup is not None:
        sealed = {name: one for name, one in coup.sealed.items() if name != event.station}
        coup = replace(coup, sealed=sealed, void=(*coup.void, state.stations[event.station].control))
    return replace(state, coup=coup, faulted=state.faulted - {event.station} if _sealed(state) else state.faulted)


def _sealed(state: TableState) -> bool:
    return state.phase in (Phase.NO_MORE_BETS, Phase.DEALING)


def _excluded(state: TableState, event: e.PatronExcluded) -> TableState:
    return on_station(state, event.station, directed_to_leave=True)


APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    e.ClaimMade: _case_opened,
    e.DisputeOpened: _case_opened,
    e.BreachRecorded: _case_opened,
    e.ClaimDecided: _case_closed,
    e.DisputeDecided: _case_closed,
    e.SeizedReleased: _case_closed,
    e.WinningsSeized: _winnings_seized,
    e.WagersVoided: _wagers_voided,
    e.PatronExcluded: _excluded,
}
