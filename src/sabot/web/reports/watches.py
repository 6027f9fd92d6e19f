"""Sums and watches of tables that the process which makes reports goes on with as records come.

Each record is read once: it is added to the sums, and the watch takes it. What is complete is handed over to be kept.
Should the floor not have kept it, or should this process have begun anew, all goes on from what the journal keeps.
"""

import msgspec

from sabot.audit.kept_sums import SumReader
from sabot.audit.under_way import UnderWay, under_way
from sabot.floor.records.record_codec import table_stream
from sabot.journal.journal import Derived, ReadableJournal
from sabot.web.reports.asks import AddedUp, AddUpSums, Made, ShowIntegrity


class WatchesUnderWay:
    def __init__(self) -> None:
        self._tables: dict[str, tuple[UnderWay, int]] = {}
        """By table, with the version of the newest value that was handed over."""
        self._elsewhere: dict[str, UnderWay] = {}
        """Tables that were asked for and that are not added up here."""

    async def add_up(self, journal: ReadableJournal, ask: AddUpSums) -> AddedUp:
        stream = table_stream(ask.table)
        self._elsewhere.pop(ask.table, None)
        reader, end = SumReader(journal, stream), (await journal.head(stream)).version
        going_on, handed = self._tables.pop(ask.table, (None, 0))
        if going_on is None or handed != ask.kept or going_on.watch.version > end:
            going_on, handed = await under_way(reader, ask.table), ask.kept or 0
        found: list[Derived] = [one async for one in reader.missing(end, most=ask.records, going_on=going_on)]
        if not reader.is_damaged:
            handed = max([one.version for one in found], default=handed)
            self._tables[ask.table] = going_on, handed
        raised = tuple(going_on.watch.table.raised())
        return AddedUp(tuple(found), reader.version == end, reader.is_damaged, raised, going_on.watch.take_alarms())

    async def show(self, journal: ReadableJournal, ask: ShowIntegrity) -> Made:
        """As it was added up last; of a table that is not added up here, as its records stand."""
        if ask.elsewhere:
            self._tables.pop(ask.table, None)
        known = self._tables.get(ask.table)
        watch = (await self._followed(journal, ask.table) if known is None else known[0]).watch.table
        return Made(msgspec.json.encode(watch.raised() if ask.raised else watch.lights()))

    async def _followed(self, journal: ReadableJournal, table: str) -> UnderWay:
        """Go on with a table from where it was looked at last, or else from what is kept."""
        reader, end = SumReader(journal, table_stream(table)), (await journal.head(table_stream(table))).version
        going_on = self._elsewhere.pop(table, None)
        if going_on is None or going_on.watch.version > end:
            going_on = await under_way(reader, table)
        async for _ in reader.missing(end, going_on=going_on):
            pass
        if not reader.is_damaged:
            self._elsewhere[table] = going_on
        return going_on
