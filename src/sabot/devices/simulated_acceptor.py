"""A simulated note acceptor with the faults of a real one; tests and trials insert notes."""

import asyncio

from sabot.devices.note_acceptor import (
    AcceptorReport,
    AcceptorState,
    Escrowed,
    Fate,
    Faulted,
    Mended,
    NoteReturned,
    Stacked,
)

JAM, STACKER_FULL = "a note is jammed", "the stacker is full"


class SimulatedAcceptor:
    def __init__(self, room: int = 1_000) -> None:
        self.stacker: list[int] = []
        self.collected: list[int] = []
        """Notes that an attendant has taken out of the stacker, in cents."""
        self.given_back: list[int] = []
        """Notes that went back to the patron, in cents."""
        self.tickets: list[str] = []
        """Tickets in the stacker, by number."""
        self.tickets_given_back: list[str] = []
        self.reports_twice = False
        self.jams_next = False
        """The next note jams on its way from escrow to the stacker."""
        self._room = room
        self._escrow: int | str | None = None
        """The note in cents, or the number of the ticket."""
        self._inserted = 0
        self._fates: dict[str, Fate] = {}
        self._fault = ""
        self._enabled = self._powered = False
        self._reports: asyncio.Queue[AcceptorReport] = asyncio.Queue()
        self.power_on()

    # For the driver

    def state(self) -> AcceptorState:
        inside, mark = self._escrow, "" if self._escrow is None else str(self._inserted)
        if isinstance(inside, str):
            return AcceptorState(None, self._fault, mark, inside)
        return AcceptorState(inside, self._fault, mark)

    def fate_of(self, mark: str) -> Fate:
        return self._fates.get(mark, "unknown")

    async def report(self) -> AcceptorReport:
        return await self._reports.get()

    def enable(self) -> None:
        self._enabled = self._powered

    def disable(self) -> None:
        self._enabled = False

    def stack(self) -> None:
        if self._escrow is None or not self._works:
            return
        if self.jams_next or len(self.stacker) >= self._room:
            self._break(JAM if self.jams_next else STACKER_FULL)
            return
        inside = self._escrow
        self._leave("stacked")
        if isinstance(inside, str):
            self.tickets.append(inside)
            self._say(Stacked(str(self._inserted), None, inside))
        else:
            self.stacker.append(inside)
            self._say(Stacked(str(self._inserted), inside))

    def give_back(self) -> None:
        if self._escrow is not None and self._works:
            if isinstance(self._escrow, str):
                self.tickets_given_back.append(self._escrow)
            else:
                self.given_back.append(self._escrow)
            self._leave("returned")
            self._say(NoteReturned())

    # For the patron

    def insert(self, cents: int) -> bool:
        """Whether the note was taken into escrow; otherwise the patron keeps it."""
        return self._take(cents)

    def insert_ticket(self, number: str) -> bool:
        return self._take(number)

    def _take(self, paper: int | str) -> bool:
        if not self._enabled or not self._works or self._escrow is not None:
            return False
        self._escrow = paper
        self._inserted += 1
        self._fates[str(self._inserted)] = "escrow"
        self._say(Escrowed())
        return True

    @property
    def enabled(self) -> bool:
        """Whether it shows that it accepts notes."""
        return self._enabled

    def insert_unreadable(self) -> None:
        self._say(NoteReturned())

    # For the attendant

    def empty(self) -> None:
        """Take the notes out of the stacker, and clear a fault."""
        self.collected += self.stacker
        self.stacker.clear()
        self.mend()

    def mend(self, *, take_the_note: bool = False) -> None:
        self._fault, self.jams_next = "", False
        if take_the_note:
            self._leave("unknown")
        self._say(Mended())

    def power_off(self) -> None:
        self._powered = self._enabled = False
        self._reports = asyncio.Queue()

    def power_on(self) -> None:
        self._powered = True

    def _leave(self, fate: Fate) -> None:
        self._escrow, self._fates[str(self._inserted)] = None, fate

    @property
    def _works(self) -> bool:
        return self._powered and not self._fault

    def _break(self, fault: str) -> None:
        self._fault, self.jams_next = fault, False
        self._say(Faulted(fault))

    def _say(self, report: AcceptorReport) -> None:
        if self._powered:
            for _ in range(2 if self.reports_twice else 1):
                self._reports.put_nowait(report)
