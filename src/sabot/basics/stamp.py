"""The stamp beside an act: who gives it, in which role, when, and what the floor adds to it.

An act is what somebody says. Nobody says who they are: the stamper writes it (`floor/stamper`), from the device's
enrolment, the person's session and the house's lists.
"""

from typing import Generic, NamedTuple, TypeVar

import msgspec

from sabot.basics.role import Role


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
    build: str = ""
    """The digest of the running program, where the act opens a table."""
    salts: dict[str, str] = {}
    """Sixteen random bytes in hexadecimal for each station's seal, where the act closes the wagering."""


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
