"""A ticket printer: it prints one ticket at a time, and knows which one it printed last."""

from typing import Protocol

import msgspec


class Ticket(msgspec.Struct, frozen=True):
    """What is printed: where and when it was issued, its value and its number (CROWN 6.7.2)."""

    number: str
    cents: int
    table: str
    station: str
    issued_ms: int


class NotPrinted(Exception):
    """The ticket did not come out whole. Whether a part of it did makes no difference: it is not printed again."""

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault


class TicketPrinter(Protocol):
    async def print(self, ticket: Ticket) -> None:
        """Print it, and return when it has come out whole; otherwise raises `NotPrinted`."""

    def last_printed(self) -> str:
        """The number of the ticket that came out whole last, also after a loss of power; empty for none."""
