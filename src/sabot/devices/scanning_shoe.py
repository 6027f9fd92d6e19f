"""A scanning shoe: it reads every card as it is drawn, and keeps each reading until it is told that it was taken."""

from typing import Protocol

import msgspec


class Drawn(msgspec.Struct, frozen=True):
    """A card was drawn and read. The number counts readings, so that one that is reported twice is known."""

    number: int
    card: str


class CuttingCardDrawn(msgspec.Struct, frozen=True):
    number: int


class Unreadable(msgspec.Struct, frozen=True):
    """A card was drawn and could not be read: the dealer enters it by hand."""

    number: int


Reading = Drawn | CuttingCardDrawn | Unreadable


class ScanningShoe(Protocol):
    async def read(self) -> Reading:
        """The oldest reading that was not yet taken; the same one again until then."""

    def taken(self, number: int) -> None:
        """The reading is dealt with, and need not be kept."""
