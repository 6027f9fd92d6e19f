"""Makes a report over the tables of a floor from the sums that a journal keeps of them."""

from collections.abc import Sequence

from sabot.audit.gaming_days import shifts_between
from sabot.audit.kept_sums import SumReader
from sabot.audit.patron_lines import PatronLines
from sabot.audit.table_report import shift_report, table_report
from sabot.basics.mistake import Mistake
from sabot.floor.records.record_codec import table_stream
from sabot.journal.journal import ReadableJournal
from sabot.views.report_sheets import FloorFigures, FloorShift, floor_report
from sabot.views.reports import Heading, TableReport
from sabot.views.sheets import FloorReport, ReportHead

Span = tuple[int, int]
"""The start and end of a shift."""
SHIFTS = "shifts"
"""The report with a row for each shift."""
MOST_DAYS = 31
_DAY_MS = 86_400_000


async def report_over(
    journal: ReadableJournal, code: str, head: ReportHead, tables: Sequence[str], shifts: Sequence[Span] = ()
) -> tuple[FloorReport, tuple[str, ...]]:
    """The report, and the tables with a kept sum that could not be read."""
    made, patrons = list[TableReport](), PatronLines()
    readers = {table: SumReader(journal, table_stream(table), patrons=code == "patrons") for table in tables}
    for table, reader in readers.items():
        _, signed_to = await journal.vouched(table_stream(table))
        period = await reader.between(head.from_ms, head.to_ms)
        heading = Heading(f"Table {table}", head.program, head.from_ms, head.to_ms, head.made_ms)
        made.append(table_report(heading, table, period, signed_to, patrons))
    by_shift = await _by_shift(readers, shifts) if shifts else ()
    damaged = tuple(table for table, reader in readers.items() if reader.is_damaged)
    return floor_report(code, head, FloorFigures(made, patrons.lines(), by_shift)), damaged


async def _by_shift(readers: dict[str, SumReader], shifts: Sequence[Span]) -> list[FloorShift]:
    """The figures of shifts that follow each other."""
    of_tables = []
    for table, reader in readers.items():
        sums = reader.each(shifts[0][0], [ends for _, ends in shifts])
        of_tables.append([shift_report(table, one) async for one in sums])
    return [FloorShift(begins, ends, figures) for (begins, ends), *figures in zip(shifts, *of_tables, strict=True)]


def shifts_of(code: str, head: ReportHead, shifts: Sequence[str], starts: str) -> tuple[Span, ...]:
    """The shifts that a report has a row for: those of its period that have begun."""
    if code != SHIFTS:
        return ()
    to_ms = min(head.to_ms, head.made_ms)
    if to_ms - head.from_ms > (MOST_DAYS + 1) * _DAY_MS:
        raise Mistake(f"a report by shifts covers at most {MOST_DAYS} days: give a shorter period")
    return tuple(shifts_between(head.from_ms, to_ms, shifts, head.time_zone, starts))
