"""The interface of a scanning shoe: it reads every card that is drawn, and stores each reading until it is taken."""

from typing import Protocol

import msgspec


class Drawn(msgspec.Struct, frozen=True):
    """A card was drawn and read. The number counts readings, so that a repeated report is recognised."""

    number: int
    card: str


class CuttingCardDrawn(msgspec.Struct, frozen=True):
    number: int


class UnreadableCard(msgspec.Struct, frozen=True):
    """A card was drawn but could not be read; the dealer enters it by hand."""

    number: int


CardReading = Drawn | CuttingCardDrawn | UnreadableCard


class ScanningShoe(Protocol):
    async def read(self) -> CardReading:
        """The oldest reading that was not taken yet."""

    def taken(self, number: int) -> None:
        """Mark a reading as handled; it need not be stored any longer."""
