"""Types what a scanning shoe reads at the table, card by card and in the order in which they left the shoe.

Where a card cannot be typed the dealer is called, and nothing that was drawn after it is typed before he has acted: the
order of the cards decides whose they are (CROWN 11.3).
"""

from collections.abc import Callable

import structlog

from sabot.client.connection import Connection, answered
from sabot.client.outcome import NeverRecorded, NotTaken, Refused
from sabot.client.protocol import Outcome
from sabot.devices.scanning_shoe import CuttingCardDrawn, Drawn, Reading, ScanningShoe, Unreadable
from sabot.table.phase import Phase
from sabot.wire import spoken as say
from sabot.wire.spoken import Spoken

log = structlog.get_logger(__name__)


class ShoeDriver:
    """`run` goes on until it is cancelled. The connection follows events, and has a memory that is a file."""

    def __init__(
        self, shoe: ScanningShoe, connection: Connection, attention: Callable[[str], None] = log.warning
    ) -> None:
        self._shoe, self._connection, self._attention = shoe, connection, attention
        self._memory = connection.settings.memory
        self._last = 0

    async def run(self) -> None:
        async with self._connection:
            recalled = await self._connection.recalled()
            if recalled is not None:
                await self._finish_what_was_under_way(int(self._memory.about), recalled[1])
            while True:
                reading = await self._shoe.read()
                if reading.number > self._last:
                    await self._see_to(reading)
                self._be_done(reading.number)

    async def _finish_what_was_under_way(self, number: int, outcome: Outcome) -> None:
        """A reading whose command was sent before the power failed: only what is lost for good is typed again."""
        if not isinstance(outcome, Lost):
            await self._heed(outcome)
            self._be_done(number)
