"""Types what a scanning shoe reads at the table, card by card and in the order in which they left the shoe.

Where a card cannot be typed the dealer is called, and nothing that was drawn after it is typed before he has acted: the
order of the cards decides whose they are (CROWN 11.3).
"""

import asyncio
from collections.abc import Callable

import structlog

from sabot.client.connection import Connection, answered
from sabot.client.outcome import NotTaken, Refused
from sabot.client.protocol import Outcome
from sabot.devices.scanning_shoe import CuttingCardDrawn, Drawn, Reading, ScanningShoe, Unreadable
from sabot.floor.simulator.board import Board
from sabot.table.phase import Phase
from sabot.wire import spoken as say
from sabot.wire.frames import Lost
from sabot.wire.spoken import Spoken

log = structlog.get_logger(__name__)
LAG_S = 1.0
"""How much later than the dealer the shoe may learn that a coup is open; nobody deals so soon after opening one."""


class ShoeDriver:
    """`run` goes on until it is cancelled. The connection follows events, and has a memory that is a file."""

    def __init__(
        self,
        shoe: ScanningShoe,
        connection: Connection,
        attention: Callable[[str], None] = log.warning,
        *,
        lag_s: float = LAG_S,
    ) -> None:
        self._shoe, self._connection, self._attention, self._lag_s = shoe, connection, attention, lag_s
        self._memory = connection.settings.memory
        self._last = 0

    async def run(self) -> None:
        async with self._connection:
            recalled = await self._connection.recalled()
            if recalled is not None and not isinstance(recalled[1], Lost):
                await self._heed(recalled[1])
                self._be_done(int(self._memory.about))
            while True:
                reading = await self._shoe.read()
                if reading.number > self._last:
                    await self._see_to(reading)
                self._be_done(reading.number)

    def _be_done(self, number: int) -> None:
        self._last = max(self._last, number)
        self._shoe.taken(number)

    async def _see_to(self, reading: Reading) -> None:
        match reading:
            case Drawn():
                await self._deal(reading)
            case CuttingCardDrawn():
                await self._type(reading.number, say.SeeCuttingCard())
            case Unreadable():
                await self._call("a card could not be read: enter it by hand")

    async def _deal(self, drawn: Drawn) -> None:
        """A card that is drawn while no coup is open is burned, unless the opening is on its way here."""
        try:
            async with asyncio.timeout(self._lag_s):
                await self._connection.until(lambda: self._board.phase not in (Phase.CLOSED, Phase.BETWEEN_COUPS))
        except TimeoutError:
            self._attention(f"{drawn.card} left the shoe between coups: a burn is entered by hand")
        else:
            await self._type(drawn.number, say.DealCard(card=drawn.card))

    async def _type(self, number: int, command: Spoken) -> None:
        self._memory.about = str(number)
        outcome: Outcome | None = None
        while outcome is None or isinstance(outcome, Lost):  # What is lost was never recorded.
            outcome = await self._connection.outcome_of(command)
        await self._heed(outcome)

    async def _heed(self, outcome: Outcome) -> None:
        try:
            answered(outcome)
        except (Refused, NotTaken) as refused:
            await self._call(f"a card was not taken: {refused}")

    async def _call(self, why: str) -> None:
        """Call the dealer, and wait until he has entered a card or the coup has gone another way."""
        self._attention(why)
        before = self._standing
        await self._connection.until(lambda: self._standing != before)

    @property
    def _board(self) -> Board:
        return self._connection.mirror.board

    @property
    def _standing(self) -> tuple[int, Phase, int]:
        return self._board.coup, self._board.phase, len(self._board.cards)
