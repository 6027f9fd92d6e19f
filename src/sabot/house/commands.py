"""Commands: what people and the floor ask of the house. One frozen class each, in the imperative.

Whoever carries a command stamps who asks and in which role, and where two persons are due the second and his role. Time
and ticket numbers arrive inside commands. What the floor carries from the tables' own records comes from the clock. The
tag is the verb of `sabot table`.
"""

from typing import Annotated, Literal

import msgspec

from sabot.basics.role import Role

Reference = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$")]
"""Stands for a person or a thing whose name is kept elsewhere, where it can be erased."""


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False, tag_field="do"):
    by: str
    role: Role
    at_ms: int
    """When the house's mailbox received it, in milliseconds of the one clock."""
    second: str = ""
    """Who approves it, where nobody acts alone."""
    second_role: Role | None = None


class ConfigureHouse(Command, frozen=True, kw_only=True, tag="configure_house"):
    """Say where and when the house keeps its days, and how long a ticket is good for; what is not said stays."""

    time_zone: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z_]+(/[A-Za-z_+-]+)*$")] | None = None
    gaming_day_starts: Annotated[str, msgspec.Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")] | None = None
    ticket_validity_days: Annotated[int, msgspec.Meta(ge=0, le=3650)] | None = None
    """Days of 24 hours from issue; with 0 tickets stay good."""


class EnterTable(Command, frozen=True, kw_only=True, tag="enter_table"):
    """A table joins the house, or changes what it offers: the choice it plays each optioned side bet by."""

    table: str
    offers: dict[str, int]


class TellBusy(Command, frozen=True, kw_only=True, tag="tell_busy"):
    """A coup has begun or ended at a table."""

    table: str
    busy: bool


class OrderOption(Command, frozen=True, kw_only=True, tag="option"):
    option: str
    choice: int


# Staff


class Appoint(Command, frozen=True, kw_only=True, tag="appoint"):
    """Put a person on the staff list, or give him other roles than before."""

    person: Reference
    roles: Annotated[tuple[Role, ...], msgspec.Meta(min_length=1)]


class Dismiss(Command, frozen=True, kw_only=True, tag="dismiss"):
    person: str
    reason: str


class LockOut(Command, frozen=True, kw_only=True, tag="lock_out"):
    """Too many wrong PINs were given for a person: nobody signs on in his name until a supervisor has unlocked it."""

    person: str
    failures: Annotated[int, msgspec.Meta(ge=1)] = 5


class Unlock(Command, frozen=True, kw_only=True, tag="unlock"):
    """Let a person who is locked out try again."""

    person: str
    reason: str


# Devices


class Enrol(Command, frozen=True, kw_only=True, tag="enrol"):
    """Admit a device to the floor under a key that only it holds."""

    device: Reference
    kind: Literal["station", "console", "display", "note_acceptor", "printer", "shoe"]
    table: str
    key: str
    """The SHA-256 of its public key, in hexadecimal."""
    approval: str = ""
    remote: bool = False
    station: Reference | None = None
    """The station that it is, or serves; one that is not told bears its station's name."""


class Revoke(Command, frozen=True, kw_only=True, tag="revoke"):
    device: str
    reason: str


# Exclusions


class Exclude(Command, frozen=True, kw_only=True, tag="exclude"):
    patron: Reference
    reason: str
    until_ms: int | None = None
    """Without it, for good."""
    source: str = ""
    """The table and case that led to it, where the floor carries it; told again it changes nothing."""
    decided_by: str = ""
    """Who decided that case."""


class Readmit(Command, frozen=True, kw_only=True, tag="readmit"):
    patron: str
    reason: str


# Tickets


class RequestTicket(Command, frozen=True, kw_only=True, tag="request_ticket"):
    """Keep a number for a station that is about to issue a ticket, so that no other table can use it."""

    ticket: str
    table: str
    station: str


class RegisterTicket(Command, frozen=True, kw_only=True, tag="register_ticket"):
    """Take note of a ticket that a table has issued; telling it again changes nothing."""

    ticket: str
    cents: Annotated[int, msgspec.Meta(gt=0)]
    table: str
    station: str
    issued_ms: int


class ReportPrinted(Command, frozen=True, kw_only=True, tag="printed"):
    ticket: str
    table: str = ""


class CloseToTheCage(Command, frozen=True, kw_only=True, tag="close_to_the_cage"):
    """A table has recorded that the ticket was not printed: only a payment by hand is open from now on."""

    ticket: str
    fault: str


class NotePaidByHand(Command, frozen=True, kw_only=True, tag="note_paid_by_hand"):
    """A table has paid it by hand."""

    ticket: str


class Redeem(Command, frozen=True, kw_only=True, tag="redeem"):
    ticket: str


class VoidTicket(Command, frozen=True, kw_only=True, tag="void_ticket"):
    ticket: str
    reason: str


class Reinstate(Command, frozen=True, kw_only=True, tag="reinstate"):
    """Let the cage pay a ticket after all: one that expired, or that was printed although a fault was reported."""

    ticket: str
    reason: str


class ExpireTickets(Command, frozen=True, kw_only=True, tag="expire"):
    """Let every ticket expire whose time has come."""


# The gaming day


class OpenDay(Command, frozen=True, kw_only=True, tag="open_day"):
    date: str


class CloseDay(Command, frozen=True, kw_only=True, tag="close_day"):
    pass
