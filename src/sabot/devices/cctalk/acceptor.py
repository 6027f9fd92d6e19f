"""A note acceptor by ccTalk on a serial port, for the driver of note acceptors."""

import asyncio
import contextlib
from collections.abc import Callable
from types import TracebackType
from typing import Self

import msgspec

from sabot.devices.cctalk.host import SILENT, AcceptorHost
from sabot.devices.cctalk.message import BILL_VALIDATOR, Checksum
from sabot.devices.cctalk.words import ROUTE_RETURN, ROUTE_STACK
from sabot.devices.note_acceptor import AcceptorReport, AcceptorState, Fate, Faulted
from sabot.devices.serial_port import PortUnusable, SerialPort


class LinePace(msgspec.Struct, frozen=True, kw_only=True):
    poll_s: float = 0.2
    answer_s: float = 0.3
    """Longer than an acceptor takes to answer, so that no late answer is taken for that to the next question."""
    open_again_s: float = 1.0


class CctalkAcceptor:
    """Talks to the acceptor while it is entered, also over a port that goes away and comes back."""

    def __init__(
        self,
        path: str,
        *,
        check: Checksum = "crc",
        address: int = BILL_VALIDATOR,
        pace: LinePace | None = None,
        attention: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._path, self._pace, self._attention = path, pace or LinePace(), attention
        self._host = AcceptorHost(check, address)
        self._reports: asyncio.Queue[AcceptorReport] = asyncio.Queue()
        self._wanted, self._ready = asyncio.Event(), asyncio.Event()
        self._talking: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Returns when the acceptor was set up and has said what it holds."""
        port = SerialPort(self._path)
        self._talking = asyncio.create_task(self._stay_open(port))
        try:
            await self._ready.wait()
        except BaseException:
            await self._stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        await self._stop()

    async def _stop(self) -> None:
        if self._talking is not None:
            self._talking.cancel()
            await asyncio.gather(self._talking, return_exceptions=True)

    # For the driver

    def state(self) -> AcceptorState:
        return self._host.escrow.state()

    def fate_of(self, mark: str) -> Fate:
        return self._host.fate_of(mark)

    async def report(self) -> AcceptorReport:
        return await self._reports.get()

    def enable(self) -> None:
        self._host.enable(wanted=True)
        self._wanted.set()

    def disable(self) -> None:
        self._host.enable(wanted=False)
        self._wanted.set()

    def stack(self) -> None:
        self._host.route(ROUTE_STACK)
        self._wanted.set()

    def give_back(self) -> None:
        self._host.route(ROUTE_RETURN)
        self._wanted.set()

    # The line

    async def _stay_open(self, port: SerialPort) -> None:
        while True:
            with port:
                try:
                    await self._talk(port)
                except OSError:
                    self._host.escrow.break_down(SILENT)
                    self._tell()
            port = await self._opened_again()

    async def _opened_again(self) -> SerialPort:
        while True:
            await asyncio.sleep(self._pace.open_again_s)
            with contextlib.suppress(PortUnusable):
                return SerialPort(self._path)

    async def _talk(self, port: SerialPort) -> None:
        while True:
            port.drop_unread()
            await port.write(self._host.ask())
            try:
                async with asyncio.timeout(self._pace.answer_s):
                    while not self._host.hear(await port.read()):
                        pass
            except TimeoutError:
                self._host.give_up()
            self._tell()
            if not self._host.is_hurried:
                await self._pause()

    async def _pause(self) -> None:
        """Wait for the next poll, or until something is wanted."""
        self._wanted.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._pace.poll_s):
                await self._wanted.wait()

    def _tell(self) -> None:
        for report in self._host.reports():
            if self._ready.is_set():
                self._reports.put_nowait(report)
            elif isinstance(report, Faulted):
                self._attention(f"the note acceptor at {self._path} is not ready: {report.fault}")
        if self._host.is_ready:
            self._ready.set()
