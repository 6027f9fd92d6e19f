"""Sums and watch of a table that are gone on with as records come."""

from typing import NamedTuple

from sabot.audit.kept_sums import SumReader
from sabot.audit.part_cutter import PartCutter
from sabot.audit.watching import RecordWatch, read_watch


class UnderWay(NamedTuple):
    cutter: PartCutter
    watch: RecordWatch


async def under_way(reader: SumReader, table: str) -> UnderWay:
    """Behind the last part that is kept, with its watch; where no watch is kept of that place, it begins there."""
    cutter = await reader.cutter()
    written = await reader.kept_watch(cutter.part.version)
    kept = None if written is None else read_watch(written)
    return UnderWay(cutter, RecordWatch(table, kept, cutter.part.reading))
