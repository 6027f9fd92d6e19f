"""Tickets that a station's acceptor takes in, where the rules allow it (G-64, G-235).

The house puts the ticket into escrow for the station and gives the escrow a number, which rises. The table credits the
ticket on that number, or drops it; it does one of the two, once, since it takes no number up to the newest that it has
ended. The acceptor stacks the paper when the credit is on record, and otherwise returns it.
"""

from sabot.basics.money import LARGEST_AMOUNT, write_amount
from sabot.basics.stamp import Stamp
from sabot.table import acts
from sabot.table.accounts.deciding import check_acceptor, opened
from sabot.table.accounts.state import NO_ESCROW, StationEscrow
from sabot.table.events import EscrowDropped, Event, TicketCredited
from sabot.table.no import No, NotGranted
from sabot.table.refusal import Cause
from sabot.table.state import TableState

ESCROW = "G-235"


def insert_ticket(state: TableState, act: acts.InsertTicket, stamp: Stamp) -> tuple[Event, ...]:
    """A ticket opens the account by itself, as a note does (G-115)."""
    rule = state.terms.rule_set.accounts.tickets_in
    if not rule.taken:
        raise No(Cause.NO_TICKETS_IN, ticket=act.ticket, clause=rule.clause)
    name = act.station or stamp.by
    station = check_acceptor(state, name, stamp)
    newest = escrow_of(state, name)
    if newest.is_credited and newest.ticket == act.ticket:
        raise No(Cause.PAID_ALREADY, ticket=act.ticket, how="taken in", clause=ESCROW)
    held = state.purse(name).total + stamp.escrow_cents
    if held > LARGEST_AMOUNT:
        raise No(Cause.BAD_AMOUNT, why=f"{write_amount(held)} is more than any account can hold")
    credit = TicketCredited(
        station=name,
        ticket=act.ticket,
        cents=stamp.escrow_cents,
        escrow=stamp.escrow,
        at_ms=stamp.at_ms,
        clause=rule.clause,
    )
    if station.is_open:
        return (credit,)
    return (*opened(state, name, "", stamp.by, stamp.at_ms, rule.clause), credit)


def check_escrow(state: TableState, act: acts.InsertTicket, stamp: Stamp) -> None:
    """The number comes from the house with the amount, and each number is used once.

    A ticket that the house refuses is refused here in its words, so that the station's own records say why.
    """
    if stamp.withheld is not None:
        raise NotGranted(Cause.NOT_IN_ESCROW, stamp.withheld)
    if not stamp.escrow_cents or stamp.escrow <= escrow_of(state, act.station or stamp.by).number:
        raise No(Cause.NOT_IN_ESCROW, ticket=act.ticket, station=act.station or stamp.by)


def drop_escrow(state: TableState, act: acts.DropEscrow, _stamp: Stamp) -> tuple[Event, ...]:
    """What was credited in the meantime stays."""
    if act.escrow <= escrow_of(state, act.station).number:
        return ()
    return (EscrowDropped(station=act.station, ticket=act.ticket, escrow=act.escrow, clause=ESCROW),)


def escrow_of(state: TableState, station: str) -> StationEscrow:
    """The newest escrow of a station that is over."""
    return state.escrows.get(station, NO_ESCROW)
