"""Requests take turns: a few of them begin in each round of the event loop.

However many requests come at once, what waits for the loop besides them, such as a touch, waits for a few only.
"""

import asyncio
from collections import deque
from collections.abc import Callable

A_ROUND = 2


class Turns:
    def __init__(self) -> None:
        self._waiting: deque[Callable[[], object]] = deque()
        self._is_due = False

    def take(self, begin: Callable[[], object]) -> None:
        """Begin in one of the next rounds."""
        self._waiting.append(begin)
        self._come_again()

    def _go_on(self) -> None:
        self._is_due = False
        for _ in range(min(A_ROUND, len(self._waiting))):
            self._waiting.popleft()()
        self._come_again()

    def _come_again(self) -> None:
        if self._waiting and not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._go_on)
