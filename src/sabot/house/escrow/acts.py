"""Tickets in the escrow of a station's acceptor."""

from typing import Annotated

import msgspec

from sabot.basics.act import Act
from sabot.basics.bounds import MOST_COUNTED, NameSaid


class EscrowTicket(Act, frozen=True, kw_only=True):
    """Let the table of a station, and nobody else, take a ticket in; asked again for it, it is the same escrow."""

    ticket: NameSaid
    table: NameSaid
    station: NameSaid


class NoteTakenIn(Act, frozen=True, kw_only=True):
    """A table has credited the ticket that was in escrow for it."""

    ticket: NameSaid
    table: NameSaid
    station: NameSaid
    escrow: Annotated[int, msgspec.Meta(ge=1, extra={"most": MOST_COUNTED})]


class NoteEscrowDropped(Act, frozen=True, kw_only=True):
    """A table has dropped an escrow, and credits nothing on it."""

    ticket: NameSaid
    table: NameSaid
    station: NameSaid
    escrow: Annotated[int, msgspec.Meta(ge=1, extra={"most": MOST_COUNTED})]


CarriedEscrowAct = EscrowTicket | NoteTakenIn | NoteEscrowDropped
