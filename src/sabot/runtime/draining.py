"""Draining: the tables of a process go to another one, or come to rest, each between two coups.

Nobody is logged out and no coup is void: what is under way is played to its end here, the next coup is opened there.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec
import structlog

from sabot.floor.records.record_codec import table_stream
from sabot.journal.journal import Unusable
from sabot.runtime.floor import RunningFloor
from sabot.runtime.table_runner import RunningTable

log = structlog.get_logger(__name__)

TAKEN_WITHIN_S = 15.0
"""How long another process may take to take a table, before the next one is drained all the same."""
LOOK_S = 0.05

DrainStep = Literal["not_here", "waits", "released", "taken", "not_taken", "too_late"]


class DrainedTable(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far one table is."""

    table: str
    step: DrainStep
    coup: int = 0
    """The coup whose end is waited for."""
    owner: str = ""
    """Who has taken it, or has it anyway."""


class Drain(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for."""

    tables: tuple[str, ...] = ()
    """All that this process serves, unless named; then the process ends."""
    to: str = ""
    at_once: bool = False
    """Whether all tables are drained together. Otherwise each waits until the one before it was taken."""
    within_s: float | None = None
    """How long the end of a coup is waited for."""

    @property
    def is_whole(self) -> bool:
        return not self.tables


OnDrained = Callable[[DrainedTable], None]


async def drain(floor: RunningFloor, asked: Drain, by: str, tell: OnDrained) -> bool:
    """Drain these tables; whether all of them have left."""
    names = asked.tables or tuple(floor.tables)
    together = asked.at_once or not floor.is_shared
    if together:
        left = await asyncio.gather(*(_drain_one(floor, name, asked, by, tell) for name in names))
    else:
        left = [await _drain_one(floor, name, asked, by, tell) for name in names]
    if asked.is_whole and not all(left):
        for table in floor.tables.values():  # The process stays, and so does its right to every table.
            table.start()
    return all(left)


async def _drain_one(floor: RunningFloor, name: str, asked: Drain, by: str, tell: OnDrained) -> bool:
    table = floor.tables[name]
    if table.term is None:
        await table.hand_over(asked.to, by, for_good=asked.is_whole)
        tell(DrainedTable(name, "not_here", owner=table.holder))
        return True
    coup = table.term.state.coup
    tell(DrainedTable(name, "waits", 0 if coup is None else coup.number))
    try:
        async with asyncio.timeout(asked.within_s):
            await table.hand_over(asked.to, by, for_good=asked.is_whole)
    except TimeoutError:
        tell(DrainedTable(name, "too_late", 0 if coup is None else coup.number))
        return False
    log.info("a table was handed over", table=name, to=asked.to, by=by)
    tell(DrainedTable(name, "released"))
    if floor.is_shared and not asked.at_once:
        owner = await _taken_by(floor, table)
        tell(DrainedTable(name, "taken" if owner else "not_taken", owner=owner))
    return True


async def _taken_by(floor: RunningFloor, table: RunningTable) -> str:
    """Who has taken it; nobody where it takes too long."""
    journal, own = floor.backing.journal, floor.backing.owner
    try:
        async with asyncio.timeout(TAKEN_WITHIN_S):
            while True:
                try:
                    lease = await journal.lease(table_stream(table.name))
                except Unusable:
                    lease = None
                if lease is not None and lease.owner != own:
                    return lease.owner
                await asyncio.sleep(LOOK_S)
    except TimeoutError:
        return ""


def unknown_tables(floor: RunningFloor, names: Sequence[str]) -> list[str]:
    return [name for name in names if name not in floor.tables]
