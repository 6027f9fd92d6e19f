"""What claims, disputes, breaches and complaints change."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.table import events as e
from sabot.table.cases.state import Case, CaseKind
from sabot.table.corrections.evolving import adjusted
from sabot.table.parts import meters_of, on_station, put
from sabot.table.phase import Phase
from sabot.table.state import TableState

OpensACase = e.ClaimMade | e.DisputeOpened | e.BreachRecorded | e.ComplaintMade
_KINDS: dict[type[e.Event], CaseKind] = {
    e.ClaimMade: CaseKind.CLAIM,
    e.DisputeOpened: CaseKind.DISPUTE,
    e.BreachRecorded: CaseKind.BREACH,
    e.ComplaintMade: CaseKind.COMPLAINT,
}


def _case_opened(state: TableState, event: OpensACase) -> TableState:
    """Who came later than the newest control session of now has nothing to do with it (G-141)."""
    opened = Case(
        _KINDS[type(event)],
        event.station,
        event.reason if isinstance(event, e.BreachRecorded) else event.text,
        prohibited_device=isinstance(event, e.BreachRecorded) and event.prohibited_device,
        control=event.control,
        patron=event.patron,
        person="" if isinstance(event, e.ClaimMade) else event.person,
        coup=event.coup if isinstance(event, e.ClaimMade | e.DisputeOpened) else 0,
        as_of=state.controls,
        reason=event.reason if isinstance(event, e.ClaimMade) else "",
    )
    state = replace(state, cases={**state.cases, event.case: opened}, cases_opened=event.case)
    return _claims_changed(state, event.case)


def _claims_changed(state: TableState, number: int) -> TableState:
    """A tournament waits for the claims of its session, so it must hear of each that is made or ended (CROWN 11.12)."""
    if state.session is None or state.cases[number].kind is not CaseKind.CLAIM:
        return state
    return replace(state, session=replace(state.session, revision=state.session.revision + 1))


def _with(state: TableState, number: int, **changes: object) -> TableState:
    return replace(state, cases={**state.cases, number: replace(state.cases[number], **changes)})


def _claim_decided(state: TableState, event: e.ClaimDecided) -> TableState:
    """An accepted claim is open until its remedy was performed (G-147)."""
    return _claims_changed(_with(state, event.case, closed=not event.accepted, remedy=event.remedy), event.case)


def _closed(state: TableState, event: e.RemedyPerformed | e.ComplaintClosed | e.SeizedReleased) -> TableState:
    return _claims_changed(_with(state, event.case, closed=True, seized=0), event.case)


def _dispute_decided(state: TableState, event: e.DisputeDecided) -> TableState:
    return _with(adjusted(state, event.booked), event.case, closed=True)


def _breach_acted(state: TableState, event: e.BreachActed) -> TableState:
    """A detention begins with its first entry; later ones are notes on it."""
    if event.act != "detain" or state.cases[event.case].detained_ms is not None:
        return state
    return _with(state, event.case, detained_ms=event.at_ms)


def _detention_ended(state: TableState, event: e.DetentionEnded) -> TableState:
    return _with(state, event.case, detained_ms=None)


def _complaint_answered(state: TableState, event: e.ComplaintAnswered) -> TableState:
    return _with(state, event.case, told=(*state.cases[event.case].told, event.told))


def _winnings_seized(state: TableState, event: e.WinningsSeized) -> TableState:
    """What waits for a patron who has left is no part of the station's meters."""
    case, here = state.cases[event.case], event.cents - event.from_payable_cents
    state = _with(state, event.case, seized=case.seized + event.cents, seized_in_all=case.seized_in_all + event.cents)
    meters = meters_of(state, event.station).corrected(-here)
    return replace(state, meters=put(state.meters, event.station, meters))


def _wagers_voided(state: TableState, event: e.WagersVoided) -> TableState:
    coup = state.coup
    if coup is not None:
        sealed = {name: one for name, one in coup.sealed.items() if name != event.station}
        coup = replace(coup, sealed=sealed, void=(*coup.void, state.stations[event.station].control))
    return replace(state, coup=coup, faulted=state.faulted - {event.station} if _sealed(state) else state.faulted)


def _sealed(state: TableState) -> bool:
    return state.phase in (Phase.NO_MORE_BETS, Phase.DEALING)


def _excluded(state: TableState, event: e.PatronExcluded) -> TableState:
    return on_station(state, event.station, directed_to_leave=True) if event.station else state


APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    **dict.fromkeys(_KINDS, _case_opened),
    e.ClaimDecided: _claim_decided,
    e.RemedyPerformed: _closed,
    e.ComplaintClosed: _closed,
    e.SeizedReleased: _closed,
    e.DisputeDecided: _dispute_decided,
    e.BreachActed: _breach_acted,
    e.DetentionEnded: _detention_ended,
    e.ComplaintAnswered: _complaint_answered,
    e.WinningsSeized: _winnings_seized,
    e.WagersVoided: _wagers_voided,
    e.PatronExcluded: _excluded,
}
