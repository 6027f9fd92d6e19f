"""The feed of a table: what its newest records meant, numbered by their versions, for devices that missed some."""

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

from sabot.ledger.ledger import Purse
from sabot.table.events import Event
from sabot.views.audience import Audience, seen_by
from sabot.wire.frames import Told

MOST_KEPT = 500
"""Events; a device that missed more is shown the whole picture."""


class Item(NamedTuple):
    version: int
    events: tuple[Event, ...]
    purses: Mapping[str, Purse]
    """Those that changed, by station."""

    def told(self, epoch: int, after: int, audience: Audience, station: str) -> Told | None:
        """What one audience is told of it, if it means anything for it."""
        events = seen_by(self.events, audience, station)
        purse = self.purses.get(station) if audience is Audience.STATION else None
        if not events and purse is None:
            return None
        return Told(epoch=epoch, after=after, version=self.version, events=events, purse=purse)  # type: ignore[arg-type]  # Every event is one of `AnyEvent`.


class Feed:
    def __init__(self, version: int) -> None:
        """Nothing before this version can be told again."""
        self._from = version
        self._items: deque[Item] = deque()
        self._kept = 0

    def add(self, item: Item) -> None:
        self._items.append(item)
        self._kept += len(item.events)
        while self._kept > MOST_KEPT:
            dropped = self._items.popleft()
            self._kept -= len(dropped.events)
            self._from = dropped.version

    def since(self, version: int) -> list[Item] | None:
        """All items after a version, or None where they do not reach back that far."""
        return None if version < self._from else [item for item in self._items if item.version > version]
