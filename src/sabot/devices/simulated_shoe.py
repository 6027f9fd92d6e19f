"""A simulated scanning shoe: it may misread a card, fail to read it, or report a reading twice."""

import asyncio
from collections import deque

from sabot.devices.scanning_shoe import CardReading, CuttingCardDrawn, Drawn, UnreadableCard


class SimulatedShoe:
    def __init__(self) -> None:
        self.reports_twice = False
        self._readings: deque[CardReading] = deque()
        self._drawn = 0
        self._something = asyncio.Event()

    # For the driver

    async def read(self) -> CardReading:
        while not self._readings:
            self._something.clear()
            await self._something.wait()
        return self._readings[0]

    def taken(self, number: int) -> None:
        if self._readings and self._readings[0].number == number:
            self._readings.popleft()

    # For the dealer

    def draw(self, card: str, *, read_as: str | None = None) -> None:
        """Draw a card; `read_as` is a misreading."""
        self._add(Drawn(self._next(), read_as or card))

    def draw_unreadable(self) -> None:
        self._add(UnreadableCard(self._next()))

    def draw_cutting_card(self) -> None:
        self._add(CuttingCardDrawn(self._next()))

    def _next(self) -> int:
        self._drawn += 1
        return self._drawn

    def _add(self, reading: CardReading) -> None:
        self._readings.extend([reading] * (2 if self.reports_twice else 1))
        self._something.set()
