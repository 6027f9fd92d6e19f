"""How patrons who gave a reference have played, for a loyalty system: from the sums of periods, table by table.

Turnover by bet times the exact edge of the bet is the theoretical win; time is the time for which the patron had a
station. The figures of a period are totals, so told again they replace what was told before.
"""

from collections.abc import Iterable, Iterator, Sequence

from sabot.audit.gaming_days import day_of, gaming_day
from sabot.audit.kept_sums import SumReader
from sabot.audit.outbox import OutboxLine
from sabot.audit.patron_days import DayClock, PatronsTold
from sabot.audit.patron_lines import PatronLines
from sabot.audit.theory import Theory
from sabot.floor.records.record_codec import table_of
from sabot.journal.journal import ReadableJournal
from sabot.table.events import GamingDayEnded
from sabot.views.reports import PatronLine


async def played_by_patrons(
    journal: ReadableJournal, streams: Iterable[str], from_ms: int, to_ms: int
) -> tuple[PatronLine, ...]:
    """By reference, over these tables together."""
    lines = PatronLines()
    for stream in streams:
        one = await SumReader(journal, stream, patrons=True).between(from_ms, to_ms)
        lines.add(one, Theory(one.terms))
    return lines.lines()


async def patrons_told(
    journal: ReadableJournal, moved: Iterable[str], lines: Sequence[OutboxLine], clock: DayClock
) -> list[PatronsTold]:
    """For each table that moved, every gaming day that its lines belong to or end, and the day that it is now."""
    today, told = day_of(clock.now_ms, clock.time_zone, clock.starts), list[PatronsTold]()
    for stream in (one for one in moved if table_of(one)):
        own = [line for line in lines if line.stream == stream]
        for day in sorted({today, *(day for line in own for day in _days(line, clock))}):
            from_ms, to_ms = gaming_day(day, clock.time_zone, clock.starts)
            played = await played_by_patrons(journal, (stream,), from_ms, to_ms)
            if played:
                told.append(PatronsTold(stream, day, to_ms <= clock.now_ms, from_ms, to_ms, played))
    return told


def _days(line: OutboxLine, clock: DayClock) -> Iterator[str]:
    yield day_of(line.at_ms, clock.time_zone, clock.starts)
    yield from (event.date for event in line.events if isinstance(event, GamingDayEnded))
