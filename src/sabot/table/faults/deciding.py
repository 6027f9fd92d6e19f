"""Faults of a station or of the game system, before and after the end of the wagering period (CROWN 11.14, 11.15).

What counts is when it failed, not when that was found. Before the end the wagers are void; from then on they are
confirmed from the records, which are this table's own events (`records.py`).
"""

from sabot.basics.stamp import Stamp
from sabot.table import acts
from sabot.table.accounts.deciding import held_for_the_leaving
from sabot.table.corrections.deciding import adjustments_to, check_day
from sabot.table.coup.deciding import aftermath
from sabot.table.events import (
    ClockJumped,
    CoupInvalidated,
    CoupVoided,
    Event,
    StationFaulted,
    SystemFailed,
    SystemRestarted,
    WagersReversed,
    WagersVoided,
)
from sabot.table.evolve import fold
from sabot.table.faults.moment import failed_at, is_before_the_end, signature
from sabot.table.history.kept import coup_here
from sabot.table.no import No
from sabot.table.phase import Phase
from sabot.table.refusal import Cause
from sabot.table.state import Played, TableState

RENEWAL_MS = 500
"""How often a running table leaves a durable sign of life while wagering is open."""


def report_fault(state: TableState, act: acts.Fault, stamp: Stamp) -> tuple[Event, ...]:
    """A station failed: before the end of the wagering period its wagers are void and it stays locked."""
    if act.station not in state.stations:
        raise No(Cause.UNKNOWN_STATION, station=act.station)
    at_ms = failed_at(state, act.failed_ms, stamp, (act.station,), "CROWN 11.14(a)")
    before = is_before_the_end(state, at_ms)
    clause = "CROWN 11.14(a)" if before else "CROWN 11.14(b)"
    layout = dict(state.purse(act.station).layout)
    settled = _settled_wrongly(state, stamp) if before else None
    voids = before and (bool(layout) if settled is None else act.station in settled.settlements)
    faulted = StationFaulted(
        station=act.station,
        coup=_coup_in_question(state),
        before_close=before,
        fault=act.fault,
        failed_ms=at_ms,
        by=stamp.by,
        signed_by=signature(state, at_ms, stamp, voids=voids, clause=clause),
        clause=clause,
    )
    if not voids:
        return (faulted,)
    if settled is not None:
        return _and_held(state, faulted, reversed_for(state, settled, act.station, act.fault, stamp.by, clause))
    voided = WagersVoided(
        station=act.station,
        coup=state.coups,
        wagers=layout,
        reason=act.fault,
        by=stamp.by,
        clause=clause,
    )
    return _and_held(state, faulted, voided)


def declare_malfunction(state: TableState, act: acts.Malfunction, stamp: Stamp) -> tuple[Event, ...]:
    """The game system failed: before the end the coup is void for all; else its wagers await confirmation (11.15)."""
    at_ms = failed_at(state, act.failed_ms, stamp, state.stations, "CROWN 11.15(a)")
    before, coup = is_before_the_end(state, at_ms), state.coup
    clause = "CROWN 11.15(a)" if before else "CROWN 11.15(b)"
    under_way = coup is not None and coup.had_wagering and not coup.dummy
    settled = _settled_wrongly(state, stamp) if before else None
    voids = before and (under_way or settled is not None)
    failed = SystemFailed(
        coup=_coup_in_question(state),
        before_close=before,
        fault=act.fault,
        failed_ms=at_ms,
        at_ms=stamp.at_ms,
        awaits_confirmation=under_way and not before,
        by=stamp.by,
        signed_by=signature(state, at_ms, stamp, voids=voids, clause=clause),
        clause=clause,
    )
    if before and coup is not None and under_way:
        reason = f"the game system failed before the end of the wagering period: {act.fault}"
        voided = CoupVoided(coup=coup.number, reason=reason, refunds=state.layouts(), by=stamp.by, clause=clause)
        return (failed, voided, *aftermath(state, (failed, voided), stamp.by, stamp.at_ms))
    if settled is None:
        return (failed,)
    invalid = CoupInvalidated(
        coup=settled.coup,
        cause="system_failure",
        reason=act.fault,
        adjustments=adjustments_to(state, settled, {}),
        by=stamp.by,
        clause=clause,
    )
    return _and_held(state, failed, invalid)


def reversed_for(state: TableState, played: Played, station: str, reason: str, by: str, clause: str) -> WagersReversed:
    """One station's part of a settlement undone; the others stay settled (G-96)."""
    others = {name: settled for name, settled in played.settlements.items() if name != station}
    return WagersReversed(
        station=station,
        coup=played.coup,
        settlements=others,
        adjustments=adjustments_to(state, played, others),
        reason=reason,
        by=by,
        clause=clause,
    )


def _coup_in_question(state: TableState) -> int:
    """The newest coup that had a wagering period."""
    return state.coups if state.period is None else state.period.coup


def _settled_wrongly(state: TableState, stamp: Stamp) -> Played | None:
    """The newest coup, where it is settled although the failure came before the end of its wagering period."""
    if state.coup is not None and state.coup.had_wagering:
        return None
    number = _coup_in_question(state)
    settled = coup_here(state, number)
    if settled is None or settled.invalid:
        return None
    check_day(state, settled, stamp.role)
    return settled


def _and_held(state: TableState, *events: Event) -> tuple[Event, ...]:
    """What goes back to a patron who is leaving is held with the rest (G-58)."""
    return (*events, *held_for_the_leaving(fold(events, state)))


def note_clock(_state: TableState, act: acts.ClockJump, stamp: Stamp) -> tuple[Event, ...]:
    """A clock jumped: on record, so that a failure is dated by the table's own time and not by the jump."""
    return (ClockJumped(clock=act.clock, by_ms=act.by_ms, at_ms=stamp.at_ms, clause="CROWN 11.15"),)


def restart(state: TableState, act: acts.Restart, stamp: Stamp) -> tuple[Event, ...]:
    """The game system came back: the last durable sign of life against the deadline says which rule applies (G-95)."""
    coup = state.coup
    last_sign = min(act.last_sign_ms, stamp.at_ms)
    if state.frozen_at_ms is not None:  # Under a freeze the countdown stood still (G-90).
        last_sign = min(last_sign, state.frozen_at_ms)
    ended = coup is None or state.phase is not Phase.WAGERING or last_sign >= coup.deadline_ms
    unclear = not ended and coup is not None and last_sign + RENEWAL_MS >= coup.deadline_ms
    clause = "CROWN 11.16" if unclear else "CROWN 11.15(b)" if ended else "CROWN 11.15(a)"
    restarted = SystemRestarted(
        last_sign_ms=act.last_sign_ms,
        at_ms=stamp.at_ms,
        awaits_confirmation=coup is not None and ended,
        clause=clause,
        keeps=max(0, act.keeps),
    )
    if coup is None or ended:
        return (restarted,)
    refunds = state.layouts()
    voided = CoupVoided(
        coup=coup.number,
        reason="the game system failed before the end of the wagering period",
        refunds=refunds,
        by=stamp.by,
        clause=clause,
    )
    return (restarted, voided, *aftermath(state, (restarted, voided), stamp.by, stamp.at_ms))
