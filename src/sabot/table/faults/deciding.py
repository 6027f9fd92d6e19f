"""Faults of a station or of the game system, before and after the end of the wagering period (CROWN 11.14 to 11.16).

What counts is when it failed, not when that was found. Before the end the wagers are void; from then on they are
confirmed from the records, which are this table's own events; what cannot be confirmed is void.
"""

import msgspec

from sabot.basics.stamp import Stamp
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.accounts.deciding import held_for_the_leaving
from sabot.table.corrections.deciding import adjustments_to, settled_last
from sabot.table.coup.deciding import aftermath
from sabot.table.events import (
    CoupVoided,
    Event,
    RecordsConfirmed,
    StationFaulted,
    SystemRestarted,
    WagersReversed,
    WagersSeen,
    WagersVoided,
)
from sabot.table.evolve import fold
from sabot.table.no import No
from sabot.table.phase import Phase
from sabot.table.refusal import Cause
from sabot.table.role import Role
from sabot.table.state import TableState

RENEWAL_MS = 500
"""How often a running table leaves a durable sign of life while wagering is open."""


def report_fault(state: TableState, act: acts.Fault, stamp: Stamp) -> tuple[Event, ...]:
    """A station failed: at once before the end of the wagering period its wagers are void and it stays locked."""
    station = state.stations.get(act.station)
    if station is None:
        raise No(Cause.UNKNOWN_STATION, station=act.station)
    coup = state.coup
    at_ms = stamp.at_ms if state.frozen_at_ms is None else state.frozen_at_ms  # A freeze stops the countdown (G-90).
    before = coup is not None and state.phase is Phase.WAGERING and at_ms < coup.deadline_ms
    clause = "CROWN 11.14(a)" if before else "CROWN 11.14(b)"
    faulted = StationFaulted(
        station=act.station,
        coup=state.coups,
        before_close=before,
        fault=act.fault,
        by=stamp.by,
        clause=clause,
    )
    layout = dict(state.purse(act.station).layout)
    if not before or not layout:
        return (faulted,)
    voided = WagersVoided(
        station=act.station,
        coup=state.coups,
        wagers=layout,
        reason=act.fault,
        by=stamp.by,
        clause=clause,
    )
    return (faulted, voided, *held_for_the_leaving(fold((faulted, voided), state)))


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


class OnRecord(msgspec.Struct, frozen=True):
    """A line of the list from which the dealer confirms: what the records say, and what speaks for it beside them."""

    station: str
    wagers: dict[Bet, int]
    journalled: bool
    """Always, for the table's state is nothing but what is journalled; it is on the list so that the list is whole."""
    acknowledged: bool | None
    """Whether the station had its acknowledgement; None until the station has told."""
    seen: bool | None
    """Whether the station shows the same wagers; None until it has told."""
    answers: tuple[str, ...]
    """What the dealer may answer for this station."""


def confirmation_list(state: TableState) -> list[OnRecord]:
    """What is to be confirmed: the wagers of every station after a restart, or of those that failed."""
    coup = state.coup
    if coup is None or not (state.awaits_confirmation or state.faulted):
        return []
    lines = []
    for station, wagers in state.layouts().items():
        if state.awaits_confirmation or station in state.faulted:
            told = coup.shown.get(station)
            acknowledged, seen = (told.accepted, told.agrees) if told else (None, None)
            answers = ("confirm_records", "cannot_confirm")
            lines.append(OnRecord(station, wagers, True, acknowledged, seen, answers))  # noqa: FBT003
    return lines


def tell_what_is_shown(state: TableState, act: acts.Seen, stamp: Stamp) -> tuple[Event, ...]:
    """A station's screen is evidence, never the record: what differs is for the dealer to see."""
    if stamp.role is not Role.STATION or act.station not in ("", stamp.by):
        raise No(Cause.NOT_THIS_STATION, station=act.station or stamp.by)
    if state.coup is None:
        raise No(Cause.NOTHING_TO_CONFIRM)
    if state.phase is Phase.WAGERING and not state.awaits_confirmation:
        raise No(Cause.WAGERING_OPEN, clause="CROWN 11.15(b)")
    shown = {bet: cents for bet, cents in act.wagers.items() if cents}
    return (
        WagersSeen(
            station=stamp.by,
            coup=state.coup.number,
            wagers=shown,
            accepted=act.accepted,
            agrees=shown == state.layouts().get(stamp.by, {}),
            clause="CROWN 11.15(b)",
        ),
    )


def confirm_records(state: TableState, act: acts.ConfirmRecords, stamp: Stamp) -> tuple[Event, ...]:
    """The wagers are what the records say; play goes on."""
    if act.station and act.station not in state.stations:
        raise No(Cause.UNKNOWN_STATION, station=act.station)
    if not state.awaits_confirmation and act.station not in state.faulted:
        raise No(Cause.NOTHING_TO_CONFIRM)
    clause = "CROWN 11.15(b)" if state.awaits_confirmation else "CROWN 11.14(b)"
    return (RecordsConfirmed(station=act.station, coup=state.coups, by=stamp.by, clause=clause),)


def cannot_confirm(state: TableState, act: acts.CannotConfirm, stamp: Stamp) -> tuple[Event, ...]:
    """A station's wagers cannot be confirmed: they are void, and reversed if the coup was settled (G-96)."""
    if not state.awaits_confirmation and act.station not in state.faulted:
        raise No(Cause.NOTHING_TO_CONFIRM)
    layout = dict(state.purse(act.station).layout)
    if layout:
        voided = WagersVoided(
            station=act.station,
            coup=state.coups,
            wagers=layout,
            reason="the records cannot confirm them",
            by=stamp.by,
            clause="CROWN 11.16",
        )
        return (voided, *held_for_the_leaving(fold((voided,), state)))
    # A restart puts only the coup under way in doubt; a settled one is in doubt where the station itself failed.
    newest = settled_last(state) if state.coup is None or act.station in state.faulted else None
    if newest is None or act.station not in newest.settlements:
        raise No(Cause.NOTHING_TO_VOID, station=act.station, clause="CROWN 11.16")
    others = {name: settled for name, settled in newest.settlements.items() if name != act.station}
    found = adjustments_to(state, newest, others)
    undone = WagersReversed(
        station=act.station,
        coup=newest.coup,
        settlements=others,
        adjustments=found,
        by=stamp.by,
        clause="CROWN 11.16",
    )
    return (undone, *held_for_the_leaving(fold((undone,), state)))
