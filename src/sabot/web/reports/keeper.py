"""Keeps the sums of the tables that this process serves, and goes on with the watch of their integrity.

The records are read by the process that makes reports, so that it costs the tables one write for every part. What was
not kept, because the floor was stopped or the sums had an older form, is made up for when the table is served.
"""

import asyncio
from collections.abc import Iterable

import structlog

from sabot.audit.watching import LightAlarm
from sabot.basics.bounds import MOST_COUNTED
from sabot.basics.stamp import clock_stamp
from sabot.floor.records.record_codec import table_stream
from sabot.floor.table_owner.term import Term
from sabot.house.acts import RaiseLight
from sabot.house.state import light_key
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
        self._seen: dict[str, tuple[int, bool]] = {}
        """Where each table stood when it was looked at: its newest coup, and whether that was over."""
        self._kept: dict[str, int] = {}
        """The version of the newest value that was kept of each table."""
        self._told: set[tuple[str, int]] = set()
        """Alarms that the house was told, with the ends of their gaming days."""

    async def keep_for_ever(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            await self.keep_due()

    async def keep_due(self) -> None:
        """Go on with all tables that have a coup more."""
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
        term = table.term
        return term is not None and (_standing(term) != self._seen.get(table.name) or table.name in self._desk.damaged)

    async def _keep(self, table: RunningTable) -> None:
        assert table.term is not None
        standing, journal = _standing(table.term), self._floor.backing.journal
        if table.name in self._desk.damaged:
            await self._drop(table)
        while True:
            answer = await self._desk.answer(AddUpSums(table.name, AT_ONCE, self._kept.get(table.name)))
            if not isinstance(answer, AddedUp):
                log.warning("sums were not kept", table=table.name, why=getattr(answer, "why", ""))
                return
            if answer.is_damaged:
                await self._drop(table)
                return  # They are added up from the start when the tables are looked at next.
            if answer.values:
                await journal.keep(answer.values)
            kept = self._kept.get(table.name, 0)
            self._kept[table.name] = max([one.version for one in answer.values], default=kept)
            await self._raise(answer.alarms)
            if answer.is_all:
                self._seen[table.name] = standing
                self._desk.raised[table.name] = answer.raised
                return

    async def _raise(self, alarms: Iterable[LightAlarm]) -> None:
        """Have the house put alarms on record; it does so once for each gaming day of the table (G-232)."""
        for light, ends_ms in ((one.light, one.day_ends_ms) for one in alarms):
            known = light_key(light.table, light.kind, light.subject), ends_ms
            if known in self._told:
                continue
            act = RaiseLight(
                table=light.table,
                kind=light.kind.value,
                subject=light.subject,
                evidence=int(min(light.evidence, MOST_COUNTED)),
                coups=light.coups,
                day_ends_ms=ends_ms,
            )
            await self._floor.house.ask(act, clock_stamp())
            self._told.add(known)

    async def _drop(self, table: RunningTable) -> None:
        """Drop sums that cannot be read."""
        await self._floor.backing.journal.drop_derived(table_stream(table.name))
        self._seen.pop(table.name, None)
        self._kept.pop(table.name, None)
        self._desk.damaged.discard(table.name)
        log.warning("kept sums were damaged and are added up again", table=table.name)


def _standing(term: Term) -> tuple[int, bool]:
    return term.state.coups, term.state.coup is None
