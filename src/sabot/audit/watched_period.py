"""The watch of a table over a period, from its records."""

from sabot.audit.chain import OnProgress
from sabot.audit.kept_sums import SumReader, ignore_progress
from sabot.audit.part_cutter import crosses
from sabot.audit.summing import Summing
from sabot.audit.watching import RecordWatch
from sabot.floor.records.record_codec import table_stream
from sabot.integrity.watch import TableWatch
from sabot.journal.journal import ReadableJournal

SHOE_MS = 6 * 3_600_000
"""Records so long before a period are read as well, so that the shoe that it begins in is known."""
TOLD_EVERY = 1_000


async def watched_period(
    journal: ReadableJournal, table: str, from_ms: int, to_ms: int, progress: OnProgress = ignore_progress
) -> TableWatch:
    """All detectors after the acts of a period; what they knew before it is left aside."""
    stream = table_stream(table)
    reader, end = SumReader(journal, stream), (await journal.head(stream)).version
    total = Summing(await reader.place_by(from_ms - SHOE_MS), patrons=False)
    watch, first = RecordWatch(table, None, total.reading, since_ms=from_ms), total.version
    async for record in journal.read(stream, total.version, end):
        if crosses(record, to_ms):
            break
        await reader.add(total, record)
        watch.take(record, total.taken, total.reading)
        if record.version % TOLD_EVERY == 0:
            progress(stream, record.version - first, end - first)
    return watch.table
