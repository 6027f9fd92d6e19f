"""Corrections: a wrong outcome recalculated under a freeze, and coups made invalid after they were settled.

Both are one thing: the coup's effect on each account becomes what it should have been. Money that has been wagered
again or has left is never taken from another patron. What cannot be taken is booked as owed, what cannot be credited as
payable (G-88, G-89, G-98). Both results stay in history.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from sabot.basics.mistake import Mistake
from sabot.basics.stamp import Stamp
from sabot.ledger.account import payable_to, uncollected_from
from sabot.rules.cards import CARDS, read_cards
from sabot.rules.coup import read_coup, read_in_shoe_order
from sabot.rules.terms import Settlement
from sabot.table import acts
from sabot.table.accounts.deciding import audited, credited_at_last, held_for_the_leaving
from sabot.table.accounts.state import StationState
from sabot.table.coup.deciding import aftermath, dummy_for_cards_left_over
from sabot.table.events import (
    AccountsFrozen,
    AccountsUnfrozen,
    Adjustment,
    CoupInvalidated,
    CoupRecalculated,
    CoupVoided,
    Event,
    OutcomeCorrected,
    OwedWaived,
    PayablePaid,
    SessionCoupCorrected,
)
from sabot.table.evolve import fold
from sabot.table.history.kept import coup_as_settled, coup_here, session_kept
from sabot.table.irregularities.cards_out import cards_of_the_fact
from sabot.table.irregularities.taking_back import resolved_by_the_end
from sabot.table.no import No
from sabot.table.refusal import Cause
from sabot.table.role import Role
from sabot.table.sessions.standing import changes_by_entrant, with_forfeits
from sabot.table.sessions.state import KeptSession
from sabot.table.shoe.deciding import check_possible_together
from sabot.table.state import Played, Stage, TableState

CAUSES = {
    "malfunction": ("CROWN 11.10", Role.GAME_SUPERVISOR),
    "commotion": ("CROWN 13.3.1", Role.CASINO_SUPERVISOR),
    "fraud": ("CROWN 13.3.2", Role.CASINO_SUPERVISOR),
}
"""Why a coup may be made invalid: the clause, and the least role that may do it."""


def freeze(state: TableState, _act: acts.Freeze, stamp: Stamp) -> tuple[Event, ...]:
    if state.frozen_at_ms is not None:
        raise No(Cause.FROZEN)
    return (AccountsFrozen(at_ms=stamp.at_ms, by=stamp.by, clause="CROWN 11.11"),)


def correct(state: TableState, act: acts.Correct, stamp: Stamp) -> tuple[Event, ...]:
    """State the cards as they really fell; nothing moves until the recalculation.

    All cards that were drawn are named, in shoe order. The table of play may want another number of them for the true
    hands (G-110). A card that is missing can be drawn while no later coup has begun, and one left over opens a dummy
    coup then. Later coups are never touched (CROWN 11.9). Cards that a virtual shoe's commitment proves are the true
    ones.
    """
    _check_frozen(state)
    if state.correction is not None:
        raise No(Cause.CORRECTION_OPEN)
    played = find(state, act.coup)
    if played.proved:
        raise No(Cause.CARDS_COMMITTED, what="no outcome is corrected")
    check_day(state, played, stamp.role)
    try:
        coup, left_over = read_in_shoe_order(read_cards(act.cards))
    except Mistake as mistake:
        raise No(Cause.NOT_A_CARD, why=mistake, clause="G-110") from None
    same_shoe = state.has_shoe_of(played)
    newest = played.coup == state.coups and state.coup is None and same_shoe
    drawn = (*played.cards, *played.left_over)
    more = len(act.cards) - len(drawn)
    waiting = state.shoe.carried[:more] if more > 0 and newest else ()  # What waits left the shoe before any other.
    if same_shoe:
        known = (notation for notation in waiting if notation is not None)
        check_possible_together(state, act.cards, taken_back=(*drawn, *known))
    if more < 0 or (more > 0 and not newest) or (more > len(waiting) and left_over):
        raise No(Cause.CARDS_DRAWN, coup=played.coup, drawn=len(drawn), named=len(act.cards))
    return (
        OutcomeCorrected(
            coup=played.coup,
            was=drawn,
            cards=tuple(card.notation for card in coup.cards),
            left_over=tuple(card.notation for card in left_over),
            carried=newest and state.shoe.stage is Stage.IN_PLAY and bool(left_over),
            announcement=coup.sentence,
            by=stamp.by,
            clause="CROWN 11.11",
        ),
    )


def recalculate(state: TableState, _act: acts.Recalculate, stamp: Stamp) -> tuple[Event, ...]:
    """Settle every wager of the coup again on the true cards, and bring each account to where it should stand."""
    _check_frozen(state)
    if state.correction is None:
        raise No(Cause.NOTHING_TO_CORRECT)
    number, cards, _ = state.correction
    played = find(state, number)
    kept = _kept_session(state, played)
    rulings = played.terms.rulings(read_coup([CARDS[notation] for notation in cards]))
    settlements = {
        station: [rulings[one.bet].settle(one.bet, one.stake_cents) for one in settled]
        for station, settled in played.settlements.items()
    }
    if kept is not None:
        return (corrected_after_the_session(state, kept, played, settlements, stamp.by, "CROWN 11.11"),)
    recalculated = CoupRecalculated(
        coup=number,
        settlements=settlements,
        adjustments=adjustments_to(state, played, settlements),
        by=stamp.by,
        clause="CROWN 11.11",
    )
    return (recalculated, *held_for_the_leaving(fold((recalculated,), state)))


def unfreeze(state: TableState, _act: acts.Unfreeze, stamp: Stamp) -> tuple[Event, ...]:
    _check_frozen(state)
    if state.correction is not None:
        raise No(Cause.CORRECTION_OPEN)
    unfrozen = AccountsUnfrozen(at_ms=stamp.at_ms, by=stamp.by, clause="CROWN 11.11")
    events = (unfrozen, *credited_at_last(fold((unfrozen,), state), state.deferred, stamp.at_ms))
    if state.coup is not None:
        return events
    return (*events, *dummy_for_cards_left_over(fold(events, state), stamp.by, stamp.at_ms))


def invalidate(state: TableState, act: acts.Invalidate, stamp: Stamp) -> tuple[Event, ...]:
    """The coup counts for nothing: all its wagers are refunded, and what was paid on it is taken back (13.4)."""
    clause, least = CAUSES[act.cause]
    if least is Role.CASINO_SUPERVISOR and stamp.role is not Role.CASINO_SUPERVISOR:
        raise No(Cause.WRONG_ROLE, clause=clause, needed=least.in_words, role=stamp.role.in_words)
    if not act.reason.strip():
        raise No(Cause.REASON_MISSING, clause=clause)
    if state.coup is not None and state.coup.number == act.coup:
        refunds = state.layouts()
        reason = f"{act.cause}: {act.reason}"
        voided = CoupVoided(coup=act.coup, reason=reason, refunds=refunds, by=stamp.by, clause=clause)
        stated = resolved_by_the_end(state, stamp, "invalidate", "The coup is invalid.", clause)
        events = (*stated, *cards_of_the_fact(state, clause), voided)
        return (*events, *aftermath(state, events, stamp.by, stamp.at_ms))
    played = find(state, act.coup)
    check_day(state, played, stamp.role)
    kept = _kept_session(state, played)
    if kept is not None:
        corrected = corrected_after_the_session(state, kept, played, {}, stamp.by, clause)
        changes = with_forfeits(corrected.changes, kept.forfeits.get(played.coup, {}), kept.seats)
        return (replace(corrected, invalid=True, reason=act.reason, changes=changes),)
    invalidated = CoupInvalidated(
        coup=played.coup,
        cause=act.cause,
        reason=act.reason,
        adjustments=adjustments_to(state, played, {}),
        by=stamp.by,
        clause=clause,
    )
    return (invalidated, *held_for_the_leaving(fold((invalidated,), state)))


def ends_the_coup(state: TableState, act: acts.Invalidate, stamp: Stamp) -> bool:
    """Whether a Casino Supervisor ends the coup at a locked table, so that the house need not wait for it for ever.

    Its wagers go back to their accounts and nothing leaves the table, which stays locked.
    """
    return state.coup is not None and state.coup.number == act.coup and stamp.role is Role.CASINO_SUPERVISOR


def waive(state: TableState, act: acts.Waive, stamp: Stamp) -> tuple[Event, ...]:
    owed = state.owed(act.station)
    if not owed:
        raise No(Cause.NOTHING_OWED, station=act.station)
    return (OwedWaived(station=act.station, cents=owed, reason=act.reason, by=stamp.by, clause="G-89"),)


def pay_payable(state: TableState, act: acts.PayPayable, stamp: Stamp) -> tuple[Event, ...]:
    """A patron who has left comes back for what was found for that session; the dealer or the cage pays it (G-88)."""
    waiting = state.payable(act.station)
    if len(waiting) > 1 and act.control is None:
        raise No(Cause.WHOSE_PAYABLE, station=act.station, controls=", ".join(map(str, waiting)))
    control = next(iter(waiting), 0) if act.control is None else act.control
    if control not in waiting:
        raise No(Cause.NOTHING_PAYABLE, station=act.station)
    cents = waiting[control]
    coin = cents % state.configuration.smallest_chip
    paid = PayablePaid(
        station=act.station,
        control=control,
        cents=cents,
        chips_cents=cents - coin,
        coin_cents=coin,
        at_cage=stamp.role is Role.CASHIER,
        by=stamp.by,
        clause="G-88",
    )
    return audited(state, paid)


def find(state: TableState, number: int, clause: str | None = None) -> Played:
    """The coup as it was last settled; a coup that is void, or was never played, cannot be corrected."""
    played = coup_as_settled(state, number)
    if played is None:
        raise No(Cause.UNKNOWN_COUP, coup=number, clause=clause)
    if played.invalid:
        raise No(Cause.COUP_INVALID, coup=number)
    check_money_is_here(state, played)
    return played


def check_money_is_here(state: TableState, played: Played) -> None:
    """What was played for money is put right when the money is back on the table (G-133)."""
    if state.session is not None and not played.session:
        raise No(Cause.AFTER_THE_SESSION, coup=played.coup)


def _kept_session(state: TableState, played: Played) -> KeptSession | None:
    """The session of the coup, if it is over."""
    return session_kept(state, played.session)


def corrected_after_the_session(
    state: TableState,
    kept: KeptSession,
    played: Played,
    settlements: Mapping[str, list[Settlement]],
    by: str,
    clause: str,
) -> SessionCoupCorrected:
    """Scores change and nothing is booked: the credits are gone (G-133)."""
    return SessionCoupCorrected(
        sitting=played.session,
        coup=played.coup,
        settlements=dict(settlements),
        revision=kept.revision + 1,
        changes=changes_by_entrant(state, played.coup, settlements, kept.seats),
        by=by,
        clause=clause,
    )


def settled_last(state: TableState) -> Played | None:
    """The newest coup as it was last settled; none where it was void or a dummy coup, or has been made invalid.

    A dummy coup that followed it at once takes no wagers and is no newer coup for a station.
    """
    number = state.coups - 1 if state.coup is not None and not state.coup.had_wagering else state.coups
    newest = coup_here(state, number)
    return None if newest is None or newest.invalid else newest


def adjustments_to(
    state: TableState, played: Played, settlements: Mapping[str, list[Settlement]]
) -> dict[str, Adjustment]:
    """From the coup's effect on each account as it was booked to its effect as it should be.

    In a session a seat that closed has returned its credits: its score changes, and no account does (G-133).
    """
    check_money_is_here(state, played)
    if _kept_session(state, played) is not None:
        raise No(Cause.AFTER_THE_SESSION, coup=played.coup)
    found = {}
    for station, booked in played.settlements.items():
        control = played.controls[station]
        if state.session is not None and not _is_in_control(state, state.moved.get(control, station), control):
            continue
        should = settlements.get(station, [])
        change = sum(one.net_cents for one in should) - sum(one.net_cents for one in booked)
        commission = sum(one.commission_cents for one in should) - sum(one.commission_cents for one in booked)
        if not change and not commission:
            continue
        found[station] = adjustment(state, station, control, change, commission)
    return found


def adjustment(state: TableState, station: str, control: int, change: int, commission: int = 0) -> Adjustment:
    """How an amount reaches the patron of a control session, who may still be there or have left (G-88, G-89)."""
    adjust, seat = _raised if change > 0 else _lowered, state.moved.get(control, station)
    if state.session is not None and not _is_in_control(state, seat, control):
        raise No(Cause.NO_ACCOUNT, station=seat)
    found = adjust(state, seat, control, change, commission)
    return found if seat == station else replace(found, moved_to=seat)


def _raised(state: TableState, station: str, control: int, change: int, commission: int) -> Adjustment:
    """What is still short from an earlier correction is set off; the rest is credited, or waits for who has left."""
    same_patron = _is_in_control(state, station, control)
    short = state.owed(station) if same_patron else state.ledger.balance(uncollected_from(station, control))
    set_off = min(change, short)
    return Adjustment(
        change_cents=change,
        commission_cents=commission,
        credited_cents=change - set_off if same_patron else 0,
        taken_cents=0,
        from_held_cents=0,
        set_off_cents=set_off,
        owed_cents=0,
        payable_cents=0 if same_patron else change - set_off,
        control=control,
        same_patron=same_patron,
    )


def _lowered(state: TableState, station: str, control: int, change: int, commission: int) -> Adjustment:
    """What waits for a patron who has left is set off; from one who is here the free money is taken, never below zero.

    Free money is the balance and, for a leaving patron, what is held. Wagers that lie are not free (G-89), nor are
    notes that came in since the accounts were frozen (G-59).
    """
    same_patron, purse = _is_in_control(state, station, control), state.purse(station)
    left = -change
    set_off = min(left, state.ledger.balance(payable_to(station, control)))
    left -= set_off
    taken = min(left, purse.balance - state.stations[station].brought_while_frozen) if same_patron else 0
    from_held = min(left - taken, purse.held) if same_patron else 0
    return Adjustment(
        change_cents=change,
        commission_cents=commission,
        credited_cents=0,
        taken_cents=taken,
        from_held_cents=from_held,
        set_off_cents=set_off,
        owed_cents=left - taken - from_held,
        payable_cents=0,
        control=control,
        same_patron=same_patron,
    )


def _is_in_control(state: TableState, station: str, control: int) -> bool:
    return state.stations.get(station, StationState()).control == control


def check_day(state: TableState, played: Played, role: Role) -> None:
    """After the end of its gaming day a coup is the Casino Supervisor's alone to put right (G-91)."""
    if played.coup <= state.days_ended_with and role is not Role.CASINO_SUPERVISOR:
        needed = Role.CASINO_SUPERVISOR.in_words
        raise No(Cause.WRONG_ROLE, clause="G-91", needed=needed, role=role.in_words)


def _check_frozen(state: TableState) -> None:
    if state.frozen_at_ms is None:
        raise No(Cause.NOT_FROZEN)
