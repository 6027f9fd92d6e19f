"""Drives a note acceptor at a station: a note is stacked only when the table has recorded its credit.

The command is stored before it is sent, and the acceptor holds the note meanwhile. After any failure the note is in
escrow or not, and the floor says what became of the command. If it was recorded the note is stacked, otherwise it is
returned (CROWN 6.4).

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
    cents: int


class NoteDriver:
    """`run` lasts until it is cancelled. The connection is the acceptor's own, and its memory must be a file."""

    def __init__(self, acceptor: NoteAcceptor, connection: Connection, attention: Attention = log.warning) -> None:
        self._acceptor, self._connection, self._attention = acceptor, connection, attention
        self._memory = connection.settings.memory
        self._credited: _Credited | None = None
        """The note in escrow, once the table has recorded it."""
        self._seen_to = ""
        """The mark of the last note that is credited, or of which an attendant was told that it is not."""

    async def run(self) -> None:
        async with self._connection:
            recalled = await self._connection.recalled()
            if recalled is not None:
                ask, outcome = recalled
                assert isinstance(ask.act, acts.Note), "a note acceptor asks nothing else"
                self._conclude(self._memory.about, ask.act.cents, outcome)
            elif self._acceptor.state().escrow is not None:
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
            case Escrowed() if self._credited is None and self._acceptor.state().escrow is not None:
                await self._credit()
            case Escrowed() if self._acceptor.state().ticket:
                log.info("a ticket is returned: it is redeemed at the cage", ticket=self._acceptor.state().ticket)
                self._acceptor.give_back()
            case Escrowed():
                pass  # A repeated report.
            case Stacked():
                self._check_credited(report.mark, report.cents)
                self._check_fate()
            case NoteReturned() | NoteGone():
                self._check_fate()
            case Faulted():
                self._attention(f"the note acceptor has failed: {report.fault}")
            case Mended():
                self._look_again()
            case Noticed():
                self._attention(report.what)

    async def _credit(self) -> None:
        """Ask for the credit of the note; no other note is accepted until the answer is known."""
        self._acceptor.disable()
        if self._connection.mirror.frozen:  # The note came in before the acceptor was off.
            self._acceptor.give_back()
            return
        state = self._acceptor.state()
        assert state.escrow is not None
        self._memory.about = state.mark
        outcome = await self._connection.outcome_of(acts.Note(cents=state.escrow))
        self._conclude(state.mark, state.escrow, outcome)

    def _conclude(self, mark: str, cents: int, outcome: ActOutcome) -> None:
        """Stack or return the note as the table answered, if it is still in escrow."""
        fate = self._acceptor.fate_of(mark)
        try:
            answered(outcome)
        except (CommandRefused, NeverRecorded, FrameNotTaken) as refused:
            log.info("a note is returned", cents=cents, why=str(refused))
            if fate == "stacked":
                self._check_credited(mark, cents)
            self._acceptor.give_back()
        else:
            self._credited, self._seen_to = _Credited(mark, cents), mark
            self._acceptor.stack()
        self._check_fate()

    def _check_credited(self, mark: str, cents: int | None) -> None:
        if not mark or mark != self._seen_to:
            amount = "" if cents is None else f" of {write_amount(cents)}"
            self._attention(f"a note{amount} is in the stacker and not credited: pay it by hand")
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
                    amount = write_amount(credited.cents)
                    self._attention(f"a note of {amount} was credited and went back to the patron: look for it")
                case "unknown":
                    amount = write_amount(credited.cents)
                    self._attention(f"a note of {amount} was credited and never seen in the stacker: look for it")
        self._credited = None
        if self._acceptor.state().escrow is None:
            self._memory.forget()
            self._open()

    def _open(self) -> None:
        if self._takes_notes and self._acceptor.state().escrow is None:
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
