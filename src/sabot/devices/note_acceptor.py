"""A note acceptor: it recognises a note, holds it in escrow, and then stacks it or gives it back as it is told.

The escrow outlasts a loss of power: whoever comes back finds the note where it was, or in the stacker. That is all that
a driver needs to credit every note once.
"""

from typing import Protocol

import msgspec


class Escrowed(msgspec.Struct, frozen=True):
    """A note lies in escrow. It may be reported more than once; `state` says whether it still does."""


class Stacked(msgspec.Struct, frozen=True):
    """The note has gone from escrow into the stacker."""


class Returned(msgspec.Struct, frozen=True):
    """The patron has his note back, or it was not recognised in the first place."""


class Faulted(msgspec.Struct, frozen=True):
    """It works no more until somebody has seen to it. A note in escrow is where it was, unless that person took it."""

    fault: str


class Mended(msgspec.Struct, frozen=True):
    pass


Report = Escrowed | Stacked | Returned | Faulted | Mended


class AcceptorState(msgspec.Struct, frozen=True):
    escrow: int | None
    """The note in escrow, in cents."""
    fault: str = ""


class NoteAcceptor(Protocol):
    def state(self) -> AcceptorState:
        """How it stands now; asked at once after power has come back, too."""

    async def report(self) -> Report:
        """Whatever it reports next."""

    def enable(self) -> None:
        """Take notes. After a loss of power it takes none until it is told again."""

    def disable(self) -> None: ...

    def stack(self) -> None:
        """Take in the note that lies in escrow; without one nothing happens."""

    def give_back(self) -> None:
        """Return the note that lies in escrow; without one nothing happens."""
