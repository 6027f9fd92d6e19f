"""Cuts a table's stream into parts and gaming days, whose sums are kept.

Where a part ends follows from the records alone, so adding them up from any kept part on gives the same sums.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from sabot.audit.gaming_days import end_of_day
from sabot.audit.period_sum import FORM, START, PeriodSum, SumPlace
from sabot.audit.summing import Summing
from sabot.floor.records.record_codec import read_answer
from sabot.journal.record import Record

PART_COUPS, PART_RECORDS = 25, 4_000
"""How many settled coups, and how many records, a part has at most."""
WATCH = "watch/1"
"""The name under which a journal keeps the watch of a table's integrity, with the number of its form."""
PARTS, DAYS = f"sum/{FORM}/part", f"sum/{FORM}/day"


class CutSum(NamedTuple):
    """A sum that is complete, by its kind."""

    kind: str
    sum: PeriodSum

    @property
    def name(self) -> str:
        begins_ms = max(self.sum.before.at_ms, self.sum.from_ms)
        return f"{name_at(self.kind, begins_ms)}/{self.sum.before.version + 1:012d}"


def name_at(kind: str, at_ms: int) -> str:
    """What the names of all sums that begin then begin with."""
    return f"{kind}/{max(0, at_ms):016d}"


def crosses(record: Record, to_ms: int) -> bool:
    """Whether a record is an act at or after a moment. An owner's own records are dated by another clock."""
    if record.entry.at_ms < to_ms:
        return False
    answer = read_answer(record)
    return answer.accepted is not msgspec.UNSET or answer.refused is not msgspec.UNSET


class PartCutter:
    def __init__(self, place: SumPlace = START) -> None:
        self.part = Summing(place)
        """The part that is being added up."""
        self._day: Summing | None = None
        """The parts of the gaming day so far; nothing before its first part is complete."""
        self._ends_ms: int | None = None
        """The end of the gaming day; nothing before its first act."""

    def resume(self, part: PeriodSum) -> None:
        """Go on behind a kept part of the gaming day."""
        self._find_end(part.before, part.after, part.from_ms)
        self._join(part)

    def before(self, record: Record) -> Sequence[CutSum]:
        """What is complete before a record that is about to be added."""
        if self._ends_ms is None or not crosses(record, self._ends_ms):
            return ()
        cut = (self._cut(),) if self.part.records else ()
        assert self._day is not None, "a gaming day has a part"
        day = CutSum(DAYS, self._day.sum())
        self._day = self._ends_ms = None
        return (*cut, day)

    def after(self) -> Sequence[CutSum]:
        """What is complete after the record that was added last."""
        part = self.part
        if self._ends_ms is None:
            self._find_end(part.before, part.place, part.from_ms)
        is_configured = not part.before.day_starts and part.is_configured
        return (self._cut(),) if is_configured or part.coups >= PART_COUPS or part.records >= PART_RECORDS else ()

    def _cut(self) -> CutSum:
        done = self.part.sum()
        self._join(done)
        return CutSum(PARTS, done)

    def _join(self, part: PeriodSum) -> None:
        if self._day is None:
            self._day = Summing(part.before)
        self._day.join(part)
        self.part = Summing(part.after)

    def _find_end(self, before: SumPlace, now: SumPlace, from_ms: int) -> None:
        """By the configuration before the part. The part that configures the table ends with its configuration."""
        known = before if before.day_starts else now
        if self._ends_ms is None and from_ms and known.day_starts:
            self._ends_ms = end_of_day(from_ms, known.time_zone, known.day_starts)
