"""Chip accounts: buying in, leaving, and being paid (CROWN rule 6)."""

import re
from collections.abc import Iterable

import msgspec

from sabot.basics.money import LARGEST_AMOUNT, write_amount
from sabot.ledger.audit import discrepancy
from sabot.rules.rule_set import Accounts
from sabot.table.acts import (
    AskToVacate,
    BuyIn,
    DirectToLeave,
    InsertNote,
    Leave,
    NameNominee,
    Pay,
    PayManually,
    ReportPrintFailed,
)
from sabot.table.configuration import Configuration
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
    NomineeNamed,
    NoteStacked,
    OwedCollected,
    OwedUncollected,
    PaidOut,
    PrintFailed,
    TableLocked,
    TicketIssued,
    TicketPaidManually,
)
from sabot.table.evolve import fold
from sabot.table.no import No
from sabot.table.phase import Phase
from sabot.table.refusal import Cause
from sabot.table.role import Role
from sabot.table.state import Deferred, Station, TableState
from sabot.table.wagers.deciding import cleared

IDLE_COUPS = 3
"""After so many idle coups with every other seat in use a patron may be asked to vacate (CROWN 13.8)."""

_TICKET = re.compile(r"[0-9]{18}")


def buy_in(state: TableState, command: BuyIn) -> tuple[Event, ...]:
    """While the accounts are frozen a buy-in is taken and waits (G-60)."""
    configuration = _configuration(state)
    station = _station(state, command.station)
    if configuration.stations[command.station].remote:
        raise No(Cause.REMOTE_BUY_IN)
    if command.tender not in configuration.tenders:
        raise No(Cause.UNKNOWN_TENDER, tender=command.tender)
    _check_amount(command.cents)
    if _TICKET.fullmatch(command.reference) or command.reference in state.tickets:
        raise No(Cause.UNKNOWN_TENDER, tender="a ticket", clause="G-62")
    _check_not_going(station, command.station)
    taken = station.is_open or any(one.station == command.station for one in state.deferred)
    if taken and not command.top_up:
        raise No(Cause.TAKEN, station=command.station)
    bought = Deferred(command.station, command.cents, command.tender, command.reference, command.patron, command.by)
    if state.frozen_at_ms is not None:
        return (BuyInDeferred(**msgspec.structs.asdict(bought), clause="G-60"),)
    return _credited(state, bought, command.at_ms)


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
    return (_opened(state, bought.station, bought.patron, bought.by, at_ms, clauses.control), credit)


def insert_note(state: TableState, command: InsertNote) -> tuple[Event, ...]:
    """A note opens the account by itself: control starts with it (G-115).

    The acceptor is switched off while the accounts are frozen; a note that was stacked all the same is credited (G-59).
    """
    configuration, clauses = _configuration(state), _clauses(state)
    station = _station(state, command.station)
    _check_own(command.role, command.by, command.station)
    if not configuration.stations[command.station].note_acceptor:
        raise No(Cause.NO_ACCEPTOR, station=command.station)
    if command.cents not in configuration.notes:
        raise No(Cause.BAD_AMOUNT, why=f"there is no note of {write_amount(command.cents)}")
    _check_not_going(station, command.station)
    credit = NoteStacked(station=command.station, cents=command.cents, at_ms=command.at_ms, clause=clauses.note)
    if station.is_open:
        return (credit,)
    return (_opened(state, command.station, "", command.by, command.at_ms, clauses.note), credit)


def name_nominee(state: TableState, command: NameNominee) -> tuple[Event, ...]:
    station = _open_station(state, command.station)
    return (
        NomineeNamed(
            station=command.station,
            control=station.control,
            patron=station.patron,
            nominee=command.nominee,
            clause='CROWN 1.1 "Player"',
        ),
    )


def leave(state: TableState, command: Leave) -> tuple[Event, ...]:
    """Chips that can still be lifted are; what runs is settled first; then the whole balance is paid (G-58)."""
    station = _open_station(state, command.station)
    if command.role is Role.STATION:
        _check_own(command.role, command.by, command.station)
    clauses = _clauses(state)
    events: tuple[Event, ...] = ()
    held = state.purse(command.station).held
    if not station.leaving:
        events = asked_to_leave(state, command.station, command.at_ms, clauses.leave)
        held += sum(event.held_cents for event in events if isinstance(event, LeaveAsked))
    elif not pays_by_ticket(state, command.station) or _is_running(state, command.station, command.at_ms):
        raise No(Cause.LEAVING, station=command.station)
    else:
        events = _come_since(state, command.station, clauses.leave)
        held += state.purse(command.station).balance
    if _is_running(state, command.station, command.at_ms):
        return events
    if not held:
        return (*events, *closed_account(state, command.station, clauses.leave))
    if not pays_by_ticket(state, command.station):
        return events
    collected = _owed_at_cash_out(state, command.station, held)
    events += collected
    held -= sum(event.cents for event in collected)
    closed = closed_account(state, command.station, clauses.ticket, collected)
    if not held:
        return audited(state, *events, *closed)
    if command.ticket is None or not _TICKET.fullmatch(command.ticket) or command.ticket in state.tickets:
        raise No(Cause.TICKET_NUMBER)
    ticket = TicketIssued(
        station=command.station, ticket=command.ticket, cents=held, at_ms=command.at_ms, clause=clauses.ticket
    )
    return audited(state, *events, ticket, *closed)


def pay(state: TableState, command: Pay) -> tuple[Event, ...]:
    """The dealer pays the full value, whatever the patron asks: chips, and coin for what is left (G-51)."""
    station = _open_station(state, command.station)
    if pays_by_ticket(state, command.station):
        raise No(Cause.PAID_BY_TICKET, station=command.station)
    if _is_running(state, command.station, command.at_ms):
        raise No(Cause.WAGERS_RUNNING, station=command.station)
    clauses = _clauses(state)
    events: tuple[Event, ...] = ()
    held = state.purse(command.station).held
    if not station.leaving:
        events = asked_to_leave(state, command.station, command.at_ms, clauses.leave)
        held += sum(event.held_cents for event in events if isinstance(event, LeaveAsked))
    else:
        events = _come_since(state, command.station, clauses.leave)
        held += state.purse(command.station).balance
    collected = _owed_at_cash_out(state, command.station, held)
    events += collected
    held -= sum(event.cents for event in collected)
    coin = held % _configuration(state).smallest_chip
    closed = closed_account(state, command.station, clauses.pay, collected)
    if not held:
        return audited(state, *events, *closed)
    paid = PaidOut(
        station=command.station,
        cents=held,
        chips_cents=held - coin,
        coin_cents=coin,
        by=command.by,
        clause=clauses.pay,
    )
    return audited(state, *events, paid, *closed)


def report_print_failed(state: TableState, command: ReportPrintFailed) -> tuple[Event, ...]:
    ticket = state.tickets.get(command.ticket)
    if ticket is None:
        raise No(Cause.UNKNOWN_TICKET, ticket=command.ticket)
    if command.role is Role.STATION and command.by != ticket.station:
        raise No(Cause.NOT_THIS_STATION, station=ticket.station)
    if ticket.status != "issued":
        raise No(Cause.PAID_ALREADY, ticket=command.ticket, how=ticket.status.replace("_", " "))
    return (PrintFailed(ticket=command.ticket, fault=command.fault, clause=_clauses(state).manual_payment),)


def pay_manually(state: TableState, command: PayManually) -> tuple[Event, ...]:
    ticket = state.tickets.get(command.ticket)
    if ticket is None:
        raise No(Cause.UNKNOWN_TICKET, ticket=command.ticket)
    if ticket.status == "paid_manually":
        raise No(Cause.PAID_ALREADY, ticket=command.ticket, how="paid")
    if ticket.status != "print_failed":
        raise No(Cause.NO_PRINTER_FAULT, ticket=command.ticket)
    _check_reason(command.reason, _clauses(state).manual_payment)
    paid = TicketPaidManually(
        ticket=command.ticket,
        cents=ticket.cents,
        reason=command.reason,
        by=command.by,
        clause=_clauses(state).manual_payment,
    )
    return audited(state, paid)


def direct_to_leave(state: TableState, command: DirectToLeave) -> tuple[Event, ...]:
    """Wagers that can still be returned are; those that run, run (G-65)."""
    station = _open_station(state, command.station)
    _check_reason(command.reason, _clauses(state).directed_to_leave)
    if station.directed_to_leave:
        raise No(Cause.DIRECTED_TO_LEAVE, station=command.station)
    clause = _clauses(state).directed_to_leave
    directed = DirectedToLeave(station=command.station, reason=command.reason, by=command.by, clause=clause)
    if station.leaving:
        return (directed,)
    return (directed, *asked_to_leave(state, command.station, command.at_ms, clause))


def ask_to_vacate(state: TableState, command: AskToVacate) -> tuple[Event, ...]:
    station = _open_station(state, command.station)
    if station.idle < IDLE_COUPS:
        raise No(Cause.NOT_IDLE, station=command.station)
    return (AskedToVacate(station=command.station, by=command.by, clause="CROWN 13.8"),)


def closed_account(
    state: TableState, station: str, clause: str, collected: tuple[OwedCollected, ...] = ()
) -> tuple[Event, ...]:
    """The account is closed; what its patron still owes after a correction is his alone (G-88)."""
    owed = state.owed(station) - sum(event.cents for event in collected)
    closed = AccountClosed(station=station, clause=clause)
    if not owed:
        return (closed,)
    control = state.stations[station].control
    return (OwedUncollected(station=station, control=control, cents=owed, clause="G-88"), closed)


def _owed_at_cash_out(state: TableState, station: str, paying: int) -> tuple[OwedCollected, ...]:
    """What a patron still owes comes off what he is paid, but never off what he bought in with since (G-89)."""
    cents = min(state.owed(station), max(0, paying - state.stations[station].brought_while_owing))
    return (OwedCollected(station=station, cents=cents, from_held=True, clause="G-89"),) if cents else ()


def held_for_the_leaving(state: TableState) -> tuple[Event, ...]:
    """What has come to the account of a patron who is leaving is held for him, or there is nothing left."""
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
    configuration = _configuration(state)
    equipment = configuration.stations[station]
    return equipment.printer and (equipment.remote or configuration.ticket_at_table)


def asked_to_leave(state: TableState, station: str, at_ms: int, clause: str) -> tuple[Event, ...]:
    lifted = () if _is_running(state, station, at_ms) else cleared(state, station, clause)
    purse = state.purse(station)
    free = purse.balance + (purse.wagered if lifted else 0)
    return (*lifted, LeaveAsked(station=station, held_cents=free, clause=clause))


def _come_since(state: TableState, station: str, clause: str) -> tuple[Event, ...]:
    """What has come to the account of a patron who asked to leave, since he asked, is his too (CROWN 6.7.1)."""
    balance = state.purse(station).balance
    return (BalanceHeld(station=station, cents=balance, clause=clause),) if balance else ()


def _is_running(state: TableState, station: str, at_ms: int) -> bool:
    """Whether the station has wagers that can no longer be lifted."""
    if state.coup is None or not state.purse(station).layout:
        return False
    return state.phase is not Phase.WAGERING or at_ms >= state.coup.deadline_ms


def audited(state: TableState, *events: Event) -> tuple[Event, ...]:
    """The self-audit comes before any value leaves; if it fails, the table locks instead."""
    wrong = discrepancy(state.ledger, state.meters)
    return events if wrong is None else (TableLocked(why=wrong),)


def _opened(state: TableState, station: str, patron: str, by: str, at_ms: int, clause: str) -> AccountOpened:
    return AccountOpened(station=station, patron=patron, control=state.controls + 1, by=by, at_ms=at_ms, clause=clause)


def _configuration(state: TableState) -> Configuration:
    assert state.configuration is not None
    return state.configuration


def _clauses(state: TableState) -> Accounts:
    assert state.terms is not None
    return state.terms.rule_set.accounts


def _station(state: TableState, name: str) -> Station:
    if name not in state.stations:
        raise No(Cause.UNKNOWN_STATION, station=name)
    return state.stations[name]


def _open_station(state: TableState, name: str) -> Station:
    station = _station(state, name)
    if not station.is_open:
        raise No(Cause.NO_ACCOUNT, station=name)
    return station


def _check_own(role: Role, by: str, station: str) -> None:
    if role is not Role.STATION or by != station:
        raise No(Cause.NOT_THIS_STATION, station=station)


def _check_not_going(station: Station, name: str) -> None:
    if station.directed_to_leave:
        raise No(Cause.DIRECTED_TO_LEAVE, station=name)
    if station.leaving:
        raise No(Cause.LEAVING, station=name)


def _check_amount(cents: int) -> None:
    if not 0 < cents <= LARGEST_AMOUNT:
        raise No(Cause.BAD_AMOUNT, why=f"{cents} cents is not an amount that can be bought in")


def _check_reason(reason: str, clause: str) -> None:
    if not reason.strip():
        raise No(Cause.REASON_MISSING, clause=clause)
