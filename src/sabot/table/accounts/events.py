"""Chip accounts, leaving and being paid."""

from sabot.table.event import Event


class AccountOpened(Event, frozen=True, kw_only=True):
    station: str
    patron: str
    control: int
    by: str
    at_ms: int
    clause: str


class BoughtIn(Event, frozen=True, kw_only=True):
    station: str
    cents: int
    tender: str
    reference: str
    clause: str


class BuyInDeferred(Event, frozen=True, kw_only=True):
    """The dealer took a buy-in while the accounts were frozen; it is credited when they no longer are."""

    station: str
    cents: int
    tender: str
    reference: str
    patron: str
    by: str
    clause: str


class NoteStacked(Event, frozen=True, kw_only=True):
    station: str
    cents: int
    at_ms: int
    clause: str


class TicketCredited(Event, frozen=True, kw_only=True):
    """A ticket in the acceptor's escrow is credited on the house's number for it; the acceptor stacks it then."""

    station: str
    ticket: str
    cents: int
    escrow: int
    at_ms: int
    clause: str


class EscrowDropped(Event, frozen=True, kw_only=True):
    """The table takes in no ticket on this number any more."""

    station: str
    ticket: str
    escrow: int
    clause: str


class NomineeNamed(Event, frozen=True, kw_only=True):
    station: str
    control: int
    patron: str
    nominee: str
    clause: str


class LeaveAsked(Event, frozen=True, kw_only=True):
    """The patron leaves: what is free is held, and what still runs is settled first."""

    station: str
    held_cents: int
    clause: str


class LeaveTakenBack(Event, frozen=True, kw_only=True):
    """The patron stays: what was held is back on the account."""

    station: str
    cents: int
    by: str
    clause: str


class DirectedToLeave(Event, frozen=True, kw_only=True):
    station: str
    reason: str
    by: str
    clause: str


class BalanceHeld(Event, frozen=True, kw_only=True):
    """After settlement, what a leaving patron's account has come to is held."""

    station: str
    cents: int
    clause: str


class PaidOut(Event, frozen=True, kw_only=True):
    station: str
    cents: int
    chips_cents: int
    coin_cents: int
    """The part too small for any chip (G-51)."""
    by: str
    clause: str


class TicketIssued(Event, frozen=True, kw_only=True):
    station: str
    ticket: str
    cents: int
    at_ms: int
    clause: str


class PrintFailed(Event, frozen=True, kw_only=True):
    ticket: str
    fault: str
    clause: str


class ReleaseHandedBack(Event, frozen=True, kw_only=True):
    """The table will not pay the ticket on this release of the house any more."""

    ticket: str
    release: int
    reason: str
    by: str
    clause: str


class TicketPaidManually(Event, frozen=True, kw_only=True):
    ticket: str
    cents: int
    release: int = 0
    """The house's release on which it is paid."""
    reason: str
    by: str
    clause: str


class AccountClosed(Event, frozen=True, kw_only=True):
    station: str
    clause: str


class AskedToVacate(Event, frozen=True, kw_only=True):
    station: str
    coup: int
    """The coup by whose end the patron plays, or may be closed and paid."""
    by: str
    clause: str


AccountEvent = (
    AccountOpened
    | BoughtIn
    | BuyInDeferred
    | NoteStacked
    | TicketCredited
    | EscrowDropped
    | NomineeNamed
    | LeaveAsked
    | LeaveTakenBack
    | DirectedToLeave
    | BalanceHeld
    | PaidOut
    | TicketIssued
    | PrintFailed
    | ReleaseHandedBack
    | TicketPaidManually
    | AccountClosed
    | AskedToVacate
)
