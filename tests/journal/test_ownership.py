"""Taking a stream: one at a time, ahead of everything the earlier owner still tries."""

import asyncio
from collections.abc import Sequence

from sabot.journal.journal import Appended, AppendOutcome, Conflict
from sabot.journal.memory import MemoryJournal
from sabot.journal.ownership import Ownership, StreamNotTaken, take, taking_of
from sabot.journal.record import Head, Record, start_of
from tests.journal.entries import entries, entry
from tests.journal.samples import read

TTL = 2_000


class Clock:
    def __init__(self) -> None:
        self.now_ms = 1_000_000

    def __call__(self) -> int:
        return self.now_ms


async def taken(journal: MemoryJournal, owner: str) -> Ownership:
    ownership = await take(journal, "t", owner, TTL)
    assert isinstance(ownership, Ownership), ownership
    return ownership


def test_the_first_owner_writes_the_first_record() -> None:
    async def test() -> None:
        journal = MemoryJournal(Clock())
        ownership = await taken(journal, "one")
        [record] = await read(journal, "t")
        assert taking_of(record) == ownership.taken
        assert (ownership.taken.epoch, ownership.taken.owner, ownership.taken.before) == (1, "one", None)
        assert ownership.head == await journal.head("t")
        assert taking_of(ownership.head.then(1, [entry("k1")])[0]) is None

    asyncio.run(test())


def test_a_held_stream_is_not_taken_and_its_holder_is_named() -> None:
    async def test() -> None:
        journal = MemoryJournal(Clock())
        ownership = await taken(journal, "one")
        refused = await take(journal, "t", "two", TTL)
        assert isinstance(refused, StreamNotTaken)
        assert refused.holder == ownership.lease
        assert (await journal.head("t")).version == 1

    asyncio.run(test())


def test_the_old_owner_meets_the_record_of_the_taking_and_its_last_sign_of_life_is_kept() -> None:
    async def test() -> None:
        clock = Clock()
        journal = MemoryJournal(clock)
        old = await taken(journal, "one")
        [renewed] = await journal.renew_leases([old.lease], TTL)
        clock.now_ms += TTL
        new = await taken(journal, "two")
        assert new.taken.before == renewed
        assert new.taken.epoch == 2
        assert await journal.append("t", old.head.version, old.head.then(1, [entry("late")])) == Conflict(2)
        assert await journal.append("t", 2, new.head.then(2, [entry("next")])) == Appended(3)

    asyncio.run(test())


def test_an_old_owner_that_gets_ahead_is_followed_until_the_taking_stands_behind_it() -> None:
    """The lease has expired, and the old owner, who does not know it, adds records while the new one takes over."""

    class Overtaken(MemoryJournal):
        ahead = 3

        async def append(self, stream: str, expected_version: int, records: Sequence[Record]) -> AppendOutcome:
            if taking_of(records[0]) is not None and self.ahead and expected_version:
                self.ahead -= 1
                head = await self.head(stream)
                await super().append(stream, head.version, head.then(1, [entry(f"ahead {self.ahead}")]))
            return await super().append(stream, expected_version, records)

    async def test() -> None:
        clock = Clock()
        journal = Overtaken(clock)
        await taken(journal, "one")
        clock.now_ms += TTL
        new = await taken(journal, "two")
        records = await read(journal, "t")
        assert [record.epoch for record in records] == [1, 1, 1, 1, 2]
        assert new.head.version == 5

    asyncio.run(test())


def test_an_epoch_rises_even_where_the_leases_were_lost() -> None:
    async def test() -> None:
        journal = MemoryJournal(Clock())
        await journal.append("t", 0, start_of("t").then(57, entries(3)))
        ownership = await taken(journal, "one")
        assert (ownership.lease.epoch, ownership.taken.epoch, ownership.head.epoch) == (1, 58, 58)

    asyncio.run(test())


def test_a_caller_that_lost_the_lease_before_writing_writes_nothing() -> None:
    """One is held up between the lease and the record for longer than the lease lasts, and two takes the stream."""

    class Slow(MemoryJournal):
        held_up = False

        async def head(self, stream: str) -> Head:
            if not self.held_up:
                self.held_up = True
                clock.now_ms += TTL
                await taken(self, "two")
            return await super().head(stream)

    clock = Clock()

    async def test() -> None:
        journal = Slow(clock)
        refused = await take(journal, "t", "one", TTL)
        assert isinstance(refused, StreamNotTaken)
        assert refused.holder is not None
        assert refused.holder.owner == "two"
        assert [taken.owner for one in await read(journal, "t") if (taken := taking_of(one))] == ["two"]

    asyncio.run(test())
