"""The report of a table over a period, folded from its records while the tables go on."""

import asyncio

import msgspec

from sabot.audit.excerpt import Wanted
from sabot.floor.records.record_codec import read_answer, read_events, table_stream
from sabot.floor.records.recovery import after_record
from sabot.journal.journal import ReadableJournal
from sabot.table.state import TableState
from sabot.views.reports import (
    BetLine,
    Heading,
    PutRightLine,
    Recorded,
    ShiftReport,
    bets_report,
    put_right,
    shift_report,
)

BREATH = 100
"""Records between two moments in which a waiting touch gets its turn."""


class TableReport(msgspec.Struct, frozen=True):
    heading: Heading
    as_of: int
    """The newest record that was taken in."""
    shift: ShiftReport
    bets: tuple[BetLine, ...]
    put_right: tuple[PutRightLine, ...]


async def table_report(journal: ReadableJournal, table: str, wanted: Wanted, build: str, now_ms: int) -> TableReport:
    """What a table's records say of a period: without a beginning from the first record, without an end to the last."""
    since, until = wanted.from_ms or 0, now_ms if wanted.to_ms is None else wanted.to_ms
    before, after, version = TableState(), TableState(), 0
    records: list[Recorded] = []
    async for record in journal.read(table_stream(table)):
        at_ms, version = record.entry.at_ms, record.version
        if at_ms >= until:
            break
        after = after_record(after, record)
        if at_ms < since:
            before = after
        else:
            accepted = read_answer(record.entry).accepted
            records.append(Recorded(at_ms, () if accepted is msgspec.UNSET else read_events(accepted)))
        if version % BREATH == 0:
            await asyncio.sleep(0)
    return TableReport(
        Heading(f"Table {table}", build, since, until, now_ms),
        version,
        shift_report(table, records, after, before),
        bets_report(one for one in after.played if one.coup > before.coups),
        put_right(records),
    )
