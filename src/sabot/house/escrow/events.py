"""Tickets in the escrow of a station's acceptor."""

from sabot.house.event import HouseEvent


class TicketEscrowed(HouseEvent, frozen=True, kw_only=True):
    """The table of the station alone may credit it from now on; the credit names this escrow."""

    ticket: str
    cents: int
    table: str
    station: str
    escrow: int
    at_ms: int
    clause: str


class TicketEscrowEnded(HouseEvent, frozen=True, kw_only=True):
    """The table has dropped the escrow."""

    ticket: str
    table: str
    station: str
    escrow: int
    clause: str


class TicketTakenIn(HouseEvent, frozen=True, kw_only=True):
    """The table has credited it to the station's account."""

    ticket: str
    cents: int
    table: str
    station: str
    escrow: int
    at_ms: int
    clause: str


EscrowEvent = TicketEscrowed | TicketEscrowEnded | TicketTakenIn
