"""Sums that a journal keeps beside its records: of parts of a table's stream, of its gaming days, and of months.

They save reading and prove nothing: what is missing, or has an older form, is added up again from the records, one page
at a time.

A period begins with the first act at or after its first moment, and ends before the first at or after its last. It is
answered from the kept sums within it, and from the records of what they leave out.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING

from sabot.audit.chain import OnProgress
from sabot.audit.coup_figures import CoupFigures, CoupSearch
from sabot.audit.part_cutter import DAYS, KINDS, MONTHS, PARTS, WATCH, CutSum, PartCutter, crosses, name_at
from sabot.audit.period_sum import START, PeriodSum, SumPlace, read_sum, write_sum
from sabot.audit.summing import Summing
from sabot.journal.journal import Damaged, Derived, ReadableJournal, record_at
from sabot.journal.record import Record

if TYPE_CHECKING:  # The watch works with arrays, and most callers need none.
    from sabot.audit.under_way import UnderWay

ALWAYS_MS = 2**53
STEP_COUPS = 5
"""How many coups a step of a curve has where no part is kept."""
_HOUR_MS = 3_600_000
_LOOK_BACK_MS = (6 * _HOUR_MS, 72 * _HOUR_MS, 1_500 * _HOUR_MS, ALWAYS_MS)
"""How far back a kept sum is looked for, until one is found."""


def ignore_progress(_stream: str, _done: int, _of: int) -> None:
    """For work whose progress nobody follows."""


class SumReader:
    """Reads the sums of one table's stream."""

    def __init__(
        self, journal: ReadableJournal, stream: str, *, from_records: bool = False, patrons: bool = False
    ) -> None:
        """`from_records` leaves kept sums aside but for finding an earlier coup that a record corrects.

        A period is answered with the figures of patrons, or without them, which is quicker where many come.
        """
        self._journal, self._stream, self._from_records = journal, stream, from_records
        self._patrons = patrons
        self.version = 0
        """The record up to which sums were added up last."""
        self.is_damaged = False
        """Whether a kept sum cannot be read. All of the stream's are left aside then, and should be dropped."""

    async def between(self, from_ms: int, to_ms: int) -> PeriodSum:
        """The sum of a period."""
        total = Summing(await self._beginning(from_ms), patrons=self._patrons)
        await self._by_kept(KINDS, total, to_ms, None, to_ms)
        return total.sum()

    async def each(self, from_ms: int, ends_ms: Sequence[int]) -> AsyncIterator[PeriodSum]:
        """The sums of periods that follow each other from a moment on, in one pass over the parts."""
        total, ends = Summing(await self._beginning(from_ms), patrons=False), list(ends_ms)
        parts = self._kept(PARTS, total.at_ms, ends[-1])
        part = await anext(parts, None)
        while ends:
            if part is not None and part.before.version < total.version:
                part = await anext(parts, None)
            elif part is not None and part.before == total.place and part.after.at_ms < ends[0]:
                total.join(part)
            else:
                until = None if part is None else max(part.before.version, total.version)
                if part is not None and until == total.version:
                    until = part.after.version
                await self._read_on(total, ends[0], until)
                if until is None or total.version < until:
                    yield total.sum()
                    total = Summing(total.place, patrons=False)
                    ends.pop(0)

    async def steps(self, from_ms: int, to_ms: int) -> AsyncIterator[PeriodSum]:
        """The sums of a period by parts that follow each other: the kept ones, and what records give beside them."""
        rest = Summing(await self._beginning(from_ms), patrons=False)
        async for part in self._kept(PARTS, rest.at_ms, to_ms):
            if part.after.at_ms >= to_ms:
                break
            if part.before.version < rest.version:
                continue
            await self._read_on(rest, to_ms, part.before.version)
            if part.before == rest.place:
                if rest.records:
                    yield rest.sum()
                yield part
                rest = Summing(part.after, patrons=False)
        async for one in self._by_coups(rest, to_ms):
            yield one

    async def _by_coups(self, rest: Summing, to_ms: int) -> AsyncIterator[PeriodSum]:
        """What no part holds yet, in steps of a few coups."""
        async for record in self._journal.read(self._stream, rest.version, None):
            if crosses(record, to_ms):
                break
            await self.add(rest, record)
            if rest.coups >= STEP_COUPS:
                yield rest.sum()
                rest = Summing(rest.place, patrons=False)
        yield rest.sum()

    async def newest(self) -> SumPlace:
        """What is known of the table after its last record."""
        last = await self._latest(PARTS, ALWAYS_MS)
        total = Summing(last.after if last else START, patrons=False)
        await self._read_on(total, ALWAYS_MS, None)
        return total.place

    async def open_since_ms(self) -> int:
        """When the newest whole gaming day ends whose sum is kept: parts of later ones are not in any day."""
        last = await self._latest(DAYS, ALWAYS_MS)
        return 0 if last is None else last.after.at_ms

    async def place_by(self, from_ms: int) -> SumPlace:
        """A place before the first act at or after a moment, close to it where sums are kept."""
        kept = [await self._latest(kind, from_ms - 1) for kind in (DAYS, PARTS)] if from_ms > 0 else []
        places = [one.after if one.after.at_ms < from_ms else one.before for one in kept if one is not None]
        return max(places, key=lambda place: place.version, default=START)

    async def place_before(self, coup: int) -> SumPlace:
        """A place before the opening of a coup, close to it where sums are kept."""
        return await self._last_place(lambda place: place.coups < coup)

    async def place_up_to(self, version: int) -> SumPlace:
        """A place not behind a record, close to it where sums are kept."""
        return await self._last_place(lambda place: place.version <= version)

    async def _last_place(self, is_before: Callable[[SumPlace], bool]) -> SumPlace:
        place = START
        for kind in (DAYS, PARTS):
            async for one in self._read_kept(kind, place.at_ms, ALWAYS_MS):
                if not is_before(one.before):
                    break
                place = max(place, one.before, key=lambda one: one.version)
        return place

    async def missing(
        self,
        until: int | None = None,
        progress: OnProgress = ignore_progress,
        *,
        most: int | None = None,
        going_on: "UnderWay | None" = None,
    ) -> AsyncIterator[Derived]:
        """The sums that are complete by a record and not kept yet, in the order of the records.

        With `most`, so many records are read at most; `version` then says how far. With `going_on` the records behind
        it alone are read, and its watch takes them in the same pass; the watch at the end of the last part comes last.
        """
        cutter = await self.cutter() if going_on is None else going_on.cutter
        watch = None if going_on is None else going_on.watch
        end = until if until is not None else (await self._journal.head(self._stream)).version
        self.version = end if most is None else min(end, cutter.part.version + most)
        watched: Derived | None = None
        async for record in self._journal.read(self._stream, cutter.part.version, self.version):
            cut = list(cutter.before(record))
            if cut and watch is not None:
                watched = watch.kept(self._stream)
            await self.add(cutter.part, record)
            if watch is not None:
                watch.take(record, cutter.part.taken, cutter.part.reading)
            if complete := cutter.after():
                cut += complete
                watched = None if watch is None else watch.kept(self._stream)
                progress(self._stream, record.version, end)
            for one in cut:
                yield self._written(one)
        if watched is not None:
            yield watched

    async def kept_watch(self, version: int) -> bytes | None:
        """The watch that is kept as of a record."""
        found = await self._journal.derived(self._stream, WATCH)
        return None if found is None or found.version != version else found.value

    async def cutter(self) -> PartCutter:
        """Where the kept sums end: behind the last whole month, and the days and parts that follow it.

        Where a day or a month is complete and its sum is lost, all behind the last month is added up again.
        """
        last = await self._latest(MONTHS, ALWAYS_MS)
        begins = last.after if last else START
        cutter = PartCutter(begins)
        for kind, resume in ((DAYS, cutter.resume_day), (PARTS, cutter.resume)):
            async for one in self._kept(kind, cutter.part.at_ms, ALWAYS_MS):
                if one.before == cutter.part.place and not resume(one):
                    return PartCutter(begins)
        return cutter

    def _written(self, one: CutSum) -> Derived:
        return Derived(self._stream, one.name, one.sum.after.version, write_sum(one.sum))

    async def _beginning(self, from_ms: int) -> SumPlace:
        """Exactly before the first act at or after a moment."""
        before = Summing(await self.place_by(from_ms), patrons=False)
        if from_ms > 0:
            await self._read_on(before, from_ms, None)
        if before.before == START and not before.has_acts:  # An owner's own records belong to the act that follows.
            return START
        return before.place

    async def _by_kept(
        self, kinds: Sequence[str], total: Summing, to_ms: int, until: int | None, begin_by_ms: int
    ) -> None:
        """Go on by the kept sums of a kind, by smaller ones where none is kept, and by records in the end.

        No sum that begins behind `begin_by_ms` is of use before the record `until`, so none of them is read.
        """
        if total.version == until:
            return
        if not kinds:
            await self._read_on(total, to_ms, until)
            return
        kind, *smaller = kinds
        async for one in self._kept(kind, total.at_ms, begin_by_ms):
            if one.after.at_ms >= to_ms or (until is not None and one.before.version >= until):
                break
            if one.before.version >= total.version:
                await self._by_kept(smaller, total, to_ms, one.before.version, one.before.at_ms)
                if one.before == total.place:
                    total.join(one)
        await self._by_kept(smaller, total, to_ms, until, begin_by_ms)

    async def _read_on(self, total: Summing, to_ms: int, until: int | None) -> None:
        if total.version == until:
            return
        async for record in self._journal.read(self._stream, total.version, until):
            if crosses(record, to_ms):
                return
            await self.add(total, record)

    async def add(self, total: Summing, record: Record) -> None:
        """Add a record; the figures of coups that it corrects are read where they are not at hand."""
        missing = total.take(record)
        if not missing:
            return
        for coup in missing:
            total.remember(coup, await self._figures(coup, record.version))
        missing = total.take(record)
        assert not missing, f"the figures of coups {missing} are not on record"

    async def _figures(self, coup: int, version: int) -> CoupFigures:
        """The figures of a coup as it stood before a record."""
        place = await self.place_before(coup)
        search = CoupSearch(place, coup)
        async for record in self._journal.read(self._stream, place.version, version - 1):
            search.take(record)
        return search.found

    async def _kept(self, kind: str, from_ms: int, to_ms: int) -> AsyncIterator[PeriodSum]:
        if not self._from_records:
            async for one in self._read_kept(kind, from_ms, to_ms):
                yield one

    async def _read_kept(self, kind: str, from_ms: int, to_ms: int) -> AsyncIterator[PeriodSum]:
        """The kept sums that begin in a time, in the order of the records."""
        async for page in self._pages(name_at(kind, from_ms), name_at(kind, to_ms) + "~"):
            for value in page:
                one = read_sum(value.value)
                if one is not None:
                    yield one

    async def _latest(self, kind: str, by_ms: int) -> PeriodSum | None:
        """The last kept sum that begins by a time."""
        if self._from_records:
            return None
        newest = min(by_ms, await self.head_ms())
        for back_ms in _LOOK_BACK_MS:
            last: Derived | None = None
            names = name_at(kind, newest - back_ms), name_at(kind, by_ms) + "~"
            async for page in self._pages(*names):
                last = page[-1]
            if last is not None:
                return read_sum(last.value)
        return None

    async def _pages(self, first: str, last: str) -> AsyncIterator[Sequence[Derived]]:
        if self.is_damaged:
            return
        try:
            async for page in self._journal.derived_between(self._stream, first, last):
                yield page
        except Damaged:
            self.is_damaged = True

    async def head_ms(self) -> int:
        """The time of the newest record."""
        head = await self._journal.head(self._stream)
        record = await record_at(self._journal, self._stream, head.version)
        return record.entry.at_ms if record else 0


async def kept_sums(journal: ReadableJournal, stream: str, kind: str) -> AsyncIterator[Derived]:
    """All sums of a kind that a journal keeps of a stream."""
    async for page in journal.derived_between(stream, f"{kind}/", f"{kind}/~"):
        for value in page:
            yield value
