"""Compares the sums that a journal keeps of a table with what its records add up to."""

from collections.abc import AsyncIterator

from sabot.audit.chain import OnProgress
from sabot.audit.kept_sums import SumReader, kept_sums
from sabot.audit.part_cutter import KINDS
from sabot.audit.problem import Problem, ProblemKind
from sabot.journal.journal import Damaged, Derived, ReadableJournal
from sabot.journal.record import Head

_REBUILD = "`sabot journal rebuild` adds them up again"


async def other_sum(journal: ReadableJournal, end: Head, progress: OnProgress) -> Problem | None:
    """The first kept sum of a table's stream that its records do not give. One that is missing is no problem."""
    kept = {kind: _Kept(journal, end, kind) for kind in KINDS}
    try:
        if not [one for one in kept.values() if await one.next() is not None]:
            return None
        async for given in SumReader(journal, end.stream, from_records=True).missing(end.version, progress):
            wrong = await kept[given.name.rpartition("/")[0].rpartition("/")[0]].compare(given)
            if wrong is not None:
                return wrong
        left = [one.current for one in kept.values() if one.current is not None]
    except Damaged as damaged:
        return Problem(end.stream, end.version, ProblemKind.SUM, f"a kept sum cannot be read ({damaged}); {_REBUILD}")
    return _wrong(min(left, key=lambda one: one.version)) if left else None


def _wrong(one: Derived) -> Problem:
    why = f"the sum {one.name} that was kept up to it is not the one that the records add up to; {_REBUILD}"
    return Problem(one.stream, one.version, ProblemKind.SUM, why)


class _Kept:
    """The kept sums of one kind up to the end of the stream, one after the other."""

    def __init__(self, journal: ReadableJournal, end: Head, kind: str) -> None:
        self._values: AsyncIterator[Derived] = kept_sums(journal, end.stream, kind)
        self._until = end.version
        self.current: Derived | None = None

    async def next(self) -> Derived | None:
        self.current = await anext(self._values, None)
        if self.current is not None and self.current.version > self._until:
            self.current = None  # A table that plays on keeps more meanwhile.
        return self.current

    async def compare(self, given: Derived) -> Problem | None:
        """Compare one that the records give with the kept one of its name, and find those that none gives."""
        current = self.current
        if current is None or given.name < current.name:
            return None
        if current != given:
            return _wrong(current)
        await self.next()
        return None
