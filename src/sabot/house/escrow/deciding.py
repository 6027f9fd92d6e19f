"""Tickets in the escrow of a station's acceptor, where a table takes tickets in (G-64, G-235).

From the escrow on nobody pays, voids, expires or reinstates the ticket but the table for whose station it is, on the
escrow's number. It ends with a record of that table, which has credited the ticket or never will on this number. A
station has one ticket in escrow at a time, so the newest number of each station is all that a table must remember.
"""

from typing import NamedTuple

from sabot.basics.stamp import Stamp
from sabot.house import acts
from sabot.house import events as e
from sabot.house.refusal import HouseCause, HouseNo
from sabot.house.state import HouseState, TicketStatus
from sabot.house.ticket_number import is_misread
from sabot.house.tickets.deciding import check_good, is_known, wrong_number

ESCROW = "G-235"


class EscrowHeld(NamedTuple):
    """On which number, and for how much, a table may credit a ticket now."""

    number: int = 0
    cents: int = 0


def escrow_ticket(state: HouseState, act: acts.EscrowTicket, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """The table may have lost the answer, so it gets the same escrow again."""
    if not is_known(state, act.ticket):
        if is_misread(act.ticket):
            raise HouseNo(HouseCause.TICKET_MISREAD, ticket=act.ticket)
        raise wrong_number(state, act.ticket, f"{act.station} at {act.table}", stamp.at_ms)
    held = state.in_escrow.get(act.table, {}).get(act.station)
    if held is not None and held.ticket == act.ticket:
        return ()
    ticket = check_good(state, act.ticket, stamp.at_ms)
    if held is not None:
        raise HouseNo(HouseCause.STATION_BUSY, station=act.station, other=held.ticket)
    return (
        e.TicketEscrowed(
            ticket=act.ticket,
            cents=ticket.cents,
            table=act.table,
            station=act.station,
            escrow=state.escrows + 1,
            at_ms=stamp.at_ms,
            clause=ESCROW,
        ),
    )


def note_taken_in(state: HouseState, act: acts.NoteTakenIn, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    if not _is_open(state, act):
        return ()
    return (
        e.TicketTakenIn(
            ticket=act.ticket,
            cents=state.tickets[act.ticket].cents,
            table=act.table,
            station=act.station,
            escrow=act.escrow,
            at_ms=stamp.at_ms,
            clause=ESCROW,
        ),
    )


def note_escrow_dropped(state: HouseState, act: acts.NoteEscrowDropped, _stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    if not _is_open(state, act):
        return ()
    return (
        e.TicketEscrowEnded(ticket=act.ticket, table=act.table, station=act.station, escrow=act.escrow, clause=ESCROW),
    )


def escrow_held(state: HouseState, number: str, table: str, station: str) -> EscrowHeld:
    """What the house has put into escrow for the station, if it is this ticket."""
    held = state.in_escrow.get(table, {}).get(station)
    if held is None or held.ticket != number:
        return EscrowHeld()
    return EscrowHeld(held.number, state.tickets[number].cents)


def worth(state: HouseState, number: str) -> int:
    """What a ticket is worth, as far as the house knows at once; 0 where it must be asked."""
    known = state.tickets.get(number)
    return 0 if known is None or known.status is TicketStatus.REQUESTED else known.cents


def _is_open(state: HouseState, act: acts.NoteTakenIn | acts.NoteEscrowDropped) -> bool:
    """Told late or again, it does not end an escrow that came after it."""
    held = state.in_escrow.get(act.table, {}).get(act.station)
    return held is not None and (held.ticket, held.number) == (act.ticket, act.escrow)
