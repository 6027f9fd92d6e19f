"""Keeps the sums of the tables that this process serves, as they happen.

The records are added up by the process that makes reports, so that it costs the tables one write for every part. What
was not kept, because the floor was stopped or the sums had an older form, is made up for when the table is served.
"""

import asyncio

import structlog

from sabot.audit.part_cutter import PART_COUPS
from sabot.floor.records.record_codec import table_stream
from sabot.runtime.floor import RunningFloor
from sabot.runtime.table_runner import RunningTable
from sabot.web.http.refusal import Refusal
from sabot.web.reports.asks import AddedUp, AddUpSums
from sabot.web.reports.desk import ReportDesk

log = structlog.get_logger(__name__)

LOOK_EVERY_S = 5.0
AT_ONCE = 50_000
"""Records that are added up for one ask, so that a report need not wait long."""


class SumKeeper:
    def __init__(self, floor: RunningFloor, desk: ReportDesk) -> None:
        self._floor, self._desk = floor, desk
        self._kept_to: dict[str, int] = {}
        """The coup up to which each table's sums were looked at."""

    async def keep_for_ever(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            await self.keep_due()

    async def keep_due(self) -> None:
        """Keep the sums of all tables that may have a part more."""
        for table in self._floor.tables.values():
            if self._is_due(table):
                try:
                    await self._keep(table)
                except asyncio.CancelledError:
                    raise
                except Refusal as no:
                    log.warning("sums were not kept", table=table.name, why=no.text)
                except Exception:
                    log.exception("sums were not kept", table=table.name)

    def _is_due(self, table: RunningTable) -> bool:
        term, kept = table.term, self._kept_to.get(table.name)
        is_due = kept is None or table.name in self._desk.damaged
        return term is not None and (is_due or term.state.coups >= (kept or 0) + PART_COUPS)

    async def _keep(self, table: RunningTable) -> None:
        assert table.term is not None
        coups, journal = table.term.state.coups, self._floor.backing.journal
        if table.name in self._desk.damaged:
            await self._drop(table)
        while True:
            answer = await self._desk.answer(AddUpSums(table.name, AT_ONCE))
            if not isinstance(answer, AddedUp):
                log.warning("sums were not kept", table=table.name, why=getattr(answer, "why", ""))
                return
            if answer.is_damaged:
                await self._drop(table)
                return  # They are added up from the start when the tables are looked at next.
            if answer.values:
                await journal.keep(answer.values)
            if answer.is_all:
                self._kept_to[table.name] = coups
                return

    async def _drop(self, table: RunningTable) -> None:
        """Drop sums that cannot be read."""
        await self._floor.backing.journal.drop_derived(table_stream(table.name))
        self._kept_to.pop(table.name, None)
        self._desk.damaged.discard(table.name)
        log.warning("kept sums were damaged and are added up again", table=table.name)
