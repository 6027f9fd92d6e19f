"""A reader of player cards that types a line for each card, and its driver.

    12345678          a card was put in, or swiped
    ;12345678?        the same, with the marks of a magnetic stripe around it
    OUT               the card was taken out

The number is the patron's reference. A line with a name in it, as the first track of a stripe has, is not passed on.
"""

import re
from collections.abc import AsyncIterator, Callable

import msgspec
import structlog

from sabot.client.connection import Connection, answered
from sabot.client.outcome import CommandRefused, FrameNotTaken, NeverRecorded
from sabot.table import acts

log = structlog.get_logger(__name__)
_NUMBER = re.compile(r";?([0-9A-Za-z-]{4,32})(?:=[0-9]*)?\??")


class CardPutIn(msgspec.Struct, frozen=True):
    patron: str


class CardTakenOut(msgspec.Struct, frozen=True):
    pass


class CardUnreadable(msgspec.Struct, frozen=True):
    """A line that is no number: the card was read badly, or the reader is set to type more than the number."""


CardLine = CardPutIn | CardTakenOut | CardUnreadable


def read_card_line(line: str) -> CardLine:
    if line.upper() == "OUT":
        return CardTakenOut()
    said = _NUMBER.fullmatch(line)
    return CardUnreadable() if said is None else CardPutIn(said[1])


class CardDriver:
    """`run` lasts until it is cancelled. Where a reader swipes, the same card again means that its patron leaves."""

    def __init__(
        self,
        lines: AsyncIterator[str],
        connection: Connection,
        attention: Callable[[str], None] = log.warning,
        *,
        swipes: bool = False,
    ) -> None:
        self._lines, self._connection, self._attention, self._swipes = lines, connection, attention, swipes
        self._card = ""
        """The card whose session is open, as far as this driver knows."""

    async def run(self) -> None:
        async with self._connection:
            async for line in self._lines:
                match read_card_line(line):
                    case CardPutIn(patron) if self._swipes and patron == self._card:
                        await self._take_out()
                    case CardPutIn(patron):
                        await self._put_in(patron)
                    case CardTakenOut():
                        await self._take_out()
                    case CardUnreadable():
                        self._attention("a player card could not be read, or the reader types more than its number")

    async def _put_in(self, patron: str) -> None:
        if await self._is_done(acts.ReadPlayerCard(patron=patron)):
            self._card = patron

    async def _take_out(self) -> None:
        """By the lawful way: running wagers are settled, and the balance is paid as at any leaving."""
        self._card = ""
        await self._is_done(acts.Leave())

    async def _is_done(self, act: acts.DeviceAct) -> bool:
        try:
            answered(await self._connection.outcome_of(act))
        except (CommandRefused, NeverRecorded, FrameNotTaken) as refused:
            self._attention(f"a player card was refused: {refused}")
            return False
        return True
