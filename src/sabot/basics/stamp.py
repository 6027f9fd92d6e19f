"""The stamp beside an act: who gives it, in which role, when, and what the floor adds to it.

An act is what is said. Nobody says who they are: the stamper writes it (`floor/stamper`), from the device's enrolment,
the person's session and the house's lists.
"""

from typing import Generic, NamedTuple, TypeVar

import msgspec

from sabot.basics.figures import Figure
from sabot.basics.role import Role


class TablePlays(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What a table plays, as a tournament must know it to have equal tables (CROWN 12.1.1)."""

    document: str
    rule_set: str
    digest: str
    decks: int
    options: dict[str, int]
    stations: tuple[str, ...]
    """In their order."""
    reserved_for: str = ""


class Withheld(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Why the house does not grant what an act needs, as the house has refused it."""

    code: str
    clause: str
    text: str
    values: dict[str, Figure] = {}


class Stamp(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    by: str
    role: Role
    at_ms: int = 0
    """When the mailbox received the act, in milliseconds of the one clock."""
    second: str = ""
    """Who approves it, where nobody acts alone (G-99)."""
    second_role: Role | None = None
    """The role in which the second person approves an act of the house."""
    excluded: bool = False
    """Whether the house excludes the patron whom the act admits (CROWN 13.2.2)."""
    ticket: str = ""
    """The number of the ticket, where the act issues one."""
    sign_on: int = 0
    """The house's number of the sign-on, where the act signs a person on at a table (G-99)."""
    release: int = 0
    """The house's release of the ticket, where the act pays it by hand or hands the release back (CROWN 6.7.2(b))."""
    escrow: int = 0
    """The house's number of the escrow, where the act takes a ticket in at a station (G-235)."""
    escrow_cents: int = 0
    """What the ticket in escrow is worth, as the house knows it."""
    withheld: Withheld | None = None
    """Why the house puts the ticket into no escrow, where a station's acceptor holds it (G-235)."""
    build: str = ""
    """The digest of the running program, where the act opens a table."""
    salts: dict[str, str] = {}
    """Sixteen random bytes in hexadecimal for each station's seal, where the act closes the wagering."""
    director: str = ""
    """The Tournament Director who is present, where the act opens the wagering in a session (CROWN 12.2.5)."""
    is_staff: bool = False
    """Whether the house's staff list has the person whom the act names: a player, in any role (G-99); a Director to
    be appointed, as Tournament Director (CROWN 12.1.2)."""
    time_zone: str = ""
    """The house's zone, where the act saves the conditions of a tournament."""
    seed: str = ""
    """The 32 bytes behind a draw's commitment in hexadecimal, where the act opens it."""
    tables: dict[str, TablePlays] = {}
    """What the named tables play, where the act designates them (CROWN 12.3.1)."""


A = TypeVar("A")


class Stamped(NamedTuple, Generic[A]):
    """An act with its stamp: everything that a decision needs besides the state."""

    act: A
    stamp: Stamp


def clock_stamp(at_ms: int = 0) -> Stamp:
    """The stamp of what time itself or the floor does."""
    return Stamp(by=Role.CLOCK.value, role=Role.CLOCK, at_ms=at_ms)


def operator_stamp(at_ms: int = 0) -> Stamp:
    return Stamp(by=Role.OPERATOR.value, role=Role.OPERATOR, at_ms=at_ms)
