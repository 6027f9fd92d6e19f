"""A ticket printer by ESC/POS on a serial port or in the network."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

import msgspec

from sabot.basics.mistake import Mistake
from sabot.client.memory import replace_durably
from sabot.devices.escpos.layout import PAPER_REPLY, TicketTerms, ticket_bytes
from sabot.devices.escpos.status import (
    NO_PAPER,
    OFFLINE,
    QUESTIONS,
    fault_of,
    has_paper,
    is_paper_reply,
    is_status,
    question,
)
from sabot.devices.serial_port import PortUnusable, SerialPort
from sabot.devices.ticket_printer import NotPrinted, TicketToPrint

TCP_PORT = 9100


class PrinterPace(msgspec.Struct, frozen=True, kw_only=True):
    answer_s: float = 1.0
    print_s: float = 15.0
    """A ticket that has not come out by then has not come out."""


class PrinterPort(Protocol):
    async def read(self) -> bytes: ...

    async def write(self, data: bytes) -> None: ...


class _Socket:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def read(self) -> bytes:
        data = await self._reader.read(4096)
        if not data:
            raise OSError("the printer has closed the connection")
        return data

    async def write(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()


class EscPosPrinter:
    """Opens the port for each ticket, so that a printer may be switched off and on between them."""

    def __init__(
        self, port: str, kept: Path, terms: TicketTerms, *, speed: int, pace: PrinterPace | None = None
    ) -> None:
        self._port, self._kept, self._terms, self._speed = port, kept, terms, speed
        self._pace = pace or PrinterPace()

    def last_printed(self) -> str:
        try:
            return self._kept.read_text()
        except FileNotFoundError:
            return ""

    async def check_port(self) -> None:
        """A serial port that cannot be used is said before anything is printed."""
        if ":" not in self._port:
            async with self._opened():
                pass

    async def print(self, ticket: TicketToPrint) -> None:
        try:
            async with self._opened() as port:
                await self._check(port)
                await port.write(ticket_bytes(ticket, self._terms) + PAPER_REPLY)
                await self._until_printed(port)
        except (PortUnusable, OSError) as error:
            raise NotPrinted(str(error) or OFFLINE) from None
        replace_durably(self._kept, ticket.number.encode())

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[PrinterPort]:
        if ":" in self._port:
            host, _, port = self._port.rpartition(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            try:
                yield _Socket(reader, writer)
            finally:
                writer.close()
        else:
            with SerialPort(self._port, self._speed) as serial:
                yield serial

    async def _check(self, port: PrinterPort) -> None:
        fault = await self._fault(port)
        if fault:
            raise NotPrinted(fault)

    async def _fault(self, port: PrinterPort) -> str:
        """What is wrong now. A printer that does not answer is offline."""
        answers: dict[int, int] = {}
        for number in QUESTIONS:
            await port.write(question(number))
            try:
                async with asyncio.timeout(self._pace.answer_s):
                    while number not in answers:
                        answers.update((number, byte) for byte in await port.read() if is_status(byte))
            except TimeoutError:
                return OFFLINE
        return fault_of(answers)

    async def _until_printed(self, port: PrinterPort) -> None:
        try:
            async with asyncio.timeout(self._pace.print_s):
                while not (replies := [byte for byte in await port.read() if is_paper_reply(byte)]):
                    pass
        except TimeoutError:
            raise NotPrinted(await self._fault(port) or OFFLINE) from None
        if not has_paper(replies[-1]):
            raise NotPrinted(NO_PAPER)


def read_port(written: str) -> str:
    """host:port for a printer in the network, or a path."""
    host, colon, port = written.rpartition(":")
    if colon and not written.startswith("/"):
        if not host or not port.isdigit():
            raise Mistake(f"{written} is no printer in the network: host:{TCP_PORT}")
        return written
    return written
