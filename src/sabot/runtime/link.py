"""A device's connection, as a table sees it."""

from typing import Literal, Protocol

import msgspec

from sabot.floor.table_owner.effects import Happening
from sabot.wire.frames import FloorFrame

LinkFeed = Literal["views", "events", "appends"]
"""What a link is told of the table: what its device shows, what each record means for it, or, inside the process, what
every append brought."""


class Published(msgspec.Struct, frozen=True):
    """What became durable together."""

    happenings: tuple[Happening, ...]


class Link(Protocol):
    """None of these waits for the device: a table never stands still because a device reads slowly."""

    @property
    def feed(self) -> LinkFeed: ...

    def tell(self, frame: FloorFrame | Published) -> None: ...

    def end(self, why: str, owner: str = "") -> None:
        """Say goodbye; `owner` is where the table is owned now, as far as is known."""
