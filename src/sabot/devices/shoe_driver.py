"""Enters the cards that a scanning shoe reads, one by one in the order in which they left the shoe.

Where a card cannot be entered the dealer is called. No later card is entered before the dealer has acted, since the
order of the cards decides which hand each belongs to (CROWN 11.3).
"""

import asyncio
from collections.abc import Callable

import structlog

from sabot.client.connection import Connection, answered
from sabot.client.outcome import CommandRefused, FrameNotTaken
from sabot.client.protocol import ActOutcome
from sabot.devices.scanning_shoe import CardReading, CuttingCardDrawn, Drawn, ScanningShoe, UnreadableCard
from sabot.table import acts
from sabot.table.phase import Phase
from sabot.views.event_board import EventBoard
from sabot.wire.frames import Lost

log = structlog.get_logger(__name__)
LAG_S = 1.0
"""How long the news that a coup is open may take to arrive; no card is dealt that soon after the opening."""


class ShoeDriver:
    """`run` lasts until it is cancelled. The connection follows events, and its memory must be a file."""

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
                await self._check_outcome(recalled[1])
                self._finish(int(self._memory.about))
            while True:
                reading = await self._shoe.read()
                if reading.number > self._last:
                    await self._see_to(reading)
                self._finish(reading.number)

    def _finish(self, number: int) -> None:
        self._last = max(self._last, number)
        self._shoe.taken(number)

    async def _see_to(self, reading: CardReading) -> None:
        match reading:
            case Drawn():
                await self._deal(reading)
            case CuttingCardDrawn():
                await self._enter(reading.number, acts.CuttingCard())
            case UnreadableCard():
                await self._call("a card could not be read: enter it by hand")

    async def _deal(self, drawn: Drawn) -> None:
        """Enter a card. One that is drawn while no coup is open is a burn, unless the opening is still to arrive."""
        try:
            async with asyncio.timeout(self._lag_s):
                await self._connection.until(lambda: self._board.phase not in (Phase.CLOSED, Phase.BETWEEN_COUPS))
        except TimeoutError:
            self._attention(f"{drawn.card} left the shoe between coups: a burn is entered by hand")
        else:
            await self._enter(drawn.number, acts.Card(card=drawn.card))

    async def _enter(self, number: int, act: acts.DeviceAct) -> None:
        self._memory.about = str(number)
        outcome: ActOutcome | None = None
        while outcome is None or isinstance(outcome, Lost):  # What is lost was never recorded.
            outcome = await self._connection.outcome_of(act)
        await self._check_outcome(outcome)

    async def _check_outcome(self, outcome: ActOutcome) -> None:
        try:
            answered(outcome)
        except (CommandRefused, FrameNotTaken) as refused:
            await self._call(f"a card was not taken: {refused}")

    async def _call(self, why: str) -> None:
        """Call the dealer, and wait until the cards, the coup or the phase have changed."""
        self._attention(why)
        before = self._standing
        await self._connection.until(lambda: self._standing != before)

    @property
    def _board(self) -> EventBoard:
        return self._connection.mirror.board

    @property
    def _standing(self) -> tuple[int, Phase, int]:
        return self._board.coup, self._board.phase, len(self._board.cards)
