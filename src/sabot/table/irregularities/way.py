"""A lawful way on from a stated fact."""

import msgspec

from sabot.table.event import Event
from sabot.table.role import Role


class Way(msgspec.Struct, frozen=True):
    """A resolution before its effects are worked out."""

    id: str
    clause: str
    text: str
    events: tuple[Event, ...] = ()
    by: Role = Role.DEALER
