"""Tickets, from the number that is kept for a station to the one payment (CROWN 6.7.2).

Between streams there is no transaction. A table issues a ticket by itself and the house registers it, as often as it is
told. Paying at the cage is the house's record alone, so a ticket is paid once however many cages try. A payment by hand
is a table's record; the house closes the ticket to the cage before, and never pays it afterwards.
"""

import re

from sabot.basics.role import Role
from sabot.house import commands as c
from sabot.house import events as e
from sabot.house.refusal import Cause, No
from sabot.house.state import AT_THE_CAGE, OUTSTANDING, HouseState, Ticket, TicketStatus

TICKET = "CROWN 6.7.2"
BY_HAND = "CROWN 6.7.2(b)"
DAY_MS = 24 * 60 * 60 * 1000
WRONG_NUMBERS = 5
WITHIN_MS = 10 * 60 * 1000
"""So many numbers of no ticket, presented by one cashier within this time, raise an alarm."""

_NUMBER = re.compile(r"[0-9]{18}")


def request_ticket(state: HouseState, command: c.RequestTicket) -> tuple[e.HouseEvent, ...]:
    known = state.tickets.get(command.ticket)
    if known == Ticket(TicketStatus.REQUESTED, command.table, command.station):
        return ()
    if known is not None:
        raise No(Cause.TICKET_NUMBER, why="the house knows this one already")
    if not _NUMBER.fullmatch(command.ticket):
        raise No(Cause.TICKET_NUMBER, why=f"{command.ticket!r} is none")
    return (
        e.TicketRequested(
            ticket=command.ticket,
            table=command.table,
            station=command.station,
            at_ms=command.at_ms,
            clause=TICKET,
        ),
    )


def register_ticket(state: HouseState, command: c.RegisterTicket) -> tuple[e.HouseEvent, ...]:
    known = state.tickets.get(command.ticket)
    if known is not None:
        if (known.table, known.station) != (command.table, command.station):
            raise No(Cause.TICKET_NUMBER, why="this one belongs to another station")
        if known.status is not TicketStatus.REQUESTED:
            return ()
    return (
        e.TicketRegistered(
            ticket=command.ticket,
            cents=command.cents,
            table=command.table,
            station=command.station,
            issued_ms=command.issued_ms,
            expires_ms=_expiry(state, command.issued_ms),
            clause=TICKET,
        ),
    )


def report_printed(state: HouseState, command: c.ReportPrinted) -> tuple[e.HouseEvent, ...]:
    ticket = _known(state, command.ticket)
    if command.role is Role.STATION and (ticket.table, ticket.station) != (command.table, command.by):
        raise No(Cause.NOT_THIS_STATION, ticket=command.ticket, station=command.by)
    if ticket.status is not TicketStatus.ISSUED:
        return ()
    return (e.TicketPrinted(ticket=command.ticket, by=command.by, clause=TICKET),)


def close_to_the_cage(state: HouseState, command: c.CloseToTheCage) -> tuple[e.HouseEvent, ...]:
    """What has been paid in the meantime stays paid, and `check_by_hand` then stops the payment by hand."""
    ticket = _known(state, command.ticket)
    if ticket.status not in AT_THE_CAGE or ticket.faulted:
        return ()
    return (e.TicketClosedToTheCage(ticket=command.ticket, fault=command.fault, clause=BY_HAND),)


def note_paid_by_hand(state: HouseState, command: c.NotePaidByHand) -> tuple[e.HouseEvent, ...]:
    if _known(state, command.ticket).status is not TicketStatus.NOT_PRINTED:
        return ()
    return (e.TicketSettledByHand(ticket=command.ticket, clause=BY_HAND),)


def redeem(state: HouseState, command: c.Redeem) -> tuple[e.HouseEvent, ...]:
    if command.ticket not in state.tickets:
        raise _wrong_number(state, command)
    ticket = check_outstanding(state, command.ticket)
    if ticket.status is TicketStatus.NOT_PRINTED:
        raise No(Cause.BY_HAND_ONLY, ticket=command.ticket)
    if ticket.expires_ms is not None and command.at_ms >= ticket.expires_ms:
        raise No(Cause.TICKET_EXPIRED, ticket=command.ticket)
    return (
        e.TicketRedeemed(ticket=command.ticket, cents=ticket.cents, by=command.by, at_ms=command.at_ms, clause=TICKET),
    )


def void_ticket(state: HouseState, command: c.VoidTicket) -> tuple[e.HouseEvent, ...]:
    """A ticket with a payment by hand open is for its table to settle."""
    ticket = check_outstanding(state, command.ticket)
    if ticket.status is TicketStatus.NOT_PRINTED:
        raise No(Cause.BY_HAND_ONLY, ticket=command.ticket)
    _check_reason(command.reason)
    return (
        e.TicketVoided(
            ticket=command.ticket,
            cents=ticket.cents,
            reason=command.reason,
            by=command.by,
            second=command.second,
            clause=TICKET,
        ),
    )


def reinstate(state: HouseState, command: c.Reinstate) -> tuple[e.HouseEvent, ...]:
    """It is good again as if it had just been issued, at the cage alone."""
    ticket = _known(state, command.ticket)
    if ticket.status not in (TicketStatus.EXPIRED, TicketStatus.NOT_PRINTED):
        raise No(Cause.NOTHING_TO_REINSTATE, ticket=command.ticket, status=ticket.status.replace("_", " "))
    _check_reason(command.reason)
    return (
        e.TicketReinstated(
            ticket=command.ticket,
            reason=command.reason,
            expires_ms=_expiry(state, command.at_ms),
            by=command.by,
            second=command.second,
            clause=TICKET,
        ),
    )


def expire(state: HouseState, command: c.ExpireTickets) -> tuple[e.HouseEvent, ...]:
    return expired_by(state, command.at_ms)


def expired_by(state: HouseState, at_ms: int) -> tuple[e.HouseEvent, ...]:
    """The tickets that the cage would have paid and whose time has come; a payment by hand stays open."""
    due = sorted(
        (ticket.expires_ms, number, ticket.cents)
        for number, ticket in state.tickets.live.items()
        if ticket.status in AT_THE_CAGE and ticket.expires_ms is not None and at_ms >= ticket.expires_ms
    )
    return tuple(e.TicketExpired(ticket=number, cents=cents, at_ms=at_ms, clause=TICKET) for _, number, cents in due)


def check_outstanding(state: HouseState, number: str) -> Ticket:
    """Whether a table may still report a fault of the printer: nobody has paid the ticket, and nothing has ended it."""
    ticket = _known(state, number)
    _check_unpaid(number, ticket)
    return ticket


def check_by_hand(state: HouseState, number: str) -> None:
    """Whether a table may pay a ticket by hand, as far as the house is concerned: the cage has not, and cannot."""
    if check_outstanding(state, number).status is not TicketStatus.NOT_PRINTED:
        raise No(Cause.AT_THE_CAGE, ticket=number)


def _expiry(state: HouseState, from_ms: int) -> int | None:
    days = state.ticket_validity_days
    return from_ms + days * DAY_MS if days else None


def _known(state: HouseState, number: str) -> Ticket:
    ticket = state.tickets.get(number)
    if ticket is None or ticket.status is TicketStatus.REQUESTED:
        raise No(Cause.UNKNOWN_TICKET, ticket=number)
    return ticket


def _check_unpaid(number: str, ticket: Ticket) -> None:
    if ticket.status in OUTSTANDING:
        return
    if ticket.status is TicketStatus.VOID:
        raise No(Cause.TICKET_VOID, ticket=number)
    if ticket.status is TicketStatus.EXPIRED:
        raise No(Cause.TICKET_EXPIRED, ticket=number)
    how = "redeemed" if ticket.status is TicketStatus.PAID else "paid by hand"
    raise No(Cause.PAID_ALREADY, ticket=number, how=how)


def _wrong_number(state: HouseState, command: c.Redeem) -> No:
    """Counted by cashier, so that nobody can guess numbers unseen."""
    tried = e.WrongNumberTried(by=command.by, at_ms=command.at_ms, clause=TICKET)
    before = state.wrong_numbers.get(command.by, ())
    tries = 1 + sum(command.at_ms - at_ms < WITHIN_MS for at_ms in before)
    if tries < WRONG_NUMBERS:
        return No(Cause.UNKNOWN_TICKET, ticket=command.ticket, leaves=(tried,))
    alarm = e.GuessingAlarmed(by=command.by, tries=tries, at_ms=command.at_ms, clause=TICKET)
    return No(
        Cause.UNKNOWN_TICKET,
        ticket=command.ticket,
        leaves=(tried, alarm),
        alarm=f"{command.by} has presented {tries} wrong numbers within ten minutes",
    )


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise No(Cause.REASON_MISSING, clause=TICKET)
