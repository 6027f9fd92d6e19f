"""Makes a report over the tables of a floor from the sums that a journal keeps of them."""

from collections.abc import Sequence

from sabot.audit.kept_sums import SumReader
from sabot.audit.patron_lines import PatronLines
from sabot.audit.table_report import table_report
from sabot.floor.records.record_codec import table_stream
from sabot.journal.journal import ReadableJournal
from sabot.views.report_sheets import FloorFigures, floor_report
from sabot.views.reports import Heading
from sabot.views.sheets import FloorReport, ReportHead


async def report_over(
    journal: ReadableJournal, code: str, head: ReportHead, tables: Sequence[str]
) -> tuple[FloorReport, tuple[str, ...]]:
    """The report, and the tables with a kept sum that could not be read."""
    made, damaged, patrons = [], [], PatronLines()
    for table in tables:
        stream = table_stream(table)
        _, signed_to = await journal.vouched(stream)
        reader = SumReader(journal, stream, patrons=code == "patrons")
        period = await reader.between(head.from_ms, head.to_ms)
        heading = Heading(f"Table {table}", head.program, head.from_ms, head.to_ms, head.made_ms)
        made.append(table_report(heading, table, period, signed_to, patrons))
        if reader.is_damaged:
            damaged.append(table)
    return floor_report(code, head, FloorFigures(made, patrons.lines())), tuple(damaged)
