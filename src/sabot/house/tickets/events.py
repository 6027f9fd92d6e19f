"""Tickets, from the number that is kept for one to its end."""

from sabot.house.event import HouseEvent


class TicketRequested(HouseEvent, frozen=True, kw_only=True):
    ticket: str
    table: str
    station: str
    at_ms: int
    clause: str


class TicketRegistered(HouseEvent, frozen=True, kw_only=True):
    ticket: str
    cents: int
    table: str
    station: str
    issued_ms: int
    expires_ms: int | None
    """When it expires, fixed at issue, or nothing."""
    clause: str


class TicketPrinted(HouseEvent, frozen=True, kw_only=True):
    ticket: str
    by: str
    clause: str


class TicketClosedToTheCage(HouseEvent, frozen=True, kw_only=True):
    """It was not printed: only a payment by hand is open."""

    ticket: str
    fault: str
    clause: str


class TicketReleased(HouseEvent, frozen=True, kw_only=True):
    """Its table alone may pay it from now on; the payment names this release."""

    ticket: str
    table: str
    release: int
    at_ms: int
    clause: str


class TicketReleaseEnded(HouseEvent, frozen=True, kw_only=True):
    """Its table has handed the release back."""

    ticket: str
    release: int
    clause: str


class TicketSettledByHand(HouseEvent, frozen=True, kw_only=True):
    ticket: str
    clause: str


class TicketRedeemed(HouseEvent, frozen=True, kw_only=True):
    ticket: str
    cents: int
    by: str
    at_ms: int
    clause: str


class TicketVoided(HouseEvent, frozen=True, kw_only=True):
    ticket: str
    cents: int
    reason: str
    by: str
    second: str
    clause: str


class TicketReinstated(HouseEvent, frozen=True, kw_only=True):
    ticket: str
    reason: str
    expires_ms: int | None
    by: str
    second: str
    clause: str


class TicketExpired(HouseEvent, frozen=True, kw_only=True):
    ticket: str
    cents: int
    at_ms: int
    clause: str


class WrongNumberTried(HouseEvent, frozen=True, kw_only=True):
    """A cashier presented a number that is no ticket's. The number is not kept: it may be nearly right."""

    by: str
    at_ms: int
    clause: str


class GuessingAlarmed(HouseEvent, frozen=True, kw_only=True):
    """So many wrong numbers within minutes look like guessing."""

    by: str
    tries: int
    at_ms: int
    clause: str


TicketEvent = (
    TicketRequested
    | TicketRegistered
    | TicketPrinted
    | TicketClosedToTheCage
    | TicketReleased
    | TicketReleaseEnded
    | TicketSettledByHand
    | TicketRedeemed
    | TicketVoided
    | TicketReinstated
    | TicketExpired
    | WrongNumberTried
    | GuessingAlarmed
)
