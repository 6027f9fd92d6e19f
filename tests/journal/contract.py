"""What every journal must keep, as tests that each adapter inherits.

An adapter's test class derives from `JournalContract`, or from `DurableJournalContract` where what is written outlives
the object that wrote it, and says how one is opened and how time passes.
"""

import asyncio

from sabot.journal.journal import Appended
from sabot.journal.record import Record, head_after, start_of
from tests.journal.appending_contract import AppendingContract
from tests.journal.derived_contract import DerivedContract
from tests.journal.entries import entries, entry
from tests.journal.lease_contract import LeaseContract
from tests.journal.samples import TTL, acquired, append, assert_conflict, checkpoint, read, snapshot


class JournalContract(AppendingContract, DerivedContract, LeaseContract):
    """For every journal."""


class DurableJournalContract(JournalContract):
    """For journals that outlive what wrote them: `opened` called again gives another journal over the same streams."""

    def test_what_was_acknowledged_is_there_after_reopening(self) -> None:
        async def test() -> None:
            async with self.opened() as journal:
                records = await append(journal, "t", 5)
                await journal.save_snapshot(snapshot("t", 5))
                await journal.save_checkpoint(checkpoint("t", 5))
                held = await acquired(journal, "t", "one")
            async with self.opened() as journal:
                assert await read(journal, "t") == records
                assert await journal.head("t") == head_after(records[-1])
                assert await journal.newest_snapshot("t", "form") == snapshot("t", 5)
                assert await journal.checkpoints("t") == [checkpoint("t", 5)]
                assert await journal.lease("t") == held
                assert await journal.append("t", 5, head_after(records[-1]).then(2, [entry("next")])) == Appended(6)

        asyncio.run(test())

    def test_an_owner_who_lost_the_stream_is_fenced_by_the_version(self) -> None:
        async def test() -> None:
            async with self.opened() as old, self.opened() as new:
                records = await append(old, "t", 3)
                assert await read(new, "t") == records
                taken = head_after(records[-1]).then(2, [entry("owner_taken")])
                assert await new.append("t", 3, taken) == Appended(4)
                assert_conflict(await old.append("t", 3, head_after(records[-1]).then(1, [entry("zombie")])), head=4)
                assert await read(old, "t") == [*records, *taken]

        asyncio.run(test())

    def test_owners_that_race_through_two_journals_lose_and_double_nothing(self) -> None:
        async def test() -> None:
            async with self.opened() as one, self.opened() as two:
                head, written = start_of("t"), list[Record]()
                for turn in range(20):
                    racers = [head.then(epoch, entries(2, f"{turn}/{epoch}/")) for epoch in (1, 2)]
                    outcomes = await asyncio.gather(
                        one.append("t", head.version, racers[0]), two.append("t", head.version, racers[1])
                    )
                    [winner] = [index for index, outcome in enumerate(outcomes) if isinstance(outcome, Appended)]
                    assert_conflict(outcomes[1 - winner], head=head.version + 2)
                    written += racers[winner]
                    head = head_after(written[-1])
                assert await read(one, "t") == await read(two, "t") == written

        asyncio.run(test())

    def test_a_lease_taken_through_one_journal_is_refused_through_another(self) -> None:
        async def test() -> None:
            async with self.opened() as one, self.opened() as two:
                held = await acquired(one, "t", "one")
                assert await two.acquire_lease("t", "two", TTL) is None
                assert await two.lease("t") == held
                await one.release_lease(held)
                taken = await acquired(two, "t", "two")
                assert taken.epoch == 2
                assert await one.renew_leases([held], TTL) == []
                assert await one.lease("t") == taken

        asyncio.run(test())
