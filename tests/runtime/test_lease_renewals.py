"""A process renews the leases of its tables with one transaction, and each table hears of its own."""

import asyncio
from collections.abc import Sequence

import msgspec
import pytest

from sabot.journal.journal import Lease, Unusable
from sabot.journal.memory import MemoryJournal
from sabot.runtime.lease_renewals import LeaseRenewals
from tests.runtime.floors import monotonic_ms, running, table_for, until

TTL = 60_000


class CountingJournal(MemoryJournal):
    """Counts what would be a transaction each, and does not answer when it is told so."""

    def __init__(self) -> None:
        super().__init__(monotonic_ms)
        self.renewals: list[int] = []
        self.silent: set[int] = set()
        self.broken = False

    async def renew_leases(self, leases: Sequence[Lease], ttl_ms: int) -> list[Lease]:
        self.renewals.append(len(leases))
        if len(self.renewals) in self.silent:
            await asyncio.Event().wait()
        if self.broken:
            raise Unusable("the server cannot be reached")
        return await super().renew_leases(leases, ttl_ms)

    async def leases(self, *streams: str) -> list[Lease]:
        taken = [await self.acquire_lease(stream, "east", TTL) for stream in streams]
        return [lease for lease in taken if lease is not None]


def test_a_process_renews_the_leases_of_all_its_tables_at_once() -> None:
    async def test() -> None:
        journal, tables = CountingJournal(), [table_for(name=f"T{number}") for number in range(1, 13)]
        async with running(journal, *tables):
            await until(lambda: sum(journal.renewals) >= 12 * 3)
        assert len(journal.renewals) <= 6
        assert max(journal.renewals) == 12

    asyncio.run(test())


def test_a_lost_lease_is_told_to_its_table_alone() -> None:
    async def test() -> None:
        journal, renewals = CountingJournal(), LeaseRenewals()
        held = await journal.leases("table/T1", "table/T2", "table/T3")
        await journal.release_lease(held[1])
        assert await journal.acquire_lease("table/T2", "west", TTL) is not None
        renewed = await asyncio.gather(*(renewals.renew(journal, lease, TTL) for lease in held))
        assert journal.renewals == [3]
        assert [one and (one.stream, one.epoch) for one in renewed] == [("table/T1", 1), None, ("table/T3", 1)]
        again = msgspec.structs.replace(held[1], epoch=2, owner="west")
        both = await asyncio.gather(renewals.renew(journal, held[1], TTL), renewals.renew(journal, again, TTL))
        assert [one and one.owner for one in both] == [None, "west"]

    asyncio.run(test())


def test_what_goes_wrong_is_told_to_everybody_who_asked() -> None:
    async def test() -> None:
        journal, renewals = CountingJournal(), LeaseRenewals()
        held = await journal.leases("table/T1", "table/T2")
        journal.broken = True
        told = await asyncio.gather(*(renewals.renew(journal, one, TTL) for one in held), return_exceptions=True)
        assert [str(one) for one in told] == ["the server cannot be reached"] * 2
        journal.broken = False
        assert await renewals.renew(journal, held[0], TTL) is not None

    asyncio.run(test())


def test_an_answer_that_never_comes_holds_up_no_later_renewal() -> None:
    async def test() -> None:
        journal, renewals = CountingJournal(), LeaseRenewals()
        [held] = await journal.leases("table/T1")
        journal.silent = {1}
        stuck = asyncio.create_task(renewals.renew(journal, held, TTL))
        await until(lambda: journal.renewals)
        assert await renewals.renew(journal, held, TTL) is not None
        stuck.cancel()
        with pytest.raises(asyncio.CancelledError):
            await stuck

    asyncio.run(test())
