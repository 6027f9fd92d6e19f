"""What corrections, cases and faults change."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from sabot.table import events as e
from sabot.table.evolve.parts import meters_of, on_station, put
from sabot.table.phase import Phase
from sabot.table.state import (
    Case,
    Played,
    Shown,
    TableState,
    seen,
)


def _frozen(state: TableState, event: e.AccountsFrozen) -> TableState:
    return replace(state, frozen_at_ms=event.at_ms)


def _unfrozen(state: TableState, event: e.AccountsUnfrozen) -> TableState:
    """The countdown stood still and resumes with what was left of it (G-90)."""
    coup = state.coup
    if coup is not None and state.phase is Phase.WAGERING and state.frozen_at_ms is not None:
        coup = replace(coup, deadline_ms=coup.deadline_ms + event.at_ms - state.frozen_at_ms)
    stations = {name: replace(one, brought_while_frozen=0) for name, one in state.stations.items()}
    return replace(state, frozen_at_ms=None, coup=coup, stations=stations, deferred=())


def _outcome_corrected(state: TableState, event: e.OutcomeCorrected) -> TableState:
    """The census follows the true cards, if they came from the shoe that is in play.

    Cards that wait for the next coup left the shoe before any other, so a card that was missing is one of them first.
    """
    shoe = state.shoe
    if state.has_shoe_of(_last_played(state, event.coup)):
        for notation in event.was:
            shoe = replace(shoe, census=seen(shoe, notation, -1))
        for notation in (*event.cards, *event.left_over):
            shoe = replace(shoe, census=seen(shoe, notation))
        more = len(event.cards) + len(event.left_over) - len(event.was)
        waiting = shoe.carried[: max(0, more)]
        for known in waiting:
            shoe = replace(shoe, census=seen(shoe, known, -1)) if known is not None else shoe
        shoe = replace(shoe, out=shoe.out + more - len(waiting), carried=shoe.carried[len(waiting) :])
        if event.carried:
            shoe = replace(shoe, carried=(*event.left_over, *shoe.carried), carried_by="G-110")
    left_over = () if event.carried else event.left_over
    return replace(state, correction=(event.coup, event.cards, left_over), shoe=shoe)


def _recalculated(state: TableState, event: e.CoupRecalculated) -> TableState:
    assert state.correction is not None
    _, cards, left_over = state.correction
    played = _last_played(state, event.coup)
    played = replace(played, cards=cards, left_over=left_over, settlements=event.settlements)
    return replace(_adjusted(state, event.adjustments), correction=None, played=state.played.then(played))


def _invalidated(state: TableState, event: e.CoupInvalidated) -> TableState:
    played = replace(_last_played(state, event.coup), invalid=True)
    waiting = state.correction if state.correction and state.correction[0] != event.coup else None
    return replace(_adjusted(state, event.adjustments), correction=waiting, played=state.played.then(played))


def _owed_collected(state: TableState, event: e.OwedCollected) -> TableState:
    meters = meters_of(state, event.station).corrected(-event.cents)
    return replace(state, meters=put(state.meters, event.station, meters))


def _adjusted(state: TableState, adjustments: Mapping[str, e.Adjustment]) -> TableState:
    meters = dict(state.meters)
    for station, one in adjustments.items():
        change = one.credited_cents - one.taken_cents - one.from_held_cents
        meters[station] = meters_of(state, station).corrected(change)
        if one.owed_cents and one.same_patron and not state.owed(station):
            untouched = state.stations[station].brought_while_frozen
            state = on_station(state, station, brought_while_owing=untouched)
    return replace(state, meters=meters)


def _last_played(state: TableState, number: int) -> Played:
    return next(played for played in reversed(list(state.played)) if played.coup == number)


def _case_opened(state: TableState, event: e.ClaimMade | e.DisputeOpened | e.BreachRecorded) -> TableState:
    kind = {e.ClaimMade: "claim", e.DisputeOpened: "dispute", e.BreachRecorded: "breach"}[type(event)]
    text = event.reason if isinstance(event, e.BreachRecorded) else event.text
    device, control = False, 0
    if isinstance(event, e.BreachRecorded):
        device, control = event.prohibited_device, event.control
    return replace(state, cases={**state.cases, event.case: Case(kind, event.station, text, device, control)})


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
        coup = replace(coup, sealed={name: one for name, one in coup.sealed.items() if name != event.station})
    return replace(state, coup=coup, faulted=state.faulted - {event.station} if _sealed(state) else state.faulted)


def _sealed(state: TableState) -> bool:
    return state.phase in (Phase.NO_MORE_BETS, Phase.DEALING)


def _excluded(state: TableState, event: e.PatronExcluded) -> TableState:
    return on_station(state, event.station, directed_to_leave=True)


def _station_faulted(state: TableState, event: e.StationFaulted) -> TableState:
    return replace(state, faulted=state.faulted | {event.station})


def _restarted(state: TableState, event: e.SystemRestarted) -> TableState:
    return replace(state, awaits_confirmation=event.awaits_confirmation)


def _wagers_seen(state: TableState, event: e.WagersSeen) -> TableState:
    assert state.coup is not None
    shown = {**state.coup.shown, event.station: Shown(event.accepted, event.agrees)}
    return replace(state, coup=replace(state.coup, shown=shown))


def _records_confirmed(state: TableState, event: e.RecordsConfirmed) -> TableState:
    if not event.station:
        return replace(state, awaits_confirmation=False)
    return replace(state, faulted=state.faulted - {event.station})


def _wagers_reversed(state: TableState, event: e.WagersReversed) -> TableState:
    played = replace(_last_played(state, event.coup), settlements=event.settlements)
    state = _adjusted(state, event.adjustments)
    return replace(state, played=state.played.then(played), faulted=state.faulted - {event.station})


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
    e.StationFaulted: _station_faulted,
    e.SystemRestarted: _restarted,
    e.WagersSeen: _wagers_seen,
    e.RecordsConfirmed: _records_confirmed,
    e.WagersReversed: _wagers_reversed,
    e.AccountsFrozen: _frozen,
    e.AccountsUnfrozen: _unfrozen,
    e.OutcomeCorrected: _outcome_corrected,
    e.CoupRecalculated: _recalculated,
    e.CoupInvalidated: _invalidated,
    e.OwedCollected: _owed_collected,
}
