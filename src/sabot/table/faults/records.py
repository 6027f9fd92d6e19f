"""Confirming wagers from the records after a fault, and what the records cannot confirm (CROWN 11.14(b) to 11.16).

The records are the table's own events, so what they hold is confirmed by them. Only where a station shows other wagers
than they hold may they be unable to confirm: those wagers are void, by a supervisor once a card is face up (G-151).
"""

import msgspec

from sabot.basics.stamp import Stamp
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.accounts.deciding import held_for_the_leaving
from sabot.table.corrections.deciding import check_day
from sabot.table.events import Event, RecordsConfirmed, WagersReversed, WagersSeen, WagersVoided
from sabot.table.evolve import fold
from sabot.table.faults.deciding import reversed_for
from sabot.table.history.kept import coup_here
from sabot.table.no import No
from sabot.table.phase import Phase
from sabot.table.refusal import Cause
from sabot.table.role import GAME_SUPERVISOR_OR_ABOVE, Role
from sabot.table.state import Doubt, Played, TableState


class OnRecord(msgspec.Struct, frozen=True):
    """A line of the list from which the dealer confirms: what the records say, and what speaks for it beside them."""

    station: str
    coup: int
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
    """What is to be confirmed in the coup under way, and what stations contradict in earlier ones."""
    lines = []
    for doubt in state.doubts:
        wagers = _wagers_on_record(state, doubt)
        if not wagers or not doubt.declared or not (_is_under_way(state, doubt) or doubt.contradicted):
            continue
        acknowledged, seen = (doubt.told.accepted, doubt.told.agrees) if doubt.told else (None, None)
        answers = ("confirm_records", "cannot_confirm") if doubt.contradicted else ("confirm_records",)
        lines.append(OnRecord(doubt.station, doubt.coup, wagers, True, acknowledged, seen, answers))  # noqa: FBT003
    return lines


def tell_what_is_shown(state: TableState, act: acts.Seen, stamp: Stamp) -> tuple[Event, ...]:
    """A station's screen is evidence, never the record: what differs is for the dealer to see."""
    if stamp.role is not Role.STATION or act.station not in ("", stamp.by):
        raise No(Cause.NOT_THIS_STATION, station=act.station or stamp.by)
    coup = state.coup
    if coup is not None and coup.had_wagering and act.coup in (None, coup.number):
        if state.phase is Phase.WAGERING and not state.awaits_confirmation:
            raise No(Cause.WAGERING_OPEN, clause="CROWN 11.15(b)")
        number, on_record = coup.number, state.layouts().get(stamp.by, {})
    else:
        doubt = _doubt(state, stamp.by, act.coup)
        number, on_record = doubt.coup, _wagers_on_record(state, doubt)
    shown = {bet: cents for bet, cents in act.wagers.items() if cents}
    return (
        WagersSeen(
            station=stamp.by,
            coup=number,
            wagers=shown,
            accepted=act.accepted,
            agrees=shown == on_record,
            clause="CROWN 11.15(b)",
        ),
    )


def confirm_records(state: TableState, act: acts.ConfirmRecords, stamp: Stamp) -> tuple[Event, ...]:
    """The wagers are what the records say; play goes on."""
    if act.station and act.station not in state.stations:
        raise No(Cause.UNKNOWN_STATION, station=act.station)
    if not act.station and not state.awaits_confirmation:
        raise No(Cause.NOTHING_TO_CONFIRM)
    number = _doubt(state, act.station, act.coup).coup if act.station else state.coups
    clause = "CROWN 11.15(b)" if state.awaits_confirmation else "CROWN 11.14(b)"
    return (RecordsConfirmed(station=act.station, coup=number, by=stamp.by, clause=clause),)


def cannot_confirm(state: TableState, act: acts.CannotConfirm, stamp: Stamp) -> tuple[Event, ...]:
    """A station shows other wagers than the records hold: they are void, and reversed if they were settled (G-96)."""
    doubt = _doubt(state, act.station, act.coup)
    wagers = _wagers_on_record(state, doubt)
    if not wagers:
        raise No(Cause.NOTHING_TO_VOID, station=act.station, clause="CROWN 11.16")
    if not doubt.contradicted:
        raise No(Cause.RECORDS_HOLD, station=act.station, coup=doubt.coup)
    _check_authority(state, doubt, stamp)
    if not act.reason.strip():
        raise No(Cause.REASON_MISSING, clause="CROWN 11.16")
    undone = _undone(state, doubt, wagers, act.reason, stamp.by)
    return (undone, *held_for_the_leaving(fold((undone,), state)))


def _undone(
    state: TableState, doubt: Doubt, wagers: dict[Bet, int], reason: str, by: str
) -> WagersVoided | WagersReversed:
    played = _settled(state, doubt)
    if played is not None:
        return reversed_for(state, played, doubt.station, reason, by, "CROWN 11.16")
    return WagersVoided(
        station=doubt.station, coup=doubt.coup, wagers=wagers, reason=reason, by=by, clause="CROWN 11.16"
    )


def _check_authority(state: TableState, doubt: Doubt, stamp: Stamp) -> None:
    """Once a card is face up it is a supervisor's, and after the gaming day a Casino Supervisor's (G-151, G-91)."""
    played = _settled(state, doubt)
    if played is not None:
        check_day(state, played, stamp.role)
    face_up = played is not None or (state.coup is not None and bool(state.coup.cards))
    if face_up and stamp.role not in GAME_SUPERVISOR_OR_ABOVE:
        needed = Role.GAME_SUPERVISOR.in_words
        raise No(Cause.WRONG_ROLE, clause="CROWN 11.16", needed=needed, role=stamp.role.in_words)


def _doubt(state: TableState, station: str, coup: int | None) -> Doubt:
    """The newest failure that was declared for this station, or the one in this coup."""
    found = [one for one in state.doubts if one.declared and one.station == station and coup in (None, one.coup)]
    if not found:
        raise No(Cause.NOTHING_TO_CONFIRM)
    return max(found, key=lambda one: one.coup)


def _is_under_way(state: TableState, doubt: Doubt) -> bool:
    return state.coup is not None and state.coup.number == doubt.coup


def _settled(state: TableState, doubt: Doubt) -> Played | None:
    """The coup as it was last settled, unless it is under way, void or invalid."""
    if _is_under_way(state, doubt):
        return None
    newest = coup_here(state, doubt.coup)
    return None if newest is None or newest.invalid else newest


def _wagers_on_record(state: TableState, doubt: Doubt) -> dict[Bet, int]:
    """What the records hold of the station in that coup."""
    if _is_under_way(state, doubt):
        return dict(state.purse(doubt.station).layout)
    played = _settled(state, doubt)
    settled = played.settlements.get(doubt.station, ()) if played else ()
    return {one.bet: one.stake_cents for one in settled}
