"""Runs queued jobs one by one between passes of the event loop, so that frames are handled in between.

All tables of a floor may open a coup in the same moment, and each then has fifty stations to show it to. Done in one go
that would keep a touch at any of them waiting for all.

A touch needs the loop several times: its frame is read, another thread says that its record is written, and the call
that was waiting for that runs a pass later. So the loop makes several passes between two jobs. A touch then waits for
one job or two, and not for another at each of these steps. The passes take microseconds, a job milliseconds.
"""

import asyncio
from collections import deque
from collections.abc import Callable

PASSES = 4


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
            if self._waiting:
                self._pass_on(PASSES)

    def _pass_on(self, passes: int) -> None:
        """The event loop looks at its sockets in every pass before it comes back here."""
        loop = asyncio.get_running_loop()
        if passes:
            loop.call_soon(self._pass_on, passes - 1)
        else:
            self._run_next()
