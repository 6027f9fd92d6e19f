"""Raising an anchor that is left to the owners of the tables, without keeping the event loop.

To raise it is to sync a file and its folder, which takes a slow disk tens of milliseconds. Meanwhile no table may stand
still. All tables of a floor may settle in the same moment. Those that come while the anchor is being written share the
next writing.
"""

import asyncio
import threading
from collections.abc import Iterable

from sabot.journal.anchor import AnchorKeeper
from sabot.journal.journal import SignedCheckpoint
from sabot.journal.record import Head


class AnchorRaising:
    def __init__(self, keeper: AnchorKeeper) -> None:
        self._keeper = keeper
        self._noted: list[Head | SignedCheckpoint] = []
        """What is in no writing yet."""
        self._turn = asyncio.Lock()
        self._writes = threading.Lock()
        """A caller who is cancelled leaves a writing under way behind."""

    async def to(self, *durable: Head | SignedCheckpoint) -> str | None:
        """Raise it to these; returns what went wrong, in one sentence. The next writing tries again."""
        self._noted += durable
        async with self._turn:
            if self._noted:
                noted, self._noted = self._noted, []
                await asyncio.to_thread(self._write, noted)
            return self._keeper.trouble

    def _write(self, noted: Iterable[Head | SignedCheckpoint]) -> None:
        with self._writes:
            for one in noted:
                self._keeper.note(one)
            self._keeper.write()
