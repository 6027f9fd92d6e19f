"""The interface of a note acceptor: it recognises a note, holds it in escrow, and stacks or returns it on command.

A driver stores the mark of the note that it asks a credit for. After a loss of power the acceptor says by this mark
what became of the note. A driver needs no more to credit every stacked note once, and to call an attendant otherwise.
"""

from typing import Literal, Protocol

import msgspec

Fate = Literal["escrow", "stacked", "returned", "unknown"]
"""What became of a note. `unknown`: an attendant took it, or the acceptor forgot it with its power."""


class Escrowed(msgspec.Struct, frozen=True):
    """A note or a ticket is in escrow. It may be reported more than once; `state` says whether it still is."""


class Stacked(msgspec.Struct, frozen=True):
    """The note has moved from escrow into the stacker. One whose credit was not asked for may have, too: some acceptors
    stack what they hold when their power comes back."""

    mark: str
    cents: int | None
    ticket: str = ""
    """The number of the ticket, where it is one."""


class NoteReturned(msgspec.Struct, frozen=True):
    """The note went back to the patron, or was not recognised."""


class NoteGone(msgspec.Struct, frozen=True):
    """The note is no longer in escrow, and the acceptor does not say where it is."""


class Faulted(msgspec.Struct, frozen=True):
    """The acceptor is out of order until it is repaired. A note stays in escrow unless the attendant takes it."""

    fault: str


class Mended(msgspec.Struct, frozen=True):
    pass


class Noticed(msgspec.Struct, frozen=True):
    """Something that an attendant should know of, while the acceptor works on."""

    what: str


AcceptorReport = Escrowed | Stacked | NoteReturned | NoteGone | Faulted | Mended | Noticed


class AcceptorState(msgspec.Struct, frozen=True):
    escrow: int | None
    """The note in escrow, in cents."""
    fault: str = ""
    mark: str = ""
    """Which note or ticket is in escrow: no other one has the same mark."""
    ticket: str = ""
    """The number that was read from the ticket in escrow; a ticket has no value in cents before the house is asked."""

    @property
    def is_held(self) -> bool:
        """Whether a note or a ticket is in escrow."""
        return self.escrow is not None or bool(self.mark)


class NoteAcceptor(Protocol):
    def state(self) -> AcceptorState:
        """The state now; also available right after a loss of power."""

    def fate_of(self, mark: str) -> Fate:
        """What became of a note, also of one from before a loss of power."""

    async def report(self) -> AcceptorReport:
        """The next report."""

    def enable(self) -> None:
        """Accept notes. After a loss of power it accepts none until this is called again."""

    def disable(self) -> None: ...

    def stack(self) -> None:
        """Stack the note in escrow; without one nothing happens."""

    def give_back(self) -> None:
        """Return the note in escrow; without one nothing happens."""
