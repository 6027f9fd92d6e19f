"""Tickets, from the number that is kept for one to its end."""

from typing import Annotated

import msgspec

from sabot.basics.act import Act
from sabot.basics.bounds import MOST_COUNTED, AmountTold, NameSaid, TextSaid, TimeTold


class RequestTicket(Act, frozen=True, kw_only=True):
    """Keep a number for a station that is about to issue a ticket, so that no other table can use it."""

    ticket: NameSaid
    table: NameSaid
    station: NameSaid


class RegisterTicket(Act, frozen=True, kw_only=True):
    """Take note of a ticket that a table has issued; telling it again changes nothing."""

    ticket: NameSaid
    cents: AmountTold
    table: NameSaid
    station: NameSaid
    issued_ms: TimeTold


class Printed(Act, frozen=True, kw_only=True):
    ticket: NameSaid
    table: NameSaid = ""


class CloseToTheCage(Act, frozen=True, kw_only=True):
    """A table has recorded that the ticket was not printed: only a payment by hand is open from now on."""

    ticket: NameSaid
    fault: TextSaid


class ReleaseTicket(Act, frozen=True, kw_only=True):
    """Let its table, and nobody else, pay a ticket by hand; asked again for the same table it is the same release."""

    ticket: NameSaid
    table: NameSaid


class NoteHandedBack(Act, frozen=True, kw_only=True):
    """A table has handed a release back, and never pays on it."""

    ticket: NameSaid
    release: Annotated[int, msgspec.Meta(ge=1, extra={"most": MOST_COUNTED})]


class NotePaidByHand(Act, frozen=True, kw_only=True):
    """A table has paid it by hand."""

    ticket: NameSaid


class Redeem(Act, frozen=True, kw_only=True):
    ticket: NameSaid


class VoidTicket(Act, frozen=True, kw_only=True):
    ticket: NameSaid
    reason: TextSaid


class Reinstate(Act, frozen=True, kw_only=True):
    """Let the cage pay a ticket after all: one that expired, or that was printed although a fault was reported."""

    ticket: NameSaid
    reason: TextSaid


TicketAct = Printed | Redeem | VoidTicket | Reinstate
CarriedTicketAct = RequestTicket | RegisterTicket | CloseToTheCage | ReleaseTicket | NoteHandedBack | NotePaidByHand
