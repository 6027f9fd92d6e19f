"""A simulated ticket printer: on command it runs out of paper, jams, tears a ticket or goes offline."""

import asyncio

from sabot.devices.ticket_printer import NotPrinted, TicketToPrint

OUT_OF_PAPER, JAM, TORN, OFFLINE = "out of paper", "jam", "half printed", "offline"


class SimulatedPrinter:
    def __init__(self) -> None:
        self.fault = ""
        """The fault of the next ticket; empty where it is printed."""
        self.printed: list[TicketToPrint] = []
        self.torn: list[TicketToPrint] = []
        """Tickets that were printed in part."""
        self.started = asyncio.Event()
        self.may_finish = asyncio.Event()
        self.may_finish.set()
        self._last = ""

    async def print(self, ticket: TicketToPrint) -> None:
        self.started.set()
        if self.fault:
            if self.fault == TORN:
                self.torn.append(ticket)
            raise NotPrinted(self.fault)
        try:
            await self.may_finish.wait()
        except asyncio.CancelledError:
            self.torn.append(ticket)
            raise
        self.printed.append(ticket)
        self._last = ticket.number

    def finish_alone(self, ticket: TicketToPrint) -> None:
        """Print the ticket while no driver is connected."""
        self.printed.append(ticket)
        self._last = ticket.number

    def last_printed(self) -> str:
        return self._last
