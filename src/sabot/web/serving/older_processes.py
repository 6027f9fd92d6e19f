"""Waiting at the start for processes of an older form of records: the house is one stream, and they could not read on.

A process that writes a newer form would end every process of an older one in the middle of its coups. So it writes
nothing as long as one of them holds a table.
"""

import asyncio
from collections.abc import Callable, Sequence

import structlog

from sabot.floor.records.record_codec import table_stream
from sabot.journal.journal import ReadableJournal, record_at
from sabot.journal.record import FORMAT

log = structlog.get_logger(__name__)

LOOK_S = 0.5


async def older_process(journal: ReadableJournal, tables: Sequence[str], now_ms: int) -> str:
    """A process of an older form that holds a table now, or nothing."""
    for table in tables:
        stream = table_stream(table)
        lease = await journal.lease(stream)
        if lease is None or lease.has_expired(now_ms):
            continue
        last = (await journal.head(stream)).version
        record = await record_at(journal, stream, last)  # None where a process has taken a new table this moment.
        if record is not None and record.form < FORMAT:
            return lease.owner
    return ""


async def until_older_have_left(
    journal: ReadableJournal, tables: Sequence[str], wall_ms: Callable[[], int], look_s: float = LOOK_S
) -> None:
    told = ""
    while owner := await older_process(journal, tables, wall_ms()):
        if owner != told:
            told = owner
            log.warning("waits for a process whose records have an older form: drain it", owner=owner)
        await asyncio.sleep(look_s)
