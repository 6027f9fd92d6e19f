"""Drives a note acceptor at a station: a note or a ticket is stacked only when the table has recorded its credit.

The command is stored before it is sent, and the acceptor holds the note meanwhile. After any failure the note is in
escrow or not, and the floor says what became of the command. If it was recorded the note is stacked, otherwise it is
returned (CROWN 6.4). So it is with a ticket, which table and house refuse where it is not taken in (G-62, G-235).

While the accounts are frozen the acceptor is off. A note whose credit was asked for before the driver learnt of the
freeze is stacked or returned as the table answers (G-59).
"""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

import structlog

from sabot.basics.money import write_amount
from sabot.client.connection import Connection, answered
from sabot.client.outcome import CommandRefused, FrameNotTaken, NeverRecorded
from sabot.client.protocol import ActOutcome
from sabot.devices.note_acceptor import (
    AcceptorReport,
    Escrowed,
    Faulted,
    Mended,
    NoteAcceptor,
    NoteGone,
    NoteReturned,
    Noticed,
    Stacked,
)
from sabot.table import acts

log = structlog.get_logger(__name__)
Attention = Callable[[str], None]
"""Receives one sentence that says what an attendant has to do."""


class _Credited(NamedTuple):
    mark: str
    what: str
    """The note or the ticket, in words."""


def _in_words(act: acts.Act) -> str:
    assert isinstance(act, acts.Note | acts.InsertTicket), "a note acceptor asks nothing else"
    return f"ticket {act.ticket}" if isinstance(act, acts.InsertTicket) else f"a note of {write_amount(act.cents)}"


def _stacked_in_words(report: Stacked) -> str:
    if report.ticket:
        return f"ticket {report.ticket}"
    return "a note" if report.cents is None else f"a note of {write_amount(report.cents)}"


class NoteDriver:
    """`run` lasts until it is cancelled. The connection is the acceptor's own, and its memory must be a file."""

    def __init__(self, acceptor: NoteAcceptor, connection: Connection, attention: Attention = log.warning) -> None:
        self._acceptor, self._connection, self._attention = acceptor, connection, attention
        self._memory = connection.settings.memory
        self._credited: _Credited | None = None
        """The note in escrow, once the table has recorded it."""
        self._seen_to = ""
        """The mark of the last note that is credited, or of which an attendant was told that it is not."""
        self._returned = ""
        """The mark of the last one that was refused: reported again on its way back, it is not asked for again."""

    async def run(self) -> None:
        async with self._connection:
            recalled = await self._connection.recalled()
            if recalled is not None:
                ask, outcome = recalled
                self._conclude(self._memory.about, ask.act, outcome)
            elif self._asked_for() is not None:
                await self._credit()  # The power failed before the command was stored.
            watching = asyncio.create_task(self._be_open_while_notes_are_taken())
            try:
                while True:
                    await self._see_to(await self._acceptor.report())
            finally:
                watching.cancel()
                self._acceptor.disable()

    async def _see_to(self, report: AcceptorReport) -> None:
        match report:
            case Escrowed() if self._credited is None and self._asked_for() is not None:
                await self._credit()
            case Escrowed():
                pass  # A repeated report.
            case Stacked():
                self._check_credited(report.mark, _stacked_in_words(report))
                self._check_fate()
            case NoteReturned() | NoteGone():
                self._check_fate()
            case Faulted():
                self._attention(f"the note acceptor has failed: {report.fault}")
            case Mended():
                self._look_again()
            case Noticed():
                self._attention(report.what)

    def _asked_for(self) -> acts.Note | acts.InsertTicket | None:
        """What the table is asked for what lies in escrow; nothing where it is on its way back, or not read yet."""
        state = self._acceptor.state()
        if state.mark == self._returned:
            return None
        if state.ticket:
            return acts.InsertTicket(ticket=state.ticket)
        return None if state.escrow is None else acts.Note(cents=state.escrow)

    async def _credit(self) -> None:
        """Ask for the credit of the note; no other note is accepted until the answer is known."""
        self._acceptor.disable()
        if self._connection.mirror.frozen:  # The note came in before the acceptor was off.
            self._acceptor.give_back()
            return
        mark, asked = self._acceptor.state().mark, self._asked_for()
        assert asked is not None
        self._memory.about = mark
        self._conclude(mark, asked, await self._connection.outcome_of(asked))

    def _conclude(self, mark: str, asked: acts.Act, outcome: ActOutcome) -> None:
        """Stack or return the note as the table answered, if it is still in escrow."""
        fate = self._acceptor.fate_of(mark)
        try:
            answered(outcome)
        except (CommandRefused, NeverRecorded, FrameNotTaken) as refused:
            log.info(f"{_in_words(asked)} is returned", why=str(refused))
            if fate == "stacked":
                self._check_credited(mark, _in_words(asked))
            elif fate == "unknown" and isinstance(asked, acts.InsertTicket):
                self._attention(f"{_in_words(asked)} is not credited and not in escrow: look for it, it is still good")
            self._returned = mark
            self._acceptor.give_back()
        else:
            self._credited, self._seen_to = _Credited(mark, _in_words(asked)), mark
            self._acceptor.stack()
        self._check_fate()

    def _check_credited(self, mark: str, what: str) -> None:
        if not mark or mark != self._seen_to:
            self._attention(f"{what} is in the stacker and not credited: pay it by hand")
            self._seen_to = mark

    def _check_fate(self) -> None:
        """What became of a credited note. The next one is accepted when nothing is in escrow."""
        credited = self._credited
        if credited is not None:
            match self._acceptor.fate_of(credited.mark):
                case "escrow":
                    return
                case "stacked":
                    pass
                case "returned":
                    self._attention(f"{credited.what} was credited and went back to the patron: look for it")
                case "unknown":
                    self._attention(f"{credited.what} was credited and never seen in the stacker: look for it")
        self._credited = None
        if not self._acceptor.state().is_held:
            self._memory.forget()
            self._open()

    def _open(self) -> None:
        if self._takes_notes and not self._acceptor.state().is_held:
            self._acceptor.enable()

    @property
    def _takes_notes(self) -> bool:
        """Whether the floor can answer and the accounts are not frozen."""
        return self._connection.in_touch and not self._connection.mirror.frozen

    def _look_again(self) -> None:
        """After a repair: the attendant may have taken out a note that was credited already."""
        if self._credited is None:
            self._acceptor.give_back()
        else:
            self._acceptor.stack()
        self._check_fate()

    async def _be_open_while_notes_are_taken(self) -> None:
        while True:
            await self._connection.until(lambda: self._takes_notes)
            self._open()
            await self._connection.until(lambda: not self._takes_notes)
            self._acceptor.disable()
