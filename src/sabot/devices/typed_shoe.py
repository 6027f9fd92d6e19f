"""A scanning shoe that types: a line for each card, its rank and suit, and what it could not read as a question mark.

    AS        ace of spades
    10H TH    ten of hearts, either way
    CUT       the cutting card
    ?         a card that could not be read
    17 9C     nine of clubs, with the shoe's own count, by which a doubled line is recognised

Such a shoe stores nothing, so each reading is kept in a file before it is passed on.
"""

import asyncio
import re
from pathlib import Path

import msgspec

from sabot.client.memory import replace_durably
from sabot.devices.scanning_shoe import CardReading, CuttingCardDrawn, Drawn, UnreadableCard

_LINE = re.compile(r"(?:([0-9]{1,9})[ ,;])?\s*(CUT|\?|(?:10|[2-9TJQKA])[SHDC])", re.IGNORECASE)


class _Kept(msgspec.Struct):
    count: int = 0
    """How many readings there have been."""
    shoes_own: int = -1
    """The shoe's own count with its last line, where it types one."""
    waiting: list[tuple[int, str]] = []
    """Readings that were not handled, oldest first: the number and what was typed."""


class TypedShoe:
    """Lines in, readings out; both outlast a loss of power."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._kept = msgspec.json.decode(path.read_bytes(), type=_Kept) if path.exists() else _Kept()
        self._something = asyncio.Event()

    @property
    def waiting(self) -> int:
        """How many readings were not handled."""
        return len(self._kept.waiting)

    def typed(self, line: str) -> None:
        """A line that cannot be understood is a card that could not be read: it left the shoe."""
        said = _LINE.fullmatch(line)
        count, card = (None, "?") if said is None else said.groups()
        if count is not None and int(count) == self._kept.shoes_own:
            return
        self._kept.shoes_own = -1 if count is None else int(count)
        self._kept.count += 1
        self._kept.waiting.append((self._kept.count, card.upper().replace("10", "T")))
        self._keep()
        self._something.set()

    async def read(self) -> CardReading:
        while not self._kept.waiting:
            self._something.clear()
            await self._something.wait()
        number, card = self._kept.waiting[0]
        match card:
            case "CUT":
                return CuttingCardDrawn(number)
            case "?":
                return UnreadableCard(number)
            case _:
                return Drawn(number, card)

    def taken(self, number: int) -> None:
        if self._kept.waiting and self._kept.waiting[0][0] == number:
            del self._kept.waiting[0]
            self._keep()

    def _keep(self) -> None:
        replace_durably(self._path, msgspec.json.encode(self._kept))
