"""A device's connection, as a table sees it."""

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import msgspec

from sabot.floor.table_owner.effects import Happening
from sabot.floor.table_owner.messages import Answer, Lost, ToDevice
from sabot.journal.journal import SignedCheckpoint

Feed = Literal["views", "events", "appends"]
"""What a link is told of the table: what its device shows, what each record means for it, or, inside the process, what
every append brought."""


class ViewShown(msgspec.Struct, frozen=True, eq=False):
    """The sections of a device's view that changed. Several devices may be told the very same."""

    epoch: int
    version: int
    changed: Mapping[str, Any]


class ViewWelcome(msgspec.Struct, frozen=True):
    """A welcome for a device that follows views: up to date, what changed meanwhile, or the whole view."""

    epoch: int
    version: int
    changed: Mapping[str, Any]
    whole: bool
    pending: Answer | Lost | None
    last: int
    """The n of the newest command received from the device in this epoch."""


class Vouched(msgspec.Struct, frozen=True):
    """A signed head: with it a device can prove later how far the journal had come."""

    checkpoint: SignedCheckpoint


class Published(msgspec.Struct, frozen=True):
    """What became durable together."""

    happenings: tuple[Happening, ...]


Telling = ToDevice | ViewShown | ViewWelcome | Vouched | Published


class Link(Protocol):
    """None of these waits for the device: a table never stands still because somebody reads slowly."""

    @property
    def feed(self) -> Feed: ...

    def tell(self, telling: Telling) -> None: ...

    def end(self, why: str, owner: str = "") -> None:
        """Say goodbye; `owner` is where the table is owned now, as far as is known."""
