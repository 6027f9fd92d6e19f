"""Drives a note acceptor at a station: a note is taken in only when the table has recorded its credit.

The command is kept before it is sent, and the acceptor holds the note meanwhile. Whatever fails then, the note is found
in escrow or not, and the floor tells what became of the command: recorded, and the note goes in; or not, and the patron
has it back (CROWN 6.4).

While the accounts are frozen the acceptor is off. A note whose credit was asked for before the driver heard of the
freeze goes the way that the table says (G-59).
"""

import asyncio
from collections.abc import Callable

import structlog

from sabot.basics.money import write_amount
from sabot.client.connection import Connection, answered
from sabot.client.outcome import NeverRecorded, NotTaken, Refused
from sabot.client.protocol import Outcome
from sabot.devices.note_acceptor import Escrowed, Faulted, Mended, NoteAcceptor, Report, Returned, Stacked
from sabot.wire import spoken as say

log = structlog.get_logger(__name__)
Attention = Callable[[str], None]
"""Told in one sentence what somebody has to see to."""


class NoteDriver:
    """`run` goes on until it is cancelled. The connection is the acceptor's own, with a memory that is a file."""

    def __init__(self, acceptor: NoteAcceptor, connection: Connection, attention: Attention = log.warning) -> None:
        self._acceptor, self._connection, self._attention = acceptor, connection, attention
        self._memory = connection.settings.memory
        self._credited: int | None = None
        """The note in escrow, once the table has recorded it."""

    async def run(self) -> None:
        async with self._connection:
            recalled = await self._connection.recalled()
            if recalled is not None:
                ask, outcome = recalled
                self._conclude(ask.command.cents, outcome)
            elif self._acceptor.state().escrow is not None:
                await self._credit()  # The power failed before anything was asked.
            watching = asyncio.create_task(self._be_open_while_notes_are_taken())
            try:
                while True:
                    await self._see_to(await self._acceptor.report())
            finally:
                watching.cancel()
                self._acceptor.disable()

    async def _see_to(self, report: Report) -> None:
        match report:
            case Escrowed() if self._credited is None and self._acceptor.state().escrow is not None:
                await self._credit()
            case Stacked() | Returned():
                self._be_done()
            case Faulted():
                self._attention(f"the note acceptor has failed: {report.fault}")
            case Mended():
                self._look_again()
            case Escrowed():
                pass  # It is reported once more.

    async def _credit(self) -> None:
        """One note at a time: no other is taken until it is known what became of this one."""
        self._acceptor.disable()
        if self._connection.mirror.frozen:  # It came in before the acceptor was off, and nothing was asked yet.
            self._acceptor.give_back()
            return
        cents = self._acceptor.state().escrow
        assert cents is not None
        self._conclude(cents, await self._connection.outcome_of(say.InsertNote(cents=cents)))

    def _conclude(self, cents: int, outcome: Outcome) -> None:
        """The table has spoken: the note goes the way that it said, if it is still there."""
        try:
            answered(outcome)
        except (Refused, NeverRecorded, NotTaken) as refused:
            log.info("a note is returned", cents=cents, why=str(refused))
            self._acceptor.give_back()
        else:
            self._credited = cents
            self._acceptor.stack()
        self._be_done()

    def _be_done(self) -> None:
        if self._acceptor.state().escrow is None:
            self._credited = None
            self._memory.forget()
            self._open()

    def _open(self) -> None:
        if self._takes_notes and self._acceptor.state().escrow is None:
            self._acceptor.enable()

    @property
    def _takes_notes(self) -> bool:
        """Only while the floor can answer, and not while the accounts are frozen."""
        return self._connection.in_touch and not self._connection.mirror.frozen

    def _look_again(self) -> None:
        """Somebody has seen to it, and may have taken a note out that was credited already."""
        if self._credited is None:
            self._acceptor.give_back()
        elif self._acceptor.state().escrow is None:
            amount = write_amount(self._credited)
            self._attention(f"a note of {amount} was credited and never seen in the stacker: look for it")
            self._be_done()
        else:
            self._acceptor.stack()

    async def _be_open_while_notes_are_taken(self) -> None:
        while True:
            await self._connection.until(lambda: self._takes_notes)
            self._open()
            await self._connection.until(lambda: not self._takes_notes)
            self._acceptor.disable()
