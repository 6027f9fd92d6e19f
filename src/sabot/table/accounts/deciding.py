"""Chip accounts: buying in, leaving, and being paid (CROWN rule 6)."""

import re
from collections.abc import Iterable

import msgspec

from sabot.basics.money import LARGEST_AMOUNT, write_amount
from sabot.basics.stamp import Stamp
from sabot.ledger.audit import disagreements, discrepancy
from sabot.rules.rule_set import Accounts
from sabot.table import acts
from sabot.table.accounts.state import Deferred, StationState, TableTicketStatus
from sabot.table.care.carrying import carried_on
from sabot.table.events import (
    AccountClosed,
    AccountOpened,
    AskedToVacate,
    BalanceHeld,
    BoughtIn,
    BuyInDeferred,
    DirectedToLeave,
    Event,
    LeaveAsked,
    LeaveTakenBack,
    NomineeNamed,
    NoteStacked,
    OwedCollected,
    OwedUncollected,
    PaidOut,
    PrintFailed,
    ReleaseHandedBack,
    TableLocked,
    TicketIssued,
    TicketPaidManually,
)
from sabot.table.evolve import fold
from sabot.table.history.kept import ticket_issued
from sabot.table.no import No
from sabot.table.phase import Phase
from sabot.table.refusal import Cause
from sabot.table.role import Role
from sabot.table.state import TableState
from sabot.table.wagers.deciding import cleared

_TICKET = re.compile(r"[0-9]{18}")


def buy_in(state: TableState, act: acts.BuyIn, stamp: Stamp) -> tuple[Event, ...]:
    """While the accounts are frozen a buy-in is taken and waits (G-60)."""
    configuration = state.configuration
    station = _station(state, act.station)
    if configuration.stations[act.station].remote:
        raise No(Cause.REMOTE_BUY_IN)
    if act.tender not in configuration.tenders:
        raise No(Cause.UNKNOWN_TENDER, tender=act.tender)
    _check_in_service(state, act.station)
    _check_amount(act.cents, state.purse(act.station).total)
    if _TICKET.fullmatch(act.reference) or act.reference in state.tickets:
        raise No(Cause.UNKNOWN_TENDER, tender="a ticket", clause="G-62")
    _check_not_going(station, act.station)
    taken = station.is_open or any(one.station == act.station for one in state.deferred)
    if taken and not act.top_up:
        raise No(Cause.TAKEN, station=act.station)
    bought = Deferred(act.station, act.cents, act.tender, act.reference, act.patron, stamp.by)
    if state.frozen_at_ms is not None:
        return (BuyInDeferred(**msgspec.structs.asdict(bought), clause="G-60"),)
    return _credited(state, bought, stamp.at_ms)


def credited_at_last(state: TableState, deferred: Iterable[Deferred], at_ms: int) -> tuple[Event, ...]:
    """The buy-ins that were taken under a freeze, now that it is over (G-60)."""
    events: list[Event] = []
    for one in deferred:
        credited = _credited(state, one, at_ms)
        state = fold(credited, state)
        events += credited
    return tuple(events)


def _credited(state: TableState, bought: Deferred, at_ms: int) -> tuple[Event, ...]:
    clauses, is_open = _clauses(state), state.stations[bought.station].is_open
    credit = BoughtIn(
        station=bought.station,
        cents=bought.cents,
        tender=bought.tender,
        reference=bought.reference,
        clause=clauses.top_up if is_open else clauses.buy_in,
    )
    if is_open:
        return (credit,)
    return (*opened(state, bought.station, bought.patron, bought.by, at_ms, clauses.control), credit)


def insert_note(state: TableState, act: acts.Note, stamp: Stamp) -> tuple[Event, ...]:
    """A note opens the account by itself: control starts with it (G-115).

    The acceptor is switched off while the accounts are frozen; a note that was stacked all the same is credited (G-59).
    """
    clauses = _clauses(state)
    name = act.station or stamp.by
    station = check_acceptor(state, name, stamp)
    if act.cents not in state.configuration.notes:
        raise No(Cause.BAD_AMOUNT, why=f"there is no note of {write_amount(act.cents)}")
    credit = NoteStacked(station=name, cents=act.cents, at_ms=stamp.at_ms, clause=clauses.note)
    if station.is_open:
        return (credit,)
    return (*opened(state, name, "", stamp.by, stamp.at_ms, clauses.note), credit)


def check_acceptor(state: TableState, name: str, stamp: Stamp) -> StationState:
    """The station whose own acceptor may take something in now."""
    station = _station(state, name)
    _check_own(stamp.role, stamp.by, name)
    _check_in_service(state, name)
    if not state.configuration.stations[name].note_acceptor:
        raise No(Cause.NO_ACCEPTOR, station=name)
    _check_not_going(station, name)
    return station


def read_player_card(state: TableState, act: acts.ReadPlayerCard, stamp: Stamp) -> tuple[Event, ...]:
    """The account is opened for the card's patron, and notes and wagers are then that patron's (G-234)."""
    name = act.station or stamp.by
    station = _station(state, name)
    _check_own(stamp.role, stamp.by, name)
    _check_in_service(state, name)
    if not act.patron.strip():
        raise No(Cause.CARD_UNREAD, station=name)
    for other, known in state.stations.items():
        if other != name and known.is_open and known.patron == act.patron:
            raise No(Cause.CARD_ELSEWHERE, station=other)
    if station.is_open and station.patron != act.patron:
        raise No(Cause.CARD_TOO_LATE, station=name)
    if station.is_open:
        return ()
    return opened(state, name, act.patron, stamp.by, stamp.at_ms, "G-234")


def name_nominee(state: TableState, act: acts.Nominee, _stamp: Stamp) -> tuple[Event, ...]:
    station = open_station(state, act.station)
    return (
        NomineeNamed(
            station=act.station,
            control=station.control,
            patron=station.patron,
            nominee=act.nominee,
            clause='CROWN 1.1 "Player"',
        ),
    )


def leave(state: TableState, act: acts.Leave, stamp: Stamp) -> tuple[Event, ...]:
    """Chips that can still be lifted are; what runs is settled first; then the whole balance is paid (G-58)."""
    name = act.station or stamp.by
    station = open_station(state, name)
    if stamp.role is Role.STATION:
        _check_own(stamp.role, stamp.by, name)
    clauses = _clauses(state)
    events: tuple[Event, ...] = ()
    held = state.purse(name).held
    if not station.leaving:
        events = asked_to_leave(state, name, stamp.at_ms, clauses.leave)
        held += sum(event.held_cents for event in events if isinstance(event, LeaveAsked))
    elif not pays_by_ticket(state, name) or is_running(state, name, stamp.at_ms):
        raise No(Cause.LEAVING, station=name)
    else:
        events = _come_since(state, name, clauses.leave)
        held += state.purse(name).balance
    if is_running(state, name, stamp.at_ms):
        return events
    if not held:
        return (*events, *closed_account(state, name, clauses.leave))
    if not pays_by_ticket(state, name):
        return events
    collected = _owed_at_cash_out(state, name, held)
    events += collected
    held -= sum(event.cents for event in collected)
    closed = closed_account(state, name, clauses.ticket, collected)
    if not held:
        return audited(state, *events, *closed)
    if not _TICKET.fullmatch(stamp.ticket) or stamp.ticket in state.tickets:
        raise No(Cause.TICKET_NUMBER)
    ticket = TicketIssued(station=name, ticket=stamp.ticket, cents=held, at_ms=stamp.at_ms, clause=clauses.ticket)
    return audited(state, *events, ticket, *closed)


def stay(state: TableState, act: acts.Stay, stamp: Stamp) -> tuple[Event, ...]:
    """A patron who asked to leave may take it back until it is paid, but not one who must leave (G-148)."""
    name = act.station or stamp.by
    station = open_station(state, name)
    if stamp.role is Role.STATION:
        _check_own(stamp.role, stamp.by, name)
    if station.directed_to_leave:
        raise No(Cause.DIRECTED_TO_LEAVE, station=name)
    if not station.leaving:
        raise No(Cause.NOT_LEAVING, station=name)
    cents = state.purse(name).held
    return (LeaveTakenBack(station=name, cents=cents, by=stamp.by, clause=_clauses(state).leave),)


def pay(state: TableState, act: acts.Pay, stamp: Stamp) -> tuple[Event, ...]:
    """The dealer pays the full value to a patron who leaves: chips, and coin for what is left (G-51).

    It lifts no wagers and closes no account that nobody asked to close; once the table is closed the game is left by
    all (G-149).
    """
    station = open_station(state, act.station)
    if pays_by_ticket(state, act.station):
        raise No(Cause.PAID_BY_TICKET, station=act.station)
    if is_running(state, act.station, stamp.at_ms):
        raise No(Cause.WAGERS_RUNNING, station=act.station)
    if not station.leaving and state.phase is not Phase.CLOSED:
        raise No(Cause.LEAVE_FIRST, station=act.station)
    return paid_in_full(state, act.station, stamp)


def paid_in_full(state: TableState, name: str, stamp: Stamp) -> tuple[Event, ...]:
    """The whole balance is held and paid, less what is owed, and the account is closed."""
    clauses = _clauses(state)
    events: tuple[Event, ...] = ()
    held = state.purse(name).held
    if not state.stations[name].leaving:
        events = asked_to_leave(state, name, stamp.at_ms, clauses.leave)
        held += sum(event.held_cents for event in events if isinstance(event, LeaveAsked))
    else:
        events = _come_since(state, name, clauses.leave)
        held += state.purse(name).balance
    collected = _owed_at_cash_out(state, name, held)
    events += collected
    held -= sum(event.cents for event in collected)
    coin = held % state.configuration.smallest_chip
    closed = closed_account(state, name, clauses.pay, collected)
    if not held:
        return audited(state, *events, *closed)
    paid = PaidOut(
        station=name,
        cents=held,
        chips_cents=held - coin,
        coin_cents=coin,
        by=stamp.by,
        clause=clauses.pay,
    )
    return audited(state, *events, paid, *closed)


def report_print_failed(state: TableState, act: acts.PrintFailed, stamp: Stamp) -> tuple[Event, ...]:
    ticket = ticket_issued(state, act.ticket)
    if ticket is None:
        raise No(Cause.UNKNOWN_TICKET, ticket=act.ticket)
    if stamp.role is Role.STATION and stamp.by != ticket.station:
        raise No(Cause.NOT_THIS_STATION, station=ticket.station)
    if ticket.status is not TableTicketStatus.ISSUED:
        raise No(Cause.PAID_ALREADY, ticket=act.ticket, how=ticket.status.replace("_", " "))
    return (PrintFailed(ticket=act.ticket, fault=act.fault, clause=_clauses(state).manual_payment),)


def pay_manually(state: TableState, act: acts.ManualPay, stamp: Stamp) -> tuple[Event, ...]:
    """Only on a release of the house, which then pays it nowhere else (`check_released`)."""
    ticket = ticket_issued(state, act.ticket)
    if ticket is None:
        raise No(Cause.UNKNOWN_TICKET, ticket=act.ticket)
    if ticket.status is TableTicketStatus.PAID_MANUALLY:
        raise No(Cause.PAID_ALREADY, ticket=act.ticket, how="paid")
    if ticket.status is not TableTicketStatus.PRINT_FAILED:
        raise No(Cause.NO_PRINTER_FAULT, ticket=act.ticket)
    _check_reason(act.reason, _clauses(state).manual_payment)
    paid = TicketPaidManually(
        ticket=act.ticket,
        cents=ticket.cents,
        release=stamp.release,
        reason=act.reason,
        by=stamp.by,
        clause=_clauses(state).manual_payment,
    )
    return audited(state, paid)


def hand_back(state: TableState, act: acts.HandBack, stamp: Stamp) -> tuple[Event, ...]:
    """After it the house may have the cage pay the ticket, or release it anew."""
    ticket = ticket_issued(state, act.ticket)
    if ticket is None:
        raise No(Cause.UNKNOWN_TICKET, ticket=act.ticket)
    if ticket.status is TableTicketStatus.PAID_MANUALLY:
        raise No(Cause.PAID_ALREADY, ticket=act.ticket, how="paid")
    clause = _clauses(state).manual_payment
    _check_reason(act.reason, clause)
    return (ReleaseHandedBack(ticket=act.ticket, release=stamp.release, reason=act.reason, by=stamp.by, clause=clause),)


def check_released(state: TableState, act: acts.ManualPay | acts.HandBack, stamp: Stamp) -> None:
    """The house gives another release only when the one before was handed back, so there is one that counts."""
    if stamp.release != state.tickets[act.ticket].handed_back + 1:
        raise No(Cause.NOT_RELEASED, ticket=act.ticket)


def direct_to_leave(state: TableState, act: acts.DirectToLeave, stamp: Stamp) -> tuple[Event, ...]:
    """Wagers that can still be returned are; those that run, run (G-65)."""
    station = open_station(state, act.station)
    _check_reason(act.reason, _clauses(state).directed_to_leave)
    if station.directed_to_leave:
        raise No(Cause.DIRECTED_TO_LEAVE, station=act.station)
    clause = _clauses(state).directed_to_leave
    directed = DirectedToLeave(station=act.station, reason=act.reason, by=stamp.by, clause=clause)
    if station.leaving:
        return (directed,)
    return (directed, *asked_to_leave(state, act.station, stamp.at_ms, clause))


def ask_to_vacate(state: TableState, act: acts.Vacate, stamp: Stamp) -> tuple[Event, ...]:
    station = open_station(state, act.station)
    if station.idle < state.figures.idle_coups:
        raise No(Cause.NOT_IDLE, station=act.station)
    vacate_by = state.coups + 1 if station.vacate_by is None else station.vacate_by
    return (AskedToVacate(station=act.station, coup=vacate_by, by=stamp.by, clause="CROWN 13.8"),)


def closed_account(
    state: TableState, station: str, clause: str, collected: tuple[OwedCollected, ...] = ()
) -> tuple[Event, ...]:
    """The account is closed; what its patron still owes after a correction stays with that patron (G-88)."""
    owed = state.owed(station) - sum(event.cents for event in collected)
    closed = AccountClosed(station=station, clause=clause)
    if not owed:
        return (closed,)
    control = state.stations[station].control
    return (OwedUncollected(station=station, control=control, cents=owed, clause="G-88"), closed)


def _owed_at_cash_out(state: TableState, station: str, paying: int) -> tuple[OwedCollected, ...]:
    """What a patron still owes comes off the payment, but never off later buy-ins (G-89)."""
    cents = min(state.owed(station), max(0, paying - state.stations[station].brought_while_owing))
    return (OwedCollected(station=station, cents=cents, from_held=True, clause="G-89"),) if cents else ()


def held_for_the_leaving(state: TableState) -> tuple[Event, ...]:
    """What has come to the account of a leaving patron is held, or there is nothing left."""
    events: list[Event] = []
    clause = _clauses(state).leave
    for name, station in state.stations.items():
        purse = state.purse(name)
        if station.leaving and not purse.layout:
            if purse.balance:
                events.append(BalanceHeld(station=name, cents=purse.balance, clause=clause))
            elif not purse.held:
                events += closed_account(state, name, clause)
    return tuple(events)


def pays_by_ticket(state: TableState, station: str) -> bool:
    """A remote station with a printer does; one at the table only where the operator chose so (G-61, G-64)."""
    configuration = state.configuration
    equipment = configuration.stations[station]
    return equipment.printer and (equipment.remote or configuration.ticket_at_table)


def asked_to_leave(state: TableState, station: str, at_ms: int, clause: str) -> tuple[Event, ...]:
    lifted = () if is_running(state, station, at_ms) else cleared(state, station, clause)
    purse = state.purse(station)
    free = purse.balance + (purse.wagered if lifted else 0)
    return (*lifted, LeaveAsked(station=station, held_cents=free, clause=clause))


def _come_since(state: TableState, station: str, clause: str) -> tuple[Event, ...]:
    """What has come to the account since its patron asked to leave is paid, too (CROWN 6.7.1)."""
    balance = state.purse(station).balance
    return (BalanceHeld(station=station, cents=balance, clause=clause),) if balance else ()


def is_running(state: TableState, station: str, at_ms: int) -> bool:
    """Whether the station has wagers that can no longer be lifted."""
    if state.coup is None or not state.purse(station).layout:
        return False
    return state.phase is not Phase.WAGERING or at_ms >= state.coup.deadline_ms


def audited(state: TableState, *events: Event) -> tuple[Event, ...]:
    """The self-audit comes before any value leaves; if it fails, the table locks instead."""
    wrong = discrepancy(state.ledger, state.meters)
    return events if wrong is None else (TableLocked(why=wrong, found=disagreements(state.ledger, state.meters)),)


def opened(state: TableState, station: str, patron: str, by: str, at_ms: int, clause: str) -> tuple[Event, ...]:
    control = state.controls + 1
    opened = AccountOpened(station=station, patron=patron, control=control, by=by, at_ms=at_ms, clause=clause)
    return (opened, *carried_on(state, station, patron, control, at_ms))


def _clauses(state: TableState) -> Accounts:
    return state.terms.rule_set.accounts


def _station(state: TableState, name: str) -> StationState:
    if name not in state.stations:
        raise No(Cause.UNKNOWN_STATION, station=name)
    return state.stations[name]


def open_station(state: TableState, name: str) -> StationState:
    station = _station(state, name)
    if not station.is_open:
        raise No(Cause.NO_ACCOUNT, station=name)
    return station


def _check_own(role: Role, by: str, station: str) -> None:
    if role is not Role.STATION or by != station:
        raise No(Cause.NOT_THIS_STATION, station=station)


def _check_not_going(station: StationState, name: str) -> None:
    if station.directed_to_leave:
        raise No(Cause.DIRECTED_TO_LEAVE, station=name)
    if station.leaving:
        raise No(Cause.LEAVING, station=name)


def _check_in_service(state: TableState, name: str) -> None:
    if name in state.out_of_service:
        raise No(Cause.OUT_OF_SERVICE, station=name)


def _check_amount(cents: int, held: int) -> None:
    """What all accounts of a table hold together stays a figure that every screen shows exactly (G-195)."""
    if not 0 < cents <= LARGEST_AMOUNT:
        raise No(Cause.BAD_AMOUNT, why=f"{write_amount(cents)} is not an amount that can be bought in")
    if held + cents > LARGEST_AMOUNT:
        raise No(Cause.BAD_AMOUNT, why=f"{write_amount(held + cents)} is more than any account can hold")


def _check_reason(reason: str, clause: str) -> None:
    if not reason.strip():
        raise No(Cause.REASON_MISSING, clause=clause)
