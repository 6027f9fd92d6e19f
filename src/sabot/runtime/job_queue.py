"""Runs queued jobs one per event-loop pass, so that frames are handled in between.

All tables of a floor may open a coup in the same moment, and each then has fifty stations to show it to. Done in one go
that would keep a touch at any of them waiting for all.
"""

import asyncio
from collections import deque
from collections.abc import Callable


class JobQueue:
    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()

    def add(self, job: Callable[[], None]) -> None:
        """Run it after all jobs that were added before it."""
        self._waiting.append(job)
        if len(self._waiting) == 1:
            asyncio.get_running_loop().call_soon(self._run_next)

    def _run_next(self) -> None:
        try:
            self._waiting[0]()
        finally:
            self._waiting.popleft()
            if self._waiting:  # The event loop looks at its sockets before it comes back here.
                asyncio.get_running_loop().call_soon(self._run_next)
