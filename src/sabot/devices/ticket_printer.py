"""The interface of a ticket printer: it prints one ticket at a time, and stores the number of the last."""

from typing import Protocol

import msgspec


class TicketToPrint(msgspec.Struct, frozen=True):
    """The printed data of a ticket: its number, value, and place and time of issue (CROWN 6.7.2)."""

    number: str
    cents: int
    table: str
    station: str
    issued_ms: int
    valid_days: int = 0
    """After so many days it is void, as the house says when the printer connects; 0 where tickets stay good."""


class NotPrinted(Exception):
    """The ticket was not printed completely. It is not printed again, whether a part of it was printed or not."""

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault


class TicketPrinter(Protocol):
    async def print(self, ticket: TicketToPrint) -> None:
        """Print a ticket, and return when it is printed completely; otherwise raise `NotPrinted`."""

    def last_printed(self) -> str:
        """The number of the last ticket that was printed completely, also after a loss of power; empty for none."""
