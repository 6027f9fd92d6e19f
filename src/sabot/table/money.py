"""Which postings a money event makes. Nothing else moves money."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sabot.ledger.account import (
    CAGE,
    CASH_BOX,
    CHIP_RACK,
    COMMISSION,
    DIFFERENCE,
    FLOAT,
    FLOAT_DIFFERENCE,
    FORFEITED,
    ISSUED,
    TICKETS,
    TOKENS,
    UNEXPLAINED,
    VOUCHERS,
    WIN,
    Account,
    chip_account,
    held_for,
    note_box,
    on_layout,
    owed_by,
    payable_to,
    seized_from,
    ticket_box,
    uncollected_from,
)
from sabot.ledger.posting import Posting
from sabot.rules.terms import Outcome
from sabot.table.events import (
    Adjustment,
    BalanceHeld,
    BoughtIn,
    BuyInCorrected,
    ChipsCredited,
    ChipsFilled,
    CoupInvalidated,
    CoupRecalculated,
    CoupVoided,
    CreditsAdded,
    CreditsForfeited,
    DifferenceBooked,
    DisputeDecided,
    DummyCoupDeclared,
    Event,
    FloatCounted,
    ForfeitReturned,
    LeaveAsked,
    LeaveTakenBack,
    NoteStacked,
    OwedCollected,
    OwedUncollected,
    OwedWaived,
    PaidByHand,
    PaidOut,
    PatronMoved,
    PayablePaid,
    ResolutionTakenBack,
    SeatClosed,
    SeatOpened,
    SeizedReleased,
    TicketCredited,
    TicketIssued,
    TicketPaidManually,
    WageringClosed,
    WagersChanged,
    WagersReversed,
    WagersSettled,
    WagersVoided,
    WinningsSeized,
)
from sabot.table.wagers.evolving import laid

_WON, _LOST = Outcome.WIN, Outcome.LOSE
TENDERS = {"cash": CASH_BOX, "voucher": VOUCHERS, "token": TOKENS, "chips": CHIP_RACK}


def postings(event: Event) -> list[Posting]:
    """The postings of an event, each with its clause; none for an event that moves no money."""
    make = _POSTINGS.get(type(event))
    return list(make(event)) if make else []


def _bought_in(event: BoughtIn) -> Iterator[Posting]:
    yield Posting(TENDERS[event.tender], chip_account(event.station), event.cents, event.clause)


def _note(event: NoteStacked) -> Iterator[Posting]:
    yield Posting(note_box(event.station), chip_account(event.station), event.cents, event.clause)


def _ticket_in(event: TicketCredited) -> Iterator[Posting]:
    yield Posting(ticket_box(event.station), chip_account(event.station), event.cents, event.clause)


def _wagers(event: WagersChanged) -> Iterator[Posting]:
    account = chip_account(event.station)
    for bet, cents in laid(event).items():
        change = cents - event.before[bet]
        if change > 0:
            yield Posting(account, on_layout(event.station, bet), change, event.clause)
        elif change < 0:
            clause = event.returned.get(bet, event.clause)
            yield Posting(on_layout(event.station, bet), account, -change, clause)


def _closed(event: WageringClosed) -> Iterator[Posting]:
    for station, refunds in event.refunds.items():
        for refund in refunds:
            for bet, cents in refund.wagers.items():
                yield Posting(on_layout(station, bet), chip_account(station), cents, refund.clause)


def _voided(event: CoupVoided) -> Iterator[Posting]:
    for station, wagers in event.refunds.items():
        for bet, cents in wagers.items():
            yield Posting(on_layout(station, bet), chip_account(station), cents, event.clause)


def _dummy(event: DummyCoupDeclared) -> Iterator[Posting]:
    for station, wagers in event.refunds.items():
        for bet, cents in wagers.items():
            yield Posting(on_layout(station, bet), chip_account(station), cents, event.refund_clause)


def _settled(event: WagersSettled) -> Iterator[Posting]:
    """A winner's account is credited once, with what is left after commission (CROWN 4.8.2(a))."""
    for station, settlements in event.settlements.items():
        account = chip_account(station)
        for one in settlements:
            layout = on_layout(station, one.bet)
            if one.outcome is _LOST:
                yield Posting(layout, WIN, one.stake_cents, one.clause)
                continue
            yield Posting(layout, account, one.stake_cents, one.clause)
            if one.outcome is _WON:
                yield Posting(WIN, account, one.net_cents, one.clause)
                if one.commission_cents:
                    yield Posting(WIN, COMMISSION, one.commission_cents, one.clause)


def _adjusted(event: CoupRecalculated | CoupInvalidated | WagersReversed) -> Iterator[Posting]:
    yield from _adjustments(event.adjustments, event.clause)


def _reversed(event: WagersReversed) -> Iterator[Posting]:
    if event.from_seized_cents:
        yield Posting(seized_from(event.station), WIN, event.from_seized_cents, event.clause)
    yield from _adjusted(event)


def _adjustments(adjustments: Mapping[str, Adjustment], clause: str) -> Iterator[Posting]:
    for station, one in adjustments.items():
        yield from _adjustment(station, one, WIN, clause)
        if one.commission_cents > 0:
            yield Posting(WIN, COMMISSION, one.commission_cents, clause)
        elif one.commission_cents < 0:
            yield Posting(COMMISSION, WIN, -one.commission_cents, clause)


def _taken_back(event: ResolutionTakenBack) -> Iterator[Posting]:
    yield from event.moved


def _adjustment(station: str, one: Adjustment, against: Account, clause: str) -> Iterator[Posting]:
    """A patron's account brought to where it should stand, against the account that bears the difference."""
    station = one.moved_to or station
    account = chip_account(station)
    short = owed_by(station) if one.same_patron else uncollected_from(station, one.control)
    if one.change_cents > 0:
        moves = [
            (against, short, one.set_off_cents),
            (against, account, one.credited_cents),
            (against, payable_to(station, one.control), one.payable_cents),
        ]
    else:
        moves = [
            (payable_to(station, one.control), against, one.set_off_cents),
            (account, against, one.taken_cents),
            (held_for(station), against, one.from_held_cents),
            (short, against, one.owed_cents),
        ]
    yield from (Posting(debit, credit, cents, clause) for debit, credit, cents in moves if cents)


def _buy_in_corrected(event: BuyInCorrected) -> Iterator[Posting]:
    """The box of the tender bears the difference, and never the table's win (CROWN 6.3.2)."""
    tender = TENDERS[event.tender]
    if event.tender != event.was_tender:
        yield Posting(tender, TENDERS[event.was_tender], event.was_cents, event.clause)
    yield from _adjustment(event.station, event.adjustment, tender, event.clause)


def _wagers_voided(event: WagersVoided) -> Iterator[Posting]:
    for bet, cents in event.wagers.items():
        yield Posting(on_layout(event.station, bet), chip_account(event.station), cents, event.clause)


def _disputed(event: DisputeDecided) -> Iterator[Posting]:
    yield from _adjustments(event.booked, event.clause)


def _seized(event: WinningsSeized) -> Iterator[Posting]:
    seized = seized_from(event.station)
    waiting, held = event.from_payable_cents, event.from_held_cents
    moves = [
        (payable_to(event.station, event.control), waiting),
        (held_for(event.station), held),
        (chip_account(event.station), event.cents - waiting - held),
    ]
    yield from (Posting(source, seized, cents, event.clause) for source, cents in moves if cents)


def _released(event: SeizedReleased) -> Iterator[Posting]:
    yield Posting(seized_from(event.station), WIN if event.forfeit else CHIP_RACK, event.cents, event.clause)


def _collected(event: OwedCollected) -> Iterator[Posting]:
    source = held_for(event.station) if event.from_held else chip_account(event.station)
    yield Posting(source, owed_by(event.station), event.cents, event.clause)


def _uncollected(event: OwedUncollected) -> Iterator[Posting]:
    short = uncollected_from(event.station, event.control)
    yield Posting(short, owed_by(event.station), event.cents, event.clause)


def _payable_paid(event: PayablePaid) -> Iterator[Posting]:
    payable = payable_to(event.station, event.control)
    if event.at_cage:
        yield Posting(payable, CAGE, event.cents, event.clause)
        return
    yield from _in_chips_and_coin(payable, event.chips_cents, event.coin_cents, event.clause)


def _waived(event: OwedWaived) -> Iterator[Posting]:
    yield Posting(WIN, owed_by(event.station), event.cents, event.clause)


def _leave_asked(event: LeaveAsked) -> Iterator[Posting]:
    if event.held_cents:
        yield Posting(chip_account(event.station), held_for(event.station), event.held_cents, event.clause)


def _leave_taken_back(event: LeaveTakenBack) -> Iterator[Posting]:
    if event.cents:
        yield Posting(held_for(event.station), chip_account(event.station), event.cents, event.clause)


def _held(event: BalanceHeld) -> Iterator[Posting]:
    yield Posting(chip_account(event.station), held_for(event.station), event.cents, event.clause)


def _paid_out(event: PaidOut) -> Iterator[Posting]:
    yield from _in_chips_and_coin(held_for(event.station), event.chips_cents, event.coin_cents, event.clause)


def _in_chips_and_coin(account: Account, chips_cents: int, coin_cents: int, clause: str) -> Iterator[Posting]:
    if chips_cents:
        yield Posting(account, CHIP_RACK, chips_cents, clause)
    if coin_cents:
        yield Posting(account, CASH_BOX, coin_cents, clause)


def _patron_moved(event: PatronMoved) -> Iterator[Posting]:
    source, target, control = event.station, event.target, event.control
    moves = [
        (chip_account(source), chip_account(target), event.balance_cents),
        (held_for(source), held_for(target), event.held_cents),
        (owed_by(target), owed_by(source), event.owed_cents),
        (payable_to(source, control), payable_to(target, control), event.payable_cents),
        (seized_from(source), seized_from(target), event.seized_cents),
        *((on_layout(source, bet), on_layout(target, bet), cents) for bet, cents in event.wagers.items()),
    ]
    yield from (Posting(debit, credit, cents, event.clause) for debit, credit, cents in moves if cents)


def _ticket(event: TicketIssued) -> Iterator[Posting]:
    yield Posting(held_for(event.station), TICKETS, event.cents, event.clause)


def _manual(event: TicketPaidManually) -> Iterator[Posting]:
    yield Posting(TICKETS, CASH_BOX, event.cents, event.clause)


def _filled(event: ChipsFilled) -> Iterator[Posting]:
    yield Posting(CHIP_RACK, FLOAT, event.cents, event.clause)


def _credited(event: ChipsCredited) -> Iterator[Posting]:
    yield Posting(FLOAT, CHIP_RACK, event.cents, event.clause)


def _counted(event: FloatCounted) -> Iterator[Posting]:
    """The rack comes to what was counted: against the float for a first count, else against its difference."""
    for against, cents in ((FLOAT, event.brought_forward_cents), (FLOAT_DIFFERENCE, event.difference_cents)):
        if cents > 0:
            yield Posting(CHIP_RACK, against, cents, event.clause)
        elif cents < 0:
            yield Posting(against, CHIP_RACK, -cents, event.clause)


def _difference_booked(event: DifferenceBooked) -> Iterator[Posting]:
    """The ledger's sums against an account outside them; a station's account where the meters were right."""
    change = event.meters_cents - event.ledger_cents
    if not event.station:
        yield _moved(UNEXPLAINED, DIFFERENCE, -change, event.clause)
    elif event.right == "meters":
        if event.from_held_cents:
            yield Posting(held_for(event.station), DIFFERENCE, event.from_held_cents, event.clause)
        if rest := change + event.from_held_cents:
            yield _moved(DIFFERENCE, chip_account(event.station), rest, event.clause)


def _paid_by_hand(event: PaidByHand) -> Iterator[Posting]:
    """The account is brought to what was found to be due, and that is paid."""
    account = chip_account(event.station)
    if event.held_cents:
        yield Posting(held_for(event.station), account, event.held_cents, event.clause)
    if event.cents != event.ledger_cents:
        yield _moved(DIFFERENCE, account, event.cents - event.ledger_cents, event.clause)
    yield from _in_chips_and_coin(account, event.chips_cents, event.coin_cents, event.clause)


def _moved(debit: Account, credit: Account, cents: int, clause: str) -> Posting:
    """From one account to the other; back, where the amount is less than nothing."""
    return Posting(debit, credit, cents, clause) if cents > 0 else Posting(credit, debit, -cents, clause)


def _credits_given(event: SeatOpened | CreditsAdded) -> Iterator[Posting]:
    if event.credits:
        yield Posting(ISSUED, chip_account(event.station), event.credits, event.clause)


def _forfeited(event: CreditsForfeited) -> Iterator[Posting]:
    yield Posting(chip_account(event.station), FORFEITED, event.credits, event.clause)


def _forfeit_returned(event: ForfeitReturned) -> Iterator[Posting]:
    yield Posting(FORFEITED, chip_account(event.station), event.credits, event.clause)


def _credits_returned(event: SeatClosed) -> Iterator[Posting]:
    if event.credits:
        yield Posting(chip_account(event.station), ISSUED, event.credits, event.clause)


_POSTINGS: dict[type[Event], Callable[[Any], Iterator[Posting]]] = {
    BoughtIn: _bought_in,
    NoteStacked: _note,
    TicketCredited: _ticket_in,
    WagersChanged: _wagers,
    WageringClosed: _closed,
    CoupVoided: _voided,
    DummyCoupDeclared: _dummy,
    WagersSettled: _settled,
    WagersVoided: _wagers_voided,
    DisputeDecided: _disputed,
    WinningsSeized: _seized,
    SeizedReleased: _released,
    WagersReversed: _reversed,
    ResolutionTakenBack: _taken_back,
    CoupRecalculated: _adjusted,
    CoupInvalidated: _adjusted,
    BuyInCorrected: _buy_in_corrected,
    OwedCollected: _collected,
    OwedUncollected: _uncollected,
    OwedWaived: _waived,
    PayablePaid: _payable_paid,
    LeaveAsked: _leave_asked,
    LeaveTakenBack: _leave_taken_back,
    BalanceHeld: _held,
    PaidOut: _paid_out,
    PatronMoved: _patron_moved,
    TicketIssued: _ticket,
    TicketPaidManually: _manual,
    ChipsFilled: _filled,
    ChipsCredited: _credited,
    FloatCounted: _counted,
    DifferenceBooked: _difference_booked,
    PaidByHand: _paid_by_hand,
    SeatOpened: _credits_given,
    CreditsAdded: _credits_given,
    CreditsForfeited: _forfeited,
    ForfeitReturned: _forfeit_returned,
    SeatClosed: _credits_returned,
}
