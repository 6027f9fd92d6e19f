"""Drives the ticket printer of a station: a ticket is printed after its issue is on record, and once at most.

A ticket whose printing began but was not seen to end counts as not printed, unless the printer names it as the last one
that it printed. It is reported as a fault, and paid by hand (CROWN 6.7.2(b)). A printer that reconnects is sent the
tickets that were issued meanwhile.
"""

import asyncio
from collections.abc import Callable, Iterable

import structlog

from sabot.client.connection import Connection, answered
from sabot.client.outcome import CommandRefused, FrameNotTaken, NeverRecorded
from sabot.client.protocol import News
from sabot.devices.print_log import PrintLog
from sabot.devices.ticket_printer import NotPrinted, TicketPrinter, TicketToPrint
from sabot.table import acts
from sabot.table.events import Event, TicketIssued
from sabot.views.audience import IssuedTicket
from sabot.wire.frames import Told, Welcome

log = structlog.get_logger(__name__)
UNSEEN = "the power failed while it was printed"
NOT_YET_REGISTERED = "unknown_ticket"
TRIES, AGAIN_S = 40, 0.25


class PrinterDriver:
    """`run` lasts until it is cancelled. The connection is the printer's own, and follows events."""

    def __init__(
        self,
        printer: TicketPrinter,
        connection: Connection,
        kept: PrintLog,
        attention: Callable[[str], None] = log.warning,
    ) -> None:
        self._printer, self._connection, self._kept, self._attention = printer, connection, kept, attention

    async def run(self) -> None:
        self._see_what_was_under_way()
        with self._connection.follow() as following:
            async with self._connection:
                async for news in following:
                    await self._see_to(news)

    def _see_what_was_under_way(self) -> None:
        number = self._kept.printing
        if number and number == self._printer.last_printed():
            self._kept.finish(number)
        elif number:
            self._kept.fail(number, UNSEEN)

    async def _see_to(self, news: News) -> None:
        if isinstance(news, Welcome):
            await self._come_back(news)
        elif isinstance(news, Told):
            await self._print_all(_issued(news.events))

    async def _come_back(self, welcome: Welcome) -> None:
        last = self._printer.last_printed()
        if last:
            self._connection.report_printed(last)  # The first report may have been lost.
        for number, fault in list(self._kept.failed.items()):
            await self._report(number, fault)
        tickets = () if welcome.picture is None else welcome.picture.tickets
        if self._kept.is_new:
            self._kept.finish(*(one.ticket for one in tickets))
        await self._print_all(tickets)
        for told in welcome.missed:
            await self._print_all(_issued(told.events))

    async def _print_all(self, tickets: Iterable[IssuedTicket]) -> None:
        for one in tickets:
            if not self._kept.is_known(one.ticket):
                await self._print(one)

    async def _print(self, issued: IssuedTicket) -> None:
        ready = self._connection.ready
        assert ready is not None
        number = issued.ticket
        self._kept.begin(number)
        try:
            place = (ready.table, ready.station, issued.at_ms, ready.valid_days)
            await self._printer.print(TicketToPrint(number, issued.cents, *place))
        except NotPrinted as failure:
            self._attention(f"ticket {number} was not printed: {failure.fault}")
            self._kept.fail(number, failure.fault)
            await self._report(number, failure.fault)
        else:
            self._kept.finish(number)
            self._connection.report_printed(number)

    async def _report(self, number: str, fault: str) -> None:
        """Have the fault recorded. A table refuses it where it is recorded already or the ticket is paid.

        Where printing failed so early that the ticket is not registered yet, the command is repeated.
        """
        for _ in range(TRIES):
            outcome = await self._connection.outcome_of(acts.PrintFailed(ticket=number, fault=fault))
            try:
                answered(outcome)
            except CommandRefused as refused:
                if refused.code == NOT_YET_REGISTERED:
                    await asyncio.sleep(AGAIN_S)
                    continue
                log.info("the fault of a ticket was not recorded again", ticket=number, why=str(refused))
            except (NeverRecorded, FrameNotTaken):
                return  # It stays among the failed tickets, and is reported after the next welcome.
            self._kept.finish(number)
            return


def _issued(events: tuple[Event, ...]) -> list[IssuedTicket]:
    return [IssuedTicket(one.ticket, one.cents, one.at_ms) for one in events if isinstance(one, TicketIssued)]
