"""What an event moves in the house's own books. Nothing else moves money there."""

from sabot.house import events as e
from sabot.house.state import HouseState, TicketStatus
from sabot.ledger.account import CAGE, TABLES, TICKETS, UNCLAIMED, Account
from sabot.ledger.posting import Posting

_LATER = e.TicketRedeemed | e.TicketVoided | e.TicketSettledByHand | e.TicketExpired | e.TicketReinstated
_MOVES: dict[type[e.HouseEvent], tuple[Account, Account]] = {
    e.TicketRedeemed: (TICKETS, CAGE),
    e.TicketVoided: (TICKETS, TABLES),
    e.TicketSettledByHand: (TICKETS, TABLES),  # The table has paid, so it owes the house nothing for it.
    e.TicketExpired: (TICKETS, UNCLAIMED),
    e.TicketReinstated: (UNCLAIMED, TICKETS),
}


def postings(event: e.HouseEvent, state: HouseState) -> list[Posting]:
    """The postings of an event, given the state before it. A ticket is always worth what it was issued for."""
    if isinstance(event, e.TicketRegistered):
        return [Posting(TABLES, TICKETS, event.cents, event.clause)]
    if not isinstance(event, _LATER):
        return []
    ticket = state.tickets[event.ticket]
    if isinstance(event, e.TicketReinstated) and ticket.status is not TicketStatus.EXPIRED:
        return []  # It never stopped being owed.
    return [Posting(*_MOVES[type(event)], ticket.cents, event.clause)]
