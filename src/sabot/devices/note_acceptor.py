"""The interface of a note acceptor: it recognises a note, holds it in escrow, and stacks or returns it on command.

The escrow survives a loss of power: afterwards the note is still in escrow or in the stacker. A driver needs no more to
credit every note once.
"""

from typing import Protocol

import msgspec


class Escrowed(msgspec.Struct, frozen=True):
    """A note is in escrow. It may be reported more than once; `state` says whether it still is."""


class Stacked(msgspec.Struct, frozen=True):
    """The note has moved from escrow into the stacker."""


class NoteReturned(msgspec.Struct, frozen=True):
    """The note went back to the patron, or was not recognised."""


class Faulted(msgspec.Struct, frozen=True):
    """The acceptor is out of order until it is repaired. A note stays in escrow unless the attendant takes it."""

    fault: str


class Mended(msgspec.Struct, frozen=True):
    pass


AcceptorReport = Escrowed | Stacked | NoteReturned | Faulted | Mended


class AcceptorState(msgspec.Struct, frozen=True):
    escrow: int | None
    """The note in escrow, in cents."""
    fault: str = ""


class NoteAcceptor(Protocol):
    def state(self) -> AcceptorState:
        """The state now; also available right after a loss of power."""

    async def report(self) -> AcceptorReport:
        """The next report."""

    def enable(self) -> None:
        """Accept notes. After a loss of power it accepts none until this is called again."""

    def disable(self) -> None: ...

    def stack(self) -> None:
        """Stack the note in escrow; without one nothing happens."""

    def give_back(self) -> None:
        """Return the note in escrow; without one nothing happens."""
