"""What the floor carries from a table to the house: for each event that concerns it, the acts that tell it.

Delivery is at least once. Every one of these acts may be given again, at any later time, and then changes nothing.
"""

from collections.abc import Callable, Iterator
from typing import Any

from sabot.house import acts
from sabot.house.state import AT_THE_CAGE, OUTSTANDING, HouseState, TicketStatus
from sabot.table.accounts.state import TableTicket, TableTicketStatus
from sabot.table.accounts.tickets_in import escrow_of
from sabot.table.configuration import Configuration, offered_bets, rule_set_of
from sabot.table.events import (
    Configured,
    EscrowDropped,
    Event,
    PatronExcluded,
    PrintFailed,
    ReleaseHandedBack,
    SignedOff,
    SignOnDropped,
    TicketCredited,
    TicketIssued,
    TicketPaidManually,
)
from sabot.table.state import TableState


def _issued(table: str, event: TicketIssued, _: TableState) -> acts.CarriedAct:
    return acts.RegisterTicket(
        ticket=event.ticket,
        cents=event.cents,
        table=table,
        station=event.station,
        issued_ms=event.at_ms,
    )


def _taken_in(table: str, event: TicketCredited, _: TableState) -> acts.CarriedAct:
    return acts.NoteTakenIn(ticket=event.ticket, table=table, station=event.station, escrow=event.escrow)


def _dropped(table: str, event: EscrowDropped, _: TableState) -> acts.CarriedAct:
    return acts.NoteEscrowDropped(ticket=event.ticket, table=table, station=event.station, escrow=event.escrow)


def _off(table: str, event: SignedOff | SignOnDropped, _: TableState) -> acts.CarriedAct:
    return acts.NoteSignedOff(person=event.who, table=table, number=event.number)


def _excluded(table: str, event: PatronExcluded, state: TableState) -> acts.CarriedAct | None:
    case = state.cases.get(event.case)
    if case is None or not case.patron:
        return None  # One that was closed so long ago was told long ago.
    source = f"{table} case {event.case}"
    return acts.CarryExclusion(patron=case.patron, reason=case.text, source=source, decided_by=event.by)


NEWS: dict[type[Event], Callable[[str, Any, TableState], acts.CarriedAct | None]] = {
    Configured: lambda table, event, _: entering(table, event.configuration),
    SignedOff: _off,
    SignOnDropped: _off,
    TicketIssued: _issued,
    PrintFailed: lambda _, event, __: acts.CloseToTheCage(ticket=event.ticket, fault=event.fault),
    ReleaseHandedBack: lambda _, event, __: acts.NoteHandedBack(ticket=event.ticket, release=event.release),
    TicketPaidManually: lambda _, event, __: acts.NotePaidByHand(ticket=event.ticket),
    TicketCredited: _taken_in,
    EscrowDropped: _dropped,
    PatronExcluded: _excluded,
}
"""What the house must know of a table's events, given the table's state after them."""


def entering(table: str, configuration: Configuration) -> acts.EnterTable:
    """What the house is told of a table: what it offers, who works there, and when its days begin."""
    rules = rule_set_of(configuration)
    chosen = rules.choose(configuration.options)
    offers = {option: chosen[option] for bet in offered_bets(configuration) if (option := rules.bets[bet].option)}
    return acts.EnterTable(
        table=table,
        offers=offers,
        choices={option: rules.options[option].choices for option in offers},
        staff={person: tuple(roles) for person, roles in configuration.staff.items() if roles},
        cited_as=rules.house_rules.cited_as if rules.house_rules else {},
        time_zone=configuration.time_zone,
        gaming_day_starts=configuration.gaming_day_starts,
    )


def busy(table: str, *, is_busy: bool) -> acts.TellBusy:
    """A coup has begun or ended at a table."""
    return acts.TellBusy(table=table, busy=is_busy)


def staff_to_house(house: HouseState, table: str, state: TableState) -> Iterator[acts.CarriedAct]:
    """What the house does not know of who works at a table (G-99), from the two states.

    A person whom the table signed on unknown to the house is named to it. A sign-on that is over at the table, by a
    sign-off of which the word was lost, is told again.
    """
    for person, role in state.signed_on.items():
        if table not in house.at_work.get(person, {}):
            number = state.sign_ons.get(person, 0)
            yield acts.AnnounceSignOn(person=person, table=table, as_role=role, number=number)
    for person, tables in house.at_work.items():
        known, newest = tables.get(table), state.sign_ons.get(person, -1)
        if known is not None and person not in state.signed_on and known.number <= newest:
            yield acts.NoteSignedOff(person=person, table=table, number=newest)


def tickets_to_house(house: HouseState, table: str, state: TableState) -> Iterator[acts.CarriedAct]:
    """What the house has not heard of a table's tickets, from the two states, however long ago the word was lost."""
    for number, ticket in state.tickets.items():
        yield from _of_ticket(house, table, number, ticket)
    for station, held in house.in_escrow.get(table, {}).items():
        over = escrow_of(state, station)
        if over.number == held.number:
            note = acts.NoteTakenIn if over.is_credited else acts.NoteEscrowDropped
            yield note(ticket=held.ticket, table=table, station=station, escrow=held.number)


def _of_ticket(house: HouseState, table: str, number: str, ticket: TableTicket) -> Iterator[acts.CarriedAct]:
    known = house.tickets.get(number)
    unheard = known is None or known.status is TicketStatus.REQUESTED
    if unheard:
        yield acts.RegisterTicket(
            ticket=number, cents=ticket.cents, table=table, station=ticket.station, issued_ms=ticket.issued_ms
        )
    if ticket.status is TableTicketStatus.PAID_MANUALLY:
        if known is None or unheard or known.status in OUTSTANDING:
            yield acts.NotePaidByHand(ticket=number)
    elif ticket.status is TableTicketStatus.PRINT_FAILED:
        if known is None or unheard or (known.status in AT_THE_CAGE and not known.faulted):
            yield acts.CloseToTheCage(ticket=number, fault="it is on record at the table")
        elif known.status is TicketStatus.RELEASED and known.releases == ticket.handed_back:
            yield acts.NoteHandedBack(ticket=number, release=ticket.handed_back)
