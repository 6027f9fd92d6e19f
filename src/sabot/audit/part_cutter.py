"""Cuts a table's stream into parts, gaming days and months of these, whose sums are kept.

Where a part ends follows from the records alone, so adding them up from any kept part on gives the same sums.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from sabot.audit.gaming_days import end_of_day, end_of_month
from sabot.audit.period_sum import FORM, START, PeriodSum, SumPlace
from sabot.audit.summing import Summing
from sabot.floor.records.record_codec import read_answer
from sabot.journal.record import Record

PART_COUPS, PART_RECORDS = 25, 4_000
"""How many settled coups, and how many records, a part has at most."""
WATCH = "watch/2"
"""The name under which a journal keeps the watch of a table's integrity, with the number of its form."""
PARTS, DAYS, MONTHS = f"sum/{FORM}/part", f"sum/{FORM}/day", f"sum/{FORM}/month"
KINDS = MONTHS, DAYS, PARTS
"""The largest first."""


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
        self._day = _Span(DAYS, end_of_day)
        self._month = _Span(MONTHS, end_of_month)

    def resume_day(self, day: PeriodSum) -> bool:
        """Go on behind a kept day of the month; not where it belongs to a later month."""
        if self._month.is_over(day.from_ms):
            return False
        self._month.find_end(day.before, day.after, day.from_ms)
        self._month.join(day)
        self.part = Summing(day.after)
        return True

    def resume(self, part: PeriodSum) -> bool:
        """Go on behind a kept part of the gaming day; not where it belongs to a later day."""
        if self._day.is_over(part.from_ms):
            return False
        self._find_ends(part.before, part.after, part.from_ms)
        self._day.join(part)
        self.part = Summing(part.after)
        return True

    def before(self, record: Record) -> Sequence[CutSum]:
        """What is complete before a record that is about to be added."""
        if not self._day.ends_before(record):
            return ()
        part = (self._cut(),) if self.part.records else ()
        ends_month = self._month.ends_before(record)
        day = self._day.cut()
        self._month.join(day.sum)
        return (*part, day, self._month.cut()) if ends_month else (*part, day)

    def after(self) -> Sequence[CutSum]:
        """What is complete after the record that was added last."""
        part = self.part
        if self._day.is_open_ended or self._month.is_open_ended:
            self._find_ends(part.before, part.place, part.from_ms)
        is_configured = not part.before.day_starts and part.is_configured
        return (self._cut(),) if is_configured or part.coups >= PART_COUPS or part.records >= PART_RECORDS else ()

    def _cut(self) -> CutSum:
        done = self.part.sum()
        self._day.join(done)
        self.part = Summing(done.after)
        return CutSum(PARTS, done)

    def _find_ends(self, before: SumPlace, now: SumPlace, from_ms: int) -> None:
        self._day.find_end(before, now, from_ms)
        self._month.find_end(before, now, from_ms)


class _Span:
    """A gaming day or a month that is being added up from what is complete in it."""

    def __init__(self, kind: str, end: Callable[[int, str, str], int]) -> None:
        self._kind, self._end = kind, end
        self._total: Summing | None = None
        """Nothing before its first part is complete."""
        self._ends_ms: int | None = None
        """Nothing before its first act."""

    @property
    def is_open_ended(self) -> bool:
        return self._ends_ms is None

    def find_end(self, before: SumPlace, now: SumPlace, from_ms: int) -> None:
        """By the configuration before the part. The part that configures the table ends with its configuration."""
        if self._ends_ms is None and from_ms:
            known = before if before.day_starts else now
            if known.day_starts:
                self._ends_ms = self._end(from_ms, known.time_zone, known.day_starts)

    def is_over(self, at_ms: int) -> bool:
        return self._ends_ms is not None and at_ms >= self._ends_ms

    def ends_before(self, record: Record) -> bool:
        return self._ends_ms is not None and crosses(record, self._ends_ms)

    def join(self, one: PeriodSum) -> None:
        if self._total is None:
            self._total = Summing(one.before)
        self._total.join(one)

    def cut(self) -> CutSum:
        assert self._total is not None, "it has a part"
        done = CutSum(self._kind, self._total.sum())
        self._total = self._ends_ms = None
        return done
