"""Compares the sums and the watch that a journal keeps of a table with what its records give."""

from collections.abc import AsyncIterator

from sabot.audit.chain import OnProgress
from sabot.audit.kept_sums import SumReader, kept_sums
from sabot.audit.part_cutter import KINDS, WATCH, PartCutter
from sabot.audit.problem import Problem, ProblemKind
from sabot.floor.records.record_codec import table_of
from sabot.journal.journal import Damaged, Derived, ReadableJournal
from sabot.journal.record import Head

_REBUILD = "`sabot journal rebuild` adds them up again"


async def other_sum(journal: ReadableJournal, end: Head, progress: OnProgress) -> Problem | None:
    """The first kept sum of a table's stream, or its kept watch, that its records do not give. One that is missing is
    no problem."""
    kept = {kind: _Kept(journal, end, kind) for kind in KINDS}
    try:
        watched = await _kept_watch(journal, end)
        if not [one for one in kept.values() if await one.next() is not None] and watched is None:
            return None
        async for given in _given(journal, end, watched, progress):
            if given.name == WATCH:
                if given == watched:
                    watched = None
                continue
            wrong = await kept[given.name.rpartition("/")[0].rpartition("/")[0]].compare(given)
            if wrong is not None:
                return wrong
        left = [one.current for one in kept.values() if one.current is not None]
    except Damaged as damaged:
        return Problem(end.stream, end.version, ProblemKind.SUM, f"a kept sum cannot be read ({damaged}); {_REBUILD}")
    if left:
        return _wrong(min(left, key=lambda one: one.version))
    return None if watched is None else _wrong_watch(watched)


async def _kept_watch(journal: ReadableJournal, end: Head) -> Derived | None:
    """A table that plays on may have kept a later one meanwhile, which is not looked at."""
    watched = await journal.derived(end.stream, WATCH)
    return None if watched is None or watched.version > end.version else watched


async def _given(
    journal: ReadableJournal, end: Head, watched: Derived | None, progress: OnProgress
) -> AsyncIterator[Derived]:
    """The sums of the records; where a watch is kept, also the watch at the end of its part and of some others."""
    reader = SumReader(journal, end.stream, from_records=True)
    if watched is None:
        async for given in reader.missing(end.version, progress):
            yield given
        return
    from sabot.audit.under_way import UnderWay  # noqa: PLC0415  It works with arrays, which most journals need not.
    from sabot.audit.watching import RecordWatch, read_watch  # noqa: PLC0415

    known = read_watch(watched.value)
    table, since, cutter = table_of(end.stream) or "", 0 if known is None else known.since, PartCutter()
    going_on = UnderWay(cutter, RecordWatch(table))
    # That a gaming day ends with a record is seen at the next one.
    stops = {since, watched.version, min(watched.version + 1, end.version), end.version}
    for until in sorted(one for one in stops if 0 < one <= end.version):
        async for given in reader.missing(until, _of(end, progress), going_on=going_on):
            yield given
        if until == since:
            going_on = UnderWay(cutter, RecordWatch(table, None, cutter.part.reading))


def _of(end: Head, progress: OnProgress) -> OnProgress:
    return lambda name, done, _: progress(name, done, end.version)


def _wrong_watch(one: Derived) -> Problem:
    why = "the watch of integrity that was kept up to it is not the one that the records give"
    return Problem(one.stream, one.version, ProblemKind.WATCH, f"{why}; `sabot journal rebuild` makes it again")


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
