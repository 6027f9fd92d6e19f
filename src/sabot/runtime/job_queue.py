"""Turns: whoever has long work to do waits for his, so that what devices ask is heard in between.

All tables of a floor may open a coup in the same moment, and each then has fifty stations to show it to. Done in one go
that would keep a touch at any of them waiting for all.
"""

import asyncio
from collections import deque
from collections.abc import Callable


class Turns:
    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()

    def take(self, work: Callable[[], None]) -> None:
        """Have it done when all who came before have had their turns."""
        self._waiting.append(work)
        if len(self._waiting) == 1:
            asyncio.get_running_loop().call_soon(self._give)

    def _give(self) -> None:
        try:
            self._waiting[0]()
        finally:
            self._waiting.popleft()
            if self._waiting:  # The event loop looks at its sockets before it comes back here.
                asyncio.get_running_loop().call_soon(self._give)
