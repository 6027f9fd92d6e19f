"""The host's side of ccTalk for a note acceptor with escrow: bytes in, reports and bytes out, no port and no clock.

A host asks, an acceptor answers. The acceptor keeps its last five events with a counter; the host reads them again and
again, so that a lost or garbled answer loses nothing. What is wanted (notes on or off, the note stacked or returned) is
asked for until an event says that it is so. An acknowledgement alone proves nothing, since it may be the late answer to
an earlier question.

A buffer of events is believed at once if it continues the one before: at most five new events, the older ones
unchanged. Any other is believed when it was read twice, which noise or a late answer does not achieve. A counter that
went back means that the acceptor has lost its power; then it is set up anew and asked whether it still holds a note.
"""

from collections import deque

from sabot.devices.cctalk.escrow import UNKNOWN, BillEvent, Escrow
from sabot.devices.cctalk.message import BILL_VALIDATOR, HOST, REPLY, Checksum, Message, MessageReader, write_message
from sabot.devices.cctalk.words import (
    ALL_BILLS,
    ESCROW_AND_STACKER,
    ESCROW_EMPTY,
    EVENTS_KEPT,
    HOLD,
    NOT_TAKEN,
    ROUTE_RETURN,
    ROUTE_STACK,
    Header,
    cents_of,
)
from sabot.devices.note_acceptor import AcceptorReport, Fate, Noticed

AGAIN_EVERY = 20
"""After so many polls what is wanted is asked for again: an acceptor returns a note that nobody asks about."""
GONE_AFTER = 25
"""A note on its way takes seconds: an empty escrow is believed when so many polls later no event has said more."""
SILENT_AFTER = 10
"""So many questions in a row without an answer mean that the acceptor is away."""
SILENT = "it does not answer"
_BILL_TYPES = range(1, 17)


class AcceptorHost:
    def __init__(self, check: Checksum = "crc", address: int = BILL_VALIDATOR) -> None:
        self.escrow = Escrow()
        self._check, self._address = check, address
        self._reader = MessageReader(HOST, address, check)
        self._questions: deque[Message] = deque()
        self._asked: Message | None = None
        self._unanswered = self._polls = 0
        self._counter: int | None = None
        self._buffer: tuple[BillEvent, ...] = ()
        self._doubtful: tuple[int, tuple[BillEvent, ...]] | None = None
        """A buffer that does not continue the one before, and was read once."""
        self._ids: dict[int, str] = {}
        self._scales: dict[str, tuple[int, int]] = {}
        self._empty_since: int | None = None
        """The poll after which the acceptor said that its escrow is empty, while an event about it is missing."""
        self._is_current = False
        """Whether the events were read just now and are those that are known: only then a note is moved, since it could
        be another one by now."""
        self._looks_for_unknown = False
        """Whether the acceptor was asked if it holds something of which no event can be read."""
        self._wants_notes = False
        self._set_up()

    # For the driver

    @property
    def is_ready(self) -> bool:
        """Whether the acceptor was set up, and its events were read."""
        return self._counter is not None and not self._questions

    @property
    def is_hurried(self) -> bool:
        """Whether the next question need not wait for its time."""
        return bool(self._questions) or (self.escrow.route is not None and self._is_current)

    def fate_of(self, mark: str) -> Fate:
        return self.escrow.fate_of(mark)

    def reports(self) -> list[AcceptorReport]:
        """What has happened since the last call."""
        return self.escrow.reports()

    def enable(self, *, wanted: bool) -> None:
        if wanted:
            self.escrow.let_go_of_the_past()
        if wanted and self.escrow.held is not None and self.escrow.held.bill == UNKNOWN:
            self.route(ROUTE_RETURN)  # Nobody knows of it, so nobody has credited it.
        if self._wants_notes is not wanted:
            self._wants_notes = wanted
            self._ask_for_notes()

    def route(self, way: int) -> None:
        """Have the note in escrow stacked or returned, as often as it takes."""
        if self.escrow.held is not None:
            self.escrow.route = way

    # For the line

    def ask(self) -> bytes:
        """The next question. The one before was answered, or is not waited for any longer."""
        self._reader.clear()
        self._asked = self._next()
        self._is_current = False
        return write_message(self._asked, HOST, self._check)

    def _next(self) -> Message:
        if self._questions:
            return self._questions[0]
        held, way = self.escrow.held, self.escrow.route
        if held is not None and way is not None and self._is_current:
            return Message(self._address, Header.ROUTE_BILL, bytes((way,)))
        self._polls += 1
        if self._polls % AGAIN_EVERY == 0:
            self._ask_for_notes()
            if held is not None and way is None:
                self._ask(Header.ROUTE_BILL, HOLD)
        return Message(self._address, Header.READ_BUFFERED_BILL_EVENTS)

    def hear(self, data: bytes) -> bool:
        """Whether the answer is whole."""
        for message in self._reader.feed(data):
            asked = self._asked
            if asked is None or not _fits(asked, message):
                continue
            self._asked, self._unanswered = None, 0
            if self._questions and asked is self._questions[0]:
                self._questions.popleft()
            if self.escrow.fault == SILENT:
                self.escrow.mend()
                self._set_up()
            if message.header == REPLY:
                self._answered(asked, message.data)
            return True
        return False

    def give_up(self) -> None:
        """There was no answer in time: the question is asked again. The acceptor may have lost its power meanwhile, so
        it is told how it works before it is told again to take notes."""
        asked, self._asked = self._asked, None
        if asked is not None and self._wants_notes and asked.header in _TAKES_NOTES:
            self._questions = deque(one for one in self._questions if one.header not in _TAKES_NOTES)
            self._ask_for_notes()
        self._unanswered += 1
        if self._unanswered == SILENT_AFTER:
            self.escrow.break_down(SILENT)

    # Questions

    def _ask(self, header: Header, *data: int) -> None:
        self._questions.append(Message(self._address, header, bytes(data)))

    def _set_up(self) -> None:
        """Everything that an acceptor loses with its power."""
        self._questions.clear()
        self._ask(Header.SIMPLE_POLL)
        for bill in _BILL_TYPES:
            if bill not in self._ids:
                self._ask(Header.REQUEST_BILL_ID, bill)
        self._ask_for_notes()

    def _ask_for_notes(self) -> None:
        """Notes on or off. Where the acceptor has forgotten how it works, it must learn that before it takes one."""
        if self._wants_notes:
            self._ask(Header.MODIFY_BILL_OPERATING_MODE, ESCROW_AND_STACKER)
            self._ask(Header.REQUEST_BILL_OPERATING_MODE)
            self._ask(Header.MODIFY_INHIBIT_STATUS, *ALL_BILLS)
        self._ask(Header.MODIFY_MASTER_INHIBIT_STATUS, self._wants_notes)

    # Answers

    def _answered(self, asked: Message, data: bytes) -> None:
        match asked.header:
            case Header.READ_BUFFERED_BILL_EVENTS:
                self._read(data[0], tuple(BillEvent(*data[at : at + 2]) for at in range(1, len(data), 2)))
            case Header.REQUEST_BILL_ID:
                self._identified(asked.data[0], data.decode("ascii", "replace"))
            case Header.REQUEST_COUNTRY_SCALING_FACTOR:
                self._scales[asked.data.decode()] = (data[0] | data[1] << 8, data[2])
                self._set_values()
            case Header.REQUEST_BILL_OPERATING_MODE:
                if data[0] & ESCROW_AND_STACKER != ESCROW_AND_STACKER:
                    self._questions.appendleft(asked)
                    mode = bytes((ESCROW_AND_STACKER,))
                    self._questions.appendleft(Message(self._address, Header.MODIFY_BILL_OPERATING_MODE, mode))
            case Header.READ_BARCODE_DATA:
                self.escrow.read_ticket(data.decode("ascii", "replace").strip("\0 \r\n"))
            case Header.ROUTE_BILL:
                self._routed(is_empty=data == bytes((ESCROW_EMPTY,)))

    def _identified(self, bill: int, identifier: str) -> None:
        self._ids[bill] = identifier
        country = identifier[:2].encode("ascii", "replace")
        is_asked = any(one.data == country for one in self._questions)
        if country.isalpha() and identifier[:2] not in self._scales and not is_asked:
            self._questions.appendleft(Message(self._address, Header.REQUEST_COUNTRY_SCALING_FACTOR, country))
        self._set_values()

    def _set_values(self) -> None:
        for bill, identifier in self._ids.items():
            scale = self._scales.get(identifier[:2])
            if scale is not None and (cents := cents_of(identifier, *scale)):
                self.escrow.values[bill] = cents

    def _routed(self, *, is_empty: bool) -> None:
        """Whether the acceptor still has what it should move. An event says what became of it, if it knows."""
        held = self.escrow.held
        if not is_empty:
            self._empty_since = None
            if held is None and self._looks_for_unknown:
                self.escrow.hold_unknown()
            self._looks_for_unknown = False
        elif held is None or self.escrow.fault:
            self._empty_since, self._looks_for_unknown = None, False
        elif self._empty_since is None:
            self._empty_since = self._polls
        elif self._polls >= self._empty_since + GONE_AFTER:
            self._empty_since = None
            # Not every acceptor has an event for a stacked ticket.
            is_stacked = held.is_ticket and self.escrow.route == ROUTE_STACK
            self.escrow.settle("stacked" if is_stacked else "unknown", held.bill)

    # Events

    def _read(self, counter: int, buffer: tuple[BillEvent, ...]) -> None:
        if (counter, buffer) == (self._counter, self._buffer):
            self._doubtful, self._is_current = None, True
            return
        fresh = self._continued_by(counter, buffer)
        if fresh is None and (counter, buffer) != self._doubtful:
            self._doubtful = counter, buffer
            return
        is_first, self._doubtful = self._counter is None, None
        self._counter, self._buffer = counter, buffer
        if fresh is None and not is_first:
            self._come_back()
        for age in reversed(range(min(counter, EVENTS_KEPT) if fresh is None else fresh)):
            self.escrow.see((counter - 1 - age) % 255 + 1, buffer[age])
        held = self.escrow.held
        if held is not None and held.is_ticket and not held.ticket:
            self._ask(Header.READ_BARCODE_DATA)
        if is_first:
            self._begin()

    def _continued_by(self, counter: int, buffer: tuple[BillEvent, ...]) -> int | None:
        """How many events are new, or nothing where this buffer does not continue the last one. After 255 comes 1."""
        if self._counter is None or counter == 0:
            return None
        fresh = (counter - self._counter) % 255 if self._counter else counter
        is_next = 0 < fresh <= EVENTS_KEPT and buffer[fresh:] == self._buffer[: EVENTS_KEPT - fresh]
        return fresh if is_next else None

    def _begin(self) -> None:
        """What happened before is known now, and was reported then; what lies in escrow is not."""
        held, fault = self.escrow.held, self.escrow.fault
        self.escrow.reports()
        if self._counter is not None and self._counter > EVENTS_KEPT:
            self.escrow.forget_the_earlier()  # The event of its escrow may have been there, and is gone.
        self.escrow.fault = ""
        if fault:
            self.escrow.break_down(fault)
        if held is None:
            self._looks_for_unknown = True
            self._ask(Header.ROUTE_BILL, HOLD)

    def _come_back(self) -> None:
        """The acceptor has lost its power. It says by itself what it did with a note, or what it still holds."""
        self.escrow.report(Noticed("the note acceptor has lost its power and is back"))
        self.escrow.mend()  # What is still wrong it says anew.
        self._set_up()
        if self.escrow.held is not None:
            self._ask(Header.ROUTE_BILL, HOLD)


_TAKES_NOTES = frozenset(
    {
        *(Header.MODIFY_BILL_OPERATING_MODE, Header.REQUEST_BILL_OPERATING_MODE),
        *(Header.MODIFY_INHIBIT_STATUS, Header.MODIFY_MASTER_INHIBIT_STATUS),
    }
)
"""The questions after which notes are taken, which belong together."""
_LENGTHS = {
    Header.READ_BUFFERED_BILL_EVENTS: range(1 + 2 * EVENTS_KEPT, 2 + 2 * EVENTS_KEPT),
    Header.REQUEST_BILL_ID: range(7, 8),
    Header.REQUEST_COUNTRY_SCALING_FACTOR: range(3, 4),
    Header.REQUEST_BILL_OPERATING_MODE: range(1, 2),
    Header.READ_BARCODE_DATA: range(12, 65),
    Header.ROUTE_BILL: range(2),
}
"""How many data bytes the answer to a question may have; to any other it has none."""


def _fits(asked: Message, answer: Message) -> bool:
    """Whether this may be the answer to that question. An acceptor that does not know a question says so."""
    header = Header(asked.header)
    if answer.header == NOT_TAKEN:
        return header is not Header.READ_BUFFERED_BILL_EVENTS
    return answer.header == REPLY and len(answer.data) in _LENGTHS.get(header, range(1))
