"""Goes on with the watch of a table's integrity from record to record, and keeps it as bytes beside the records."""

from collections.abc import Sequence

import msgspec

from sabot.audit.gaming_days import end_of_day
from sabot.audit.part_cutter import WATCH
from sabot.audit.record_reading import RecordReading
from sabot.basics.mistake import UNREADABLE
from sabot.floor.records.record_codec import read_answer, read_events
from sabot.integrity.light import Light, LightState
from sabot.integrity.reading import ReadingState, TableReading
from sabot.integrity.watch import TableWatch
from sabot.journal.journal import Derived
from sabot.journal.record import Entry, Record
from sabot.rules.terms import Terms
from sabot.table import events as e

FORM = int(WATCH.partition("/")[2])
"""The form of a kept watch. One of another form is not used: the watch begins anew."""


class KeptWatch(msgspec.Struct, array_like=True):
    version: int
    """The last record that was taken."""
    ends_ms: int
    """The end of the gaming day; 0 before its first act."""
    reading: ReadingState
    detectors: dict[str, msgspec.Raw]
    since: int
    """The record behind which it began; 0 where it has taken the whole stream."""


class LightAlarm(msgspec.Struct, frozen=True):
    light: Light
    day_ends_ms: int
    """The end of the table's gaming day in which it was raised."""


class RecordWatch:
    def __init__(
        self, table: str, kept: KeptWatch | None = None, read_by: RecordReading | None = None, *, since_ms: int = 0
    ) -> None:
        """`read_by` is what the next record is read by; none at the start of the stream.

        What was seen before `since_ms` counts for nothing; it only tells which cards are left in the shoe.
        """
        self._since_ms = since_ms
        self._ended: list[LightAlarm] = []
        state = None if kept is None else kept.reading
        begins = 0 if read_by is None else read_by.version
        self.version, self.day_ends_ms = (begins, 0) if kept is None else (kept.version, kept.ends_ms)
        """The last record that was taken, and the end of its gaming day."""
        self._since = begins if kept is None else kept.since
        self._reading = TableReading(table, _read_touch, state)
        self._read_by = (None, 0) if read_by is None else _terms_and_decks(read_by)
        self.table = TableWatch(table, None if kept is None else kept.detectors)

    def take(self, record: Record, events: Sequence[e.Event] | None, then: RecordReading) -> None:
        """Take a record with its events, or with none where it is one touch on the layout.

        `then` is what the next record is read by.
        """
        at_ms, reading = record.entry.at_ms, self._reading
        if events is None:
            reading.touch(at_ms, bytes(record.entry.answer))
        elif events:
            self._begin_day(record, then)
            if any(type(event) is e.WagersChanged for event in events):
                reading.touch(at_ms, bytes(record.entry.answer))
            for seen in reading.take(events, at_ms, *self._read_by):
                if at_ms >= self._since_ms:
                    self.table.take(seen)
            self._read_by = _terms_and_decks(then)
        self.version = record.version

    def _begin_day(self, record: Record, then: RecordReading) -> None:
        at_ms = record.entry.at_ms
        if not then.day_starts or at_ms < self.day_ends_ms:
            return
        if self.day_ends_ms:
            self._ended += self._alarms()
            self.table.begin_day()
        self.day_ends_ms = end_of_day(at_ms, then.time_zone, then.day_starts)

    def _alarms(self) -> list[LightAlarm]:
        return [LightAlarm(one, self.day_ends_ms) for one in self.table.raised() if one.state is LightState.ALARM]

    def take_alarms(self) -> tuple[LightAlarm, ...]:
        """The alarms of this gaming day, and those of earlier days that were not taken yet."""
        alarms = (*self._ended, *self._alarms())
        self._ended.clear()
        return alarms

    def kept(self, stream: str) -> Derived:
        """The watch after the last record that it took, to be kept. The same records give the same bytes."""
        self._reading.forget_early_touches()
        kept = KeptWatch(self.version, self.day_ends_ms, self._reading.state, self.table.states(), self._since)
        return Derived(stream, WATCH, self.version, _encode((FORM, kept)))


def read_watch(written: bytes) -> KeptWatch | None:
    """The watch that was kept; nothing where it has another form."""
    try:
        form, rest = _read_form(written)
        return None if form != FORM else _read_kept(rest)
    except UNREADABLE:
        return None


def _read_touch(written: bytes) -> Sequence[e.Event]:
    accepted = read_answer(Entry("", "", "", 0, msgspec.Raw(written))).accepted
    return () if accepted is msgspec.UNSET else read_events(accepted)


def _terms_and_decks(reading: RecordReading) -> tuple[Terms | None, int]:
    """The terms of a coup that is settled for money, and the decks of a shoe."""
    money, played = reading.money_terms, reading.played_by
    return None if money is None else money.terms, 0 if played is None else played.decks


_encode = msgspec.msgpack.Encoder().encode
_read_form = msgspec.msgpack.Decoder(tuple[int, msgspec.Raw]).decode
_read_kept = msgspec.msgpack.Decoder(KeptWatch).decode
