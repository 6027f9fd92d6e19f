"""What every journal must keep of leases."""

import asyncio

from sabot.journal.journal import Journal
from tests.journal.opened_journal import OpenedJournal
from tests.journal.samples import TTL, acquired


class LeaseContract(OpenedJournal):
    def test_a_lease_is_refused_to_everybody_while_it_is_held(self) -> None:
        async def test(journal: Journal) -> None:
            assert await journal.lease("t") is None
            taken = await acquired(journal, "t", "one")
            assert (taken.stream, taken.owner, taken.epoch) == ("t", "one", 1)
            assert taken.expires_ms - taken.renewed_ms == TTL
            assert await journal.acquire_lease("t", "two", TTL) is None
            assert await journal.acquire_lease("t", "one", TTL) is None
            assert await journal.lease("t") == taken
            assert (await acquired(journal, "u", "two")).epoch == 1

        self.run(test)

    def test_of_many_who_want_a_lease_one_gets_it(self) -> None:
        async def test(journal: Journal) -> None:
            asked = await asyncio.gather(*(journal.acquire_lease("t", f"owner {n}", TTL) for n in range(8)))
            [taken] = [lease for lease in asked if lease is not None]
            assert await journal.lease("t") == taken

        self.run(test)

    def test_an_expired_lease_can_be_taken_and_the_epoch_counts_on(self) -> None:
        async def test(journal: Journal) -> None:
            await acquired(journal, "t", "one")
            await self.let_pass(journal, TTL - 30_000)
            assert await journal.acquire_lease("t", "two", TTL) is None
            await self.let_pass(journal, 30_001)
            second = await acquired(journal, "t", "two")
            assert (second.owner, second.epoch) == ("two", 2)
            await self.let_pass(journal, TTL + 1)
            assert (await acquired(journal, "t", "one")).epoch == 3

        self.run(test)

    def test_a_lease_from_before_the_clock_was_put_far_back_can_be_taken(self) -> None:
        async def test(journal: Journal) -> None:
            held = await acquired(journal, "t", "one")
            await journal.release_lease(await acquired(journal, "u", "one"))
            await self.let_pass(journal, -(TTL - 30_000))
            assert await journal.acquire_lease("t", "two", TTL) is None
            await self.let_pass(journal, -1_000 * TTL)
            second = await acquired(journal, "t", "two")
            assert (second.owner, second.epoch) == ("two", 2)
            assert second.expires_ms - second.renewed_ms == TTL
            assert await journal.renew_leases([held], TTL) == []
            assert (await acquired(journal, "u", "two")).epoch == 2

        self.run(test)

    def test_a_living_owner_keeps_its_lease_although_the_clock_was_put_far_back(self) -> None:
        async def test(journal: Journal) -> None:
            held = await acquired(journal, "t", "one")
            await self.let_pass(journal, -1_000 * TTL)
            [renewed] = await journal.renew_leases([held], TTL)
            assert await journal.acquire_lease("t", "two", TTL) is None
            assert await journal.lease("t") == renewed

        self.run(test)

    def test_renewing_keeps_a_lease_and_says_when_it_was_renewed(self) -> None:
        async def test(journal: Journal) -> None:
            held = [await acquired(journal, stream, "one") for stream in ("t", "u")]
            await self.let_pass(journal, TTL - 30_000)
            renewed = await journal.renew_leases(held, TTL)
            assert [(lease.stream, lease.owner, lease.epoch) for lease in renewed] == [("t", "one", 1), ("u", "one", 1)]
            assert [lease.expires_ms - lease.renewed_ms for lease in renewed] == [TTL, TTL]
            assert all(after.renewed_ms >= before.renewed_ms for before, after in zip(held, renewed, strict=True))
            assert [await journal.lease(stream) for stream in ("t", "u")] == renewed
            await self.let_pass(journal, 40_000)
            assert await journal.acquire_lease("t", "two", TTL) is None
            assert await journal.renew_leases([], TTL) == []

        self.run(test)

    def test_a_lost_lease_is_missing_from_the_renewed_ones(self) -> None:
        async def test(journal: Journal) -> None:
            lost, kept = await acquired(journal, "t", "one"), await acquired(journal, "u", "one")
            await self.let_pass(journal, TTL + 1)
            taken = await acquired(journal, "t", "two")
            renewed = await journal.renew_leases([lost, kept], TTL)
            assert [(lease.stream, lease.epoch) for lease in renewed] == [("u", 1)]
            assert await journal.lease("t") == taken

        self.run(test)

    def test_a_released_lease_is_free_at_once_and_still_says_who_held_it(self) -> None:
        async def test(journal: Journal) -> None:
            held = await acquired(journal, "t", "one")
            await journal.release_lease(held)
            last = await journal.lease("t")
            assert last is not None
            assert (last.owner, last.epoch, last.renewed_ms) == ("one", 1, held.renewed_ms)
            assert (await acquired(journal, "t", "two")).epoch == 2

        self.run(test)

    def test_releasing_a_lost_lease_does_not_touch_the_new_holder(self) -> None:
        async def test(journal: Journal) -> None:
            lost = await acquired(journal, "t", "one")
            await self.let_pass(journal, TTL + 1)
            taken = await acquired(journal, "t", "two")
            await journal.release_lease(lost)
            assert await journal.lease("t") == taken
            assert await journal.acquire_lease("t", "three", TTL) is None

        self.run(test)

    def test_a_dead_owner_leaves_the_time_of_its_last_sign_of_life(self) -> None:
        async def test(journal: Journal) -> None:
            held = await acquired(journal, "t", "one")
            await self.let_pass(journal, 10_000)
            [renewed] = await journal.renew_leases([held], TTL)
            assert await journal.lease("t") == renewed
            await self.let_pass(journal, TTL + 1)
            last = await journal.lease("t")
            assert last is not None
            assert (last.owner, last.epoch) == ("one", 1)
            assert last.expires_ms - last.renewed_ms == TTL

        self.run(test)
