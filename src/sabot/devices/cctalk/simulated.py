"""A simulated note acceptor that speaks ccTalk: bytes in, bytes out, with the faults of a real one.

It is the other side of `host`, written from the specification and not from the host: tests put a line with noise
between the two, and trials a pseudo-terminal.
"""

from typing import Literal

from sabot.devices.cctalk.message import BILL_VALIDATOR, HOST, REPLY, Checksum, Message, MessageReader, write_message
from sabot.devices.cctalk.words import (
    BARCODE,
    ESCROW_AND_STACKER,
    ESCROW_EMPTY,
    EVENTS_KEPT,
    HOLD,
    NOT_TAKEN,
    PULLED_BACK,
    RETURNED,
    ROUTE_RETURN,
    ROUTE_STACK,
    STACKER_FULL,
    STACKER_INSERTED,
    STACKER_JAM,
    STACKER_OK,
    STACKER_REMOVED,
    Header,
)

AfterPower = Literal["returns", "stacks", "holds"]
"""What an acceptor does with the note in escrow when its power comes back."""
NOTES = {1: 500, 2: 1_000, 3: 2_000, 4: 5_000, 5: 10_000, 6: 7_700}
"""Its kinds of notes, in cents. The last is a note that no table takes."""
SHUT_POLLS = 4
"""Its entry is shut for so many questions after a note has left: nobody puts a note in within the blink of an eye."""
BOOT_POLLS = 3
"""So many questions go unanswered while it starts."""
ESCROW_POLLS = 200
"""A note that nobody asks about for so many questions is returned."""


class SimulatedValidator:
    def __init__(self, check: Checksum = "crc", *, after_power: AfterPower = "returns", room: int = 1_000) -> None:
        self.stacker: list[int] = []
        """In cents."""
        self.given_back: list[int] = []
        self.taken_by_hand: list[int] = []
        self.tickets: list[str] = []
        self.tickets_given_back: list[str] = []
        self.moves_after = 1
        """A note moves after so many further questions: motors take time."""
        self.jams_next = False
        self._check, self._after_power, self._room = check, after_power, room
        self._powered = True
        self._inside: int | str | None = None
        """The kind of the note, or the number of the ticket, in escrow."""
        self._going: int | None = None
        self._steps = self._patience = 0
        self._boots_for = self._shut_for = 0
        self._jammed = False
        self._forget()

    def _forget(self) -> None:
        self._reader = MessageReader(BILL_VALIDATOR, HOST, self._check)
        self._counter = 0
        self._events = [(0, 0)] * EVENTS_KEPT
        self._mode, self._accepts, self._bills = 0, False, 0
        self._going = None

    # The line

    def pause(self) -> None:
        """The line was quiet for longer than between two bytes of a message: what is not whole never will be."""
        self._reader.clear()

    def hear(self, data: bytes) -> bytes:
        """The answers to the questions among these bytes."""
        if not self._powered:
            return b""
        answers = b""
        for question in self._reader.feed(data):
            if self._boots_for:
                self._boots_for -= 1
                continue
            answer = self._answer(question)
            answers += write_message(answer, BILL_VALIDATOR, self._check)
            self._go_on()
        return answers

    def _answer(self, question: Message) -> Message:
        answer = self._setting(question) if question.data else self._reading(question.header)
        return Message(HOST, NOT_TAKEN) if answer is None else Message(HOST, REPLY, answer)

    def _reading(self, header: int) -> bytes | None:
        match header:
            case Header.SIMPLE_POLL:
                return b""
            case Header.REQUEST_BILL_OPERATING_MODE:
                return bytes((self._mode,))
            case Header.READ_BUFFERED_BILL_EVENTS:
                return bytes((self._counter, *(byte for event in self._events for byte in event)))
            case Header.READ_BARCODE_DATA if isinstance(self._inside, str):
                return self._inside.encode()
        return None

    def _setting(self, question: Message) -> bytes | None:
        data = question.data
        match question.header, len(data):
            case Header.REQUEST_BILL_ID, 1:
                cents = NOTES.get(data[0])
                return b"......." if cents is None else b"AU%04dA" % (cents // 100)
            case Header.REQUEST_COUNTRY_SCALING_FACTOR, 2:
                return bytes((100, 0, 2))
            case Header.ROUTE_BILL, 1:
                return self._routed(data[0])
            case Header.MODIFY_BILL_OPERATING_MODE, 1:
                self._mode = data[0]
            case Header.MODIFY_INHIBIT_STATUS, 2:
                self._bills = data[0] | data[1] << 8
            case Header.MODIFY_MASTER_INHIBIT_STATUS, 1:
                self._accepts = bool(data[0] & 1)
            case _:
                return None
        return b""

    def _routed(self, way: int) -> bytes:
        if self._inside is None:
            return bytes((ESCROW_EMPTY,))
        self._patience = 0
        if way in (ROUTE_RETURN, ROUTE_STACK) and self._going is None and not self._jammed:
            self._going, self._steps = way, self.moves_after
        else:
            assert way in (ROUTE_RETURN, ROUTE_STACK, HOLD)
        return b""

    def _go_on(self) -> None:
        """A question takes time, in which the motors turn."""
        self._shut_for = max(0, self._shut_for - 1)
        if self._inside is None or self._jammed:
            return
        if self._going is None:
            self._patience += 1
            if self._patience > ESCROW_POLLS:
                self._leave_by(ROUTE_RETURN)
        elif self._steps > 0:
            self._steps -= 1
        elif self._going == ROUTE_STACK and (self.jams_next or len(self.stacker) >= self._room):
            self._jammed, self._going = True, None
            self._log(0, STACKER_JAM if self.jams_next else STACKER_FULL)
            self.jams_next = False
        else:
            self._leave_by(self._going)

    def _leave_by(self, way: int) -> None:
        inside, self._inside, self._going, self._shut_for = self._inside, None, None, SHUT_POLLS
        assert inside is not None
        if way == ROUTE_STACK and isinstance(inside, int):
            self.stacker.append(NOTES[inside])
            self._log(inside, 0)
        elif way == ROUTE_STACK:
            self.tickets.append(str(inside))
        else:
            if isinstance(inside, int):
                self.given_back.append(NOTES[inside])
            else:
                self.tickets_given_back.append(inside)
            self._log(0, RETURNED)

    def _log(self, bill: int, code: int) -> None:
        self._counter = self._counter % 255 + 1
        self._events = [(bill, code), *self._events][:EVENTS_KEPT]

    # For the patron

    @property
    def takes_notes(self) -> bool:
        return self._powered and self._accepts and not self._jammed and self._inside is None and not self._shut_for

    def insert(self, cents: int) -> bool:
        """Whether the note was taken into escrow; otherwise the patron keeps it."""
        bill = next(kind for kind, value in NOTES.items() if value == cents)
        if not self.takes_notes or not self._bills >> bill - 1 & 1:
            return False
        self._inside, self._patience = bill, 0
        if self._mode & ESCROW_AND_STACKER == ESCROW_AND_STACKER:
            self._log(bill, 1)
        else:
            self._leave_by(ROUTE_STACK)
        return True

    def insert_ticket(self, number: str) -> bool:
        if not self.takes_notes:
            return False
        self._inside, self._patience = number, 0
        self._log(0, BARCODE)
        return True

    def insert_unreadable(self) -> None:
        if self.takes_notes:
            self._log(0, 2)

    def pull_back(self) -> None:
        """A patron pulls at a note that goes in: the acceptor notices, and the note is out."""
        if self._powered and self.holds is not None and self._going is None and not self._jammed:
            self._log(0, PULLED_BACK)
            self._leave_by(ROUTE_RETURN)

    # For the attendant

    @property
    def holds(self) -> int | None:
        return NOTES[self._inside] if isinstance(self._inside, int) else None

    @property
    def is_jammed(self) -> bool:
        return self._jammed

    def mend(self, *, take_the_note: bool = False) -> None:
        """Take the stacker out, empty it, and put it back."""
        self._log(0, STACKER_REMOVED)
        if take_the_note and isinstance(self._inside, int):
            self.taken_by_hand.append(NOTES[self._inside])
            self._inside = None
        self._jammed, self._room = False, 1_000
        self._log(0, STACKER_INSERTED)
        self._log(0, STACKER_OK)

    # Power

    def power_off(self) -> None:
        self._powered = False

    def power_on(self) -> None:
        """Everything but the note and the stacker is forgotten; then it clears its path."""
        if self._powered:
            return
        self._powered, self._boots_for, self._shut_for = True, BOOT_POLLS, SHUT_POLLS
        self._forget()
        if self._jammed:
            self._log(0, STACKER_JAM)
        if self._inside is None or self._jammed:
            return
        match self._after_power:
            case "stacks":
                self._leave_by(ROUTE_STACK)
            case "returns":
                self._leave_by(ROUTE_RETURN)
            case "holds" if isinstance(self._inside, int):
                self._log(self._inside, 1)
            case _:
                self._log(0, BARCODE)
