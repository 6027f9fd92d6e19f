"""The process that makes reports: it reads the journal, and answers one ask after another on its standard output.

It shares nothing with the process that serves the tables but the journal, which it only reads. It gives way to others,
has a bound on its memory, and ends when its input does.
"""

import asyncio
import gc
import os
import resource
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Any, BinaryIO

import msgspec

from sabot.audit.curves import Gaming, floor_curves, table_day
from sabot.audit.excerpt import ExcerptLine, check_code, check_there, excerpt, facts_of
from sabot.audit.gaming_days import day_of, gaming_day
from sabot.audit.kept_sums import SumReader
from sabot.audit.not_there import NotThere
from sabot.audit.outbox import OutboxEnd, OutboxLine, meters_of, outbox, read_cursor
from sabot.audit.patron_days import PatronsTold
from sabot.audit.patron_play import patrons_told, played_by_patrons
from sabot.audit.record_story import tell
from sabot.audit.stats import stats
from sabot.audit.table_report import table_report
from sabot.basics.mistake import Mistake
from sabot.floor.records.record_codec import HOUSE, table_stream
from sabot.floor.records.recovery import recover_table
from sabot.journal.journal import Damaged, ReadableJournal, Unusable
from sabot.journal.opening import open_to_read
from sabot.table.state import Unconfigured
from sabot.views.console import console_view
from sabot.views.floor import table_line
from sabot.views.floor_map import map_table
from sabot.views.public import public_view
from sabot.views.reports import Heading
from sabot.views.scorecard import Scorecard
from sabot.web.reports.asks import (
    LENGTH_BYTES,
    AddUpFigures,
    AddUpSums,
    DrawCurves,
    Failed,
    LookUpRecords,
    Made,
    MakeFloorReport,
    MakeReport,
    Mistaken,
    OutboxTold,
    PatronsShown,
    RecordTold,
    ReportAnswer,
    ReportAsk,
    ShowIntegrity,
    ShowPatrons,
    ShowTable,
    TellOutbox,
    framed,
    read_ask,
    read_hello,
)
from sabot.web.reports.files import file_of
from sabot.web.reports.floor_reports import report_over
from sabot.web.reports.report_words import ReportWords
from sabot.web.reports.watches import WatchesUnderWay

NICENESS = 10
"""Tables are served before reports are made."""


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The floor that started it ends it.
    os.nice(NICENESS)
    asks, answers = sys.stdin.buffer, sys.stdout.buffer
    said = _read(asks)
    if not said:  # The floor ended before it said anything.
        return
    hello = read_hello(said)
    resource.setrlimit(resource.RLIMIT_DATA, (hello.most_memory, hello.most_memory))
    try:
        while written := _read(asks):
            ask = read_ask(written)
            answers.write(framed(answered(hello.address, ask)))
            answers.flush()
            if not isinstance(ask, AddUpSums):  # They come every few seconds and leave little behind.
                gc.collect()
    except BrokenPipeError:  # The floor has ended, and nobody waits for the answer any more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), answers.fileno())  # The interpreter flushes it once more.


def _read(pipe: BinaryIO) -> bytes:
    length = pipe.read(LENGTH_BYTES)
    return pipe.read(int.from_bytes(length, "big")) if len(length) == LENGTH_BYTES else b""


def answered(address: str, ask: ReportAsk) -> ReportAnswer:
    """The answer to one ask; the journal is opened and closed for it."""

    async def answering() -> ReportAnswer:
        journal = await open_to_read(address)
        try:
            return await _ANSWERS[type(ask)](journal, ask)
        finally:
            await journal.close()

    try:
        return asyncio.run(answering())
    except NotThere as missing:
        return Mistaken(str(missing), missing.what.name, missing.values)
    except Mistake as mistake:
        return Mistaken(str(mistake))
    except (Damaged, Unusable, OSError, MemoryError) as error:
        return Failed(str(error) or type(error).__name__)


async def _report(journal: ReadableJournal, ask: MakeReport) -> ReportAnswer:
    stream = table_stream(ask.table)
    _, signed_to = await journal.vouched(stream)
    reader = SumReader(journal, stream)
    period = await reader.between(ask.from_ms, ask.to_ms)
    heading = Heading(f"Table {ask.table}", ask.program, ask.from_ms, ask.to_ms, ask.made_ms)
    damaged = (ask.table,) if reader.is_damaged else ()
    return Made(_json(table_report(heading, ask.table, period, signed_to)), damaged)


async def _floor_report(journal: ReadableJournal, ask: MakeFloorReport) -> ReportAnswer:
    made, damaged = await report_over(journal, ask.report, ask.head, ask.tables, ask.shifts)
    if ask.form == "json":
        return Made(_json(made), damaged)
    return Made(file_of(made, ask.form, ReportWords(ask.language)), damaged)


async def _curves(journal: ReadableJournal, ask: DrawCurves) -> ReportAnswer:
    day = ask.day or day_of(ask.now_ms, ask.time_zone, ask.starts)
    gaming = Gaming(day, *gaming_day(day, ask.time_zone, ask.starts), ask.time_zone, ask.now_ms)
    readers = {table: SumReader(journal, table_stream(table)) for table in ask.tables}
    days = [await table_day(reader, table, gaming) for table, reader in readers.items()]
    damaged = tuple(table for table, reader in readers.items() if reader.is_damaged)
    return Made(_json(floor_curves(gaming, ask.table, days)), damaged)


async def _figures(journal: ReadableJournal, ask: AddUpFigures) -> ReportAnswer:
    check_there(await facts_of(journal, ask.table), ask.table, ask.wanted)
    return Made(_json(await stats(journal, table_stream(ask.table), ask.wanted)))


async def _records(journal: ReadableJournal, ask: LookUpRecords) -> ReportAnswer:
    if ask.table:
        check_there(await facts_of(journal, ask.table), ask.table, ask.wanted)
    else:
        check_code(ask.wanted)
    told: list[RecordTold] = []
    async for line in excerpt(journal, table_stream(ask.table) if ask.table else HOUSE, ask.wanted):
        told.append(_told(line, ask.wanted.station))
        if len(told) >= ask.limit:
            break
    return Made(_json(told))


async def _shown(journal: ReadableJournal, ask: ShowTable) -> ReportAnswer:
    stream = table_stream(ask.table)
    found = await recover_table(journal, stream)
    state = found.state
    if ask.show == "meters":
        return Made(_json(meters_of(stream, found.head.version, state)))
    if isinstance(state, Unconfigured):
        return Made(_json(None))
    if ask.show == "line":
        return Made(_json(table_line(ask.table, state)))
    if ask.show == "map":
        return Made(_json(map_table(ask.table, found.head.version, state)))
    return Made(_json(console_view(public_view(state, Scorecard.of(state), ask.at_ms))))


async def _outbox(journal: ReadableJournal, ask: TellOutbox) -> ReportAnswer:
    lines = list[OutboxLine]()
    async for line in outbox(journal, ask.cursor, ask.limit):
        if isinstance(line, OutboxEnd):
            patrons = await _patrons_behind(journal, ask, lines, line) if ask.patrons is not None else []
            return OutboxTold(b"".join(_line(one) + b"\n" for one in (*lines, *patrons)), line)
        lines.append(line)
    raise AssertionError("the outbox ends with its cursor")


async def _patrons_behind(
    journal: ReadableJournal, ask: TellOutbox, lines: list[OutboxLine], end: OutboxEnd
) -> list[PatronsTold]:
    assert ask.patrons is not None
    before = read_cursor(ask.cursor)
    moved = [stream for stream, at in read_cursor(end.cursor).items() if at > before.get(stream, 0)]
    return await patrons_told(journal, moved, lines, ask.patrons)


async def _patrons(journal: ReadableJournal, ask: ShowPatrons) -> ReportAnswer:
    streams = [table_stream(table) for table in ask.tables]
    behind = [
        one for one in await played_by_patrons(journal, streams, ask.from_ms, ask.to_ms) if one.patron > ask.after
    ]
    page = tuple(behind[: ask.limit])
    after = page[-1].patron if page else ask.after
    more = len(behind) > len(page)
    return Made(_json(PatronsShown(from_ms=ask.from_ms, to_ms=ask.to_ms, patrons=page, after=after, more=more)))


def _told(line: ExcerptLine, station: str | None) -> RecordTold:
    return RecordTold(line.version, line.epoch, line.coup, line.hash, tell(line, station))


_json = msgspec.json.encode
_line = msgspec.json.Encoder(enc_hook=str).encode
_WATCHES = WatchesUnderWay()
_ANSWERS: dict[type, Callable[[ReadableJournal, Any], Awaitable[ReportAnswer]]] = {
    MakeReport: _report,
    MakeFloorReport: _floor_report,
    AddUpFigures: _figures,
    LookUpRecords: _records,
    AddUpSums: _WATCHES.add_up,
    ShowTable: _shown,
    ShowIntegrity: _WATCHES.show,
    DrawCurves: _curves,
    ShowPatrons: _patrons,
    TellOutbox: _outbox,
}

if __name__ == "__main__":
    main()
