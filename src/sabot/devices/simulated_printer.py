"""A ticket printer to try things with: it runs out of paper, jams, tears a ticket or goes offline when told to."""

import asyncio

from sabot.devices.ticket_printer import NotPrinted, Ticket

OUT_OF_PAPER, JAM, TORN, OFFLINE = "out of paper", "jam", "half printed", "offline"


class SimulatedPrinter:
    def __init__(self) -> None:
        self.fault = ""
        """What happens to the next ticket; nothing where it comes out."""
        self.printed: list[Ticket] = []
        self.torn: list[Ticket] = []
        """Of these only a part came out."""
        self.started = asyncio.Event()
        self.may_finish = asyncio.Event()
        self.may_finish.set()
        self._last = ""

    async def print(self, ticket: Ticket) -> None:
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

    def finish_alone(self, ticket: Ticket) -> None:
        """The ticket comes out while nobody listens."""
        self.printed.append(ticket)
        self._last = ticket.number

    def last_printed(self) -> str:
        return self._last
