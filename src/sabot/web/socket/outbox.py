"""What all sockets say in one pass of the event loop, so that each needs one call to the system for it.

A touch is answered, and its station is shown what it changed. To hand either to the network costs as much as to decide
the touch.
"""

import asyncio
from collections import deque
from collections.abc import Callable


class Outbox:
    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()
        self._loop: asyncio.AbstractEventLoop | None = None
        """Kept, since to ask for it is a system call, which a touch need not make."""

    def add(self, flush: Callable[[], None]) -> None:
        """Call it once, in the next pass of the event loop."""
        self._waiting.append(flush)
        if len(self._waiting) == 1:
            loop = self._loop = self._loop or asyncio.get_running_loop()
            loop.call_soon(self._empty)

    def _empty(self) -> None:
        waiting, self._waiting = self._waiting, deque()
        try:
            while waiting:
                waiting.popleft()()
        finally:
            for flush in waiting:  # One that fails keeps no other from being called.
                self.add(flush)
