"""A scanning shoe to try things with: it may misread a card, not read it at all, or report a reading twice."""

import asyncio
from collections import deque

from sabot.devices.scanning_shoe import CuttingCardDrawn, Drawn, Reading, Unreadable


class SimulatedShoe:
    def __init__(self) -> None:
        self.reports_twice = False
        self._readings: deque[Reading] = deque()
        self._drawn = 0
        self._something = asyncio.Event()

    # As a driver sees it

    async def read(self) -> Reading:
        while not self._readings:
            self._something.clear()
            await self._something.wait()
        return self._readings[0]

    def taken(self, number: int) -> None:
        if self._readings and self._readings[0].number == number:
            self._readings.popleft()

    # As a dealer sees it

    def draw(self, card: str, *, read_as: str | None = None) -> None:
        """Draw a card; `read_as` is what the shoe takes it for."""
        self._add(Drawn(self._next(), read_as or card))

    def draw_unreadable(self) -> None:
        self._add(Unreadable(self._next()))

    def draw_cutting_card(self) -> None:
        self._add(CuttingCardDrawn(self._next()))

    def _next(self) -> int:
        self._drawn += 1
        return self._drawn

    def _add(self, reading: Reading) -> None:
        self._readings.extend([reading] * (2 if self.reports_twice else 1))
        self._something.set()
