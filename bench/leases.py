"""Transactions a second that renew the leases of forty tables in one process; the baseline: each table for itself.

Each call that renews leases is a transaction of a PostgreSQL journal. The tables stand still, so that nothing else is
counted. Leases renewed a second are the same either way: every table gives two signs of life a second.
"""

import asyncio
import logging
import time
from collections.abc import Iterator, Sequence

import msgspec
import structlog

from sabot.cli.demo_table import configuration_of
from sabot.cli.stopwatch import Row, row
from sabot.floor.table_owner.errands import Backing
from sabot.journal.journal import Lease
from sabot.journal.memory import MemoryJournal
from sabot.rules import shipped
from sabot.runtime.floor import RunningFloor
from sabot.runtime.table_runner import TableBacking

TABLES, SETTLING_S, SECONDS = 40, 1.0, 4.0


class CountedJournal(MemoryJournal):
    transactions = 0
    renewed = 0

    async def renew_leases(self, leases: Sequence[Lease], ttl_ms: int) -> list[Lease]:
        self.transactions += 1
        self.renewed += len(leases)
        return await super().renew_leases(leases, ttl_ms)


class EachForItself(TableBacking, frozen=True, kw_only=True):
    async def renewed(self, lease: Lease) -> Lease | None:
        return await Backing.renewed(self, lease)


class Counted(msgspec.Struct, frozen=True):
    transactions: float
    renewed: float


def measure() -> Iterator[Row]:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    together, each = (asyncio.run(_counted(kind)) for kind in (TableBacking, EachForItself))
    yield row(f"lease_transactions_{TABLES}_tables", together.transactions, "transactions/s", each.transactions)
    yield row(f"leases_renewed_{TABLES}_tables", together.renewed, "leases/s", each.renewed)


async def _counted(kind: type[TableBacking]) -> Counted:
    journal = CountedJournal(_now)
    backing = kind(journal=journal, owner="bench", build="bench", now=_now, wall_ms=_now)
    rules = shipped.rule_set("crown-traditional")
    floor = RunningFloor(backing, [configuration_of(rules, 8, ["A1"], f"T{one}") for one in range(TABLES)], alone=True)
    await floor.start()
    await asyncio.sleep(SETTLING_S)
    journal.transactions = journal.renewed = 0
    await asyncio.sleep(SECONDS)
    found = Counted(journal.transactions / SECONDS, journal.renewed / SECONDS)
    await floor.stop()
    return found


def _now() -> int:
    return time.monotonic_ns() // 1_000_000
