"""Tickets, from the number that is kept for a station to the one payment (CROWN 6.7.2).

Between streams there is no transaction. A table issues a ticket by itself and the house registers it, as often as it is
told. Who may pay a ticket is decided here alone. Paying at the cage is the house's record, so a ticket is paid once
however many cages try. A payment by hand is a table's record and names a release, which is the house's. From the
release on the cage neither pays nor voids the ticket, and it is not reinstated. That ends when its table hands the
release back by a record, after which it never pays on it. No race, delay or crash between the two streams can pay
twice.
"""

import re

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.house import acts
from sabot.house import events as e
from sabot.house.filed_book import DAY_MS, PutAway, Sought
from sabot.house.refusal import HouseCause, HouseNo
from sabot.house.state import AT_THE_CAGE, AT_THE_TABLE, OUTSTANDING, HouseState, RegisteredTicket, TicketStatus

TICKET = "CROWN 6.7.2"
BY_HAND = "CROWN 6.7.2(b)"
WRONG_NUMBERS = 5
WITHIN_MS = 10 * 60 * 1000
"""So many numbers of no ticket, presented by one cashier within this time, raise an alarm."""

_NUMBER = re.compile(r"[0-9]{18}")


def request_ticket(state: HouseState, act: acts.RequestTicket, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    known = _of_number(state, act.ticket)
    if known == RegisteredTicket(TicketStatus.REQUESTED, act.table, act.station):
        return ()
    if known is not None:
        raise HouseNo(HouseCause.TICKET_NUMBER, why="the house knows this one already")
    if not _NUMBER.fullmatch(act.ticket):
        raise HouseNo(HouseCause.TICKET_NUMBER, why=f"{act.ticket!r} is none")
    return (
        e.TicketRequested(
            ticket=act.ticket,
            table=act.table,
            station=act.station,
            at_ms=stamp.at_ms,
            clause=TICKET,
        ),
    )


def register_ticket(state: HouseState, act: acts.RegisterTicket, _stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """A number was kept for a station before any table used it, so one that is unknown now was put away."""
    known = _of_number(state, act.ticket, is_sure=True)
    if known is not None:
        if (known.table, known.station) != (act.table, act.station):
            raise HouseNo(HouseCause.TICKET_NUMBER, why="this one belongs to another station")
        if known.status is not TicketStatus.REQUESTED:
            return ()
    return (
        e.TicketRegistered(
            ticket=act.ticket,
            cents=act.cents,
            table=act.table,
            station=act.station,
            issued_ms=act.issued_ms,
            expires_ms=expiry_of(state, act.issued_ms),
            clause=TICKET,
        ),
    )


def report_printed(state: HouseState, act: acts.Printed, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    ticket = _known(state, act.ticket)
    if stamp.role is Role.STATION and (ticket.table, ticket.station) != (act.table, stamp.by):
        raise HouseNo(HouseCause.NOT_THIS_STATION, ticket=act.ticket, station=stamp.by)
    if ticket.status is not TicketStatus.ISSUED:
        return ()
    return (e.TicketPrinted(ticket=act.ticket, by=stamp.by, clause=TICKET),)


def close_to_the_cage(state: HouseState, act: acts.CloseToTheCage, _stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """What has been paid in the meantime stays paid, and is then not released to the table."""
    ticket = _known(state, act.ticket)
    if ticket.status not in AT_THE_CAGE or ticket.faulted:
        return ()
    return (e.TicketClosedToTheCage(ticket=act.ticket, fault=act.fault, clause=BY_HAND),)


def release_ticket(state: HouseState, act: acts.ReleaseTicket, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """The table may have lost the answer, so it gets the same release again."""
    ticket = check_outstanding(state, act.ticket)
    _check_not_in_escrow(ticket, act.ticket)
    if ticket.table != act.table:
        raise HouseNo(HouseCause.NOT_THIS_STATION, ticket=act.ticket, station=act.table)
    if ticket.status is TicketStatus.RELEASED:
        return ()
    if ticket.status is not TicketStatus.NOT_PRINTED:
        raise HouseNo(HouseCause.AT_THE_CAGE, ticket=act.ticket)
    release = ticket.releases + 1
    return (e.TicketReleased(ticket=act.ticket, table=act.table, release=release, at_ms=stamp.at_ms, clause=BY_HAND),)


def note_handed_back(state: HouseState, act: acts.NoteHandedBack, _stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """Told late or again, it does not end a release that was given after it."""
    ticket = _known(state, act.ticket)
    if ticket.status is not TicketStatus.RELEASED or ticket.releases != act.release:
        return ()
    return (e.TicketReleaseEnded(ticket=act.ticket, release=act.release, clause=BY_HAND),)


def note_paid_by_hand(state: HouseState, act: acts.NotePaidByHand, _stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """A payment that was made was made: whatever else the house has heard of the ticket, it pays it no more."""
    if _known(state, act.ticket).status not in AT_THE_CAGE | AT_THE_TABLE:
        return ()
    return (e.TicketSettledByHand(ticket=act.ticket, clause=BY_HAND),)


def redeem(state: HouseState, act: acts.Redeem, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    if not is_known(state, act.ticket):
        raise wrong_number(state, act.ticket, stamp.by, stamp.at_ms)
    ticket = check_good(state, act.ticket, stamp.at_ms)
    return (e.TicketRedeemed(ticket=act.ticket, cents=ticket.cents, by=stamp.by, at_ms=stamp.at_ms, clause=TICKET),)


def check_good(state: HouseState, number: str, at_ms: int) -> RegisteredTicket:
    """The ticket, if its paper is good for its value now."""
    ticket = check_outstanding(state, number)
    _check_not_in_escrow(ticket, number)
    if ticket.status in AT_THE_TABLE:
        raise HouseNo(HouseCause.BY_HAND_ONLY, ticket=number)
    if ticket.expires_ms is not None and at_ms >= ticket.expires_ms:
        raise HouseNo(HouseCause.TICKET_EXPIRED, ticket=number)
    return ticket


def void_ticket(state: HouseState, act: acts.VoidTicket, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """A ticket with a payment by hand open is for its table to settle."""
    ticket = check_outstanding(state, act.ticket)
    _check_not_in_escrow(ticket, act.ticket)
    if ticket.status in AT_THE_TABLE:
        raise HouseNo(HouseCause.BY_HAND_ONLY, ticket=act.ticket)
    _check_reason(act.reason)
    return (
        e.TicketVoided(
            ticket=act.ticket,
            cents=ticket.cents,
            reason=act.reason,
            by=stamp.by,
            second=stamp.second,
            clause=TICKET,
        ),
    )


def reinstate(state: HouseState, act: acts.Reinstate, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """It is good again as if it had just been issued, at the cage alone."""
    ticket = _known(state, act.ticket)
    _check_not_in_escrow(ticket, act.ticket)
    if ticket.status is TicketStatus.RELEASED:
        raise HouseNo(HouseCause.RELEASED, ticket=act.ticket, table=ticket.table)
    if ticket.status not in (TicketStatus.EXPIRED, TicketStatus.NOT_PRINTED):
        raise HouseNo(HouseCause.NOTHING_TO_REINSTATE, ticket=act.ticket, status=ticket.status.replace("_", " "))
    _check_reason(act.reason)
    return (
        e.TicketReinstated(
            ticket=act.ticket,
            reason=act.reason,
            expires_ms=expiry_of(state, stamp.at_ms),
            by=stamp.by,
            second=stamp.second,
            clause=TICKET,
        ),
    )


def tickets_expired_by(state: HouseState, at_ms: int) -> tuple[e.HouseEvent, ...]:
    """The tickets that the cage would have paid and whose time has come; a payment by hand stays open."""
    due = sorted(
        (ticket.expires_ms, number, ticket.cents)
        for number, ticket in state.tickets.open.items()
        if ticket.status in AT_THE_CAGE and ticket.expires_ms is not None and at_ms >= ticket.expires_ms
    )
    return tuple(e.TicketExpired(ticket=number, cents=cents, at_ms=at_ms, clause=TICKET) for _, number, cents in due)


def check_outstanding(state: HouseState, number: str) -> RegisteredTicket:
    """Whether a table may still report a fault of the printer: nobody has paid the ticket, and nothing has ended it."""
    ticket = _known(state, number)
    if ticket.status in OUTSTANDING:
        return ticket
    if ticket.status is TicketStatus.VOID:
        raise HouseNo(HouseCause.TICKET_VOID, ticket=number)
    if ticket.status is TicketStatus.EXPIRED:
        raise HouseNo(HouseCause.TICKET_EXPIRED, ticket=number)
    raise HouseNo(HouseCause.PAID_ALREADY, ticket=number, how=_HOW[ticket.status].format(place=ticket.taken_by))


_HOW = {
    TicketStatus.PAID: "redeemed",
    TicketStatus.BY_HAND: "paid by hand",
    TicketStatus.TAKEN_IN: "taken in by {place}",
}
"""How a ticket was paid, in words."""


def is_known(state: HouseState, number: str) -> bool:
    return _of_number(state, number) is not None


def release_held(state: HouseState, number: str, table: str) -> int:
    """The release on which a table may pay a ticket now, or 0."""
    ticket = state.tickets.get(number)
    if ticket is None or ticket.status is not TicketStatus.RELEASED or ticket.table != table:
        return 0
    return ticket.releases


def expiry_of(state: HouseState, from_ms: int) -> int | None:
    """When what is issued at this time expires, or nothing where tickets stay good."""
    days = state.ticket_validity_days
    return from_ms + days * DAY_MS if days else None


def _of_number(state: HouseState, number: str, *, is_sure: bool = False) -> RegisteredTicket | None:
    """The ticket; where none is in the state, one that was put away is recalled before anything is decided."""
    ticket = state.tickets.get(number)
    if ticket is None and state.away.tickets and number not in state.absent:
        raise PutAway(Sought("ticket", number, is_sure))
    return ticket


def _check_not_in_escrow(ticket: RegisteredTicket, number: str) -> None:
    if ticket.status is TicketStatus.IN_ESCROW:
        raise HouseNo(HouseCause.IN_ESCROW, ticket=number, place=ticket.taken_by)


def _known(state: HouseState, number: str) -> RegisteredTicket:
    ticket = _of_number(state, number)
    if ticket is None or ticket.status is TicketStatus.REQUESTED:
        raise HouseNo(HouseCause.UNKNOWN_TICKET, ticket=number)
    return ticket


def wrong_number(state: HouseState, number: str, by: str, at_ms: int) -> HouseNo:
    """Counted by cashier or station, so that nobody can guess numbers unseen."""
    tried = e.WrongNumberTried(by=by, at_ms=at_ms, clause=TICKET)
    before = state.wrong_numbers.get(by, ())
    tries = 1 + sum(at_ms - then < WITHIN_MS for then in before)
    if tries < WRONG_NUMBERS:
        return HouseNo(HouseCause.UNKNOWN_TICKET, ticket=number, leaves=(tried,))
    alarm = e.GuessingAlarmed(by=by, tries=tries, at_ms=at_ms, clause=TICKET)
    return HouseNo(
        HouseCause.UNKNOWN_TICKET,
        ticket=number,
        leaves=(tried, alarm),
        alarm=f"{by} has presented {tries} wrong numbers within ten minutes",
    )


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise HouseNo(HouseCause.REASON_MISSING, clause=TICKET)
