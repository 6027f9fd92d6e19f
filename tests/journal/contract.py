"""What every journal must keep, as tests that each adapter inherits.

An adapter's test class derives from `JournalContract`, or from `DurableJournalContract` where what is written outlives
the object that wrote it, and says how one is opened and how time passes.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager

import msgspec
import pytest

from sabot.journal.journal import (
    Appended,
    AppendOutcome,
    Conflict,
    Derived,
    Journal,
    Lease,
    ReadableJournal,
    SignedCheckpoint,
    Snapshot,
    Unusable,
)
from sabot.journal.parts import OpeningState, RotationPlan
from sabot.journal.record import Head, Misplaced, Record, head_after, start_of
from tests.journal.entries import entries, entry

TTL = 60_000
"""So long that no lease expires by itself while a test runs, however slow the machine."""


def changed(records: list[Record]) -> list[Record]:
    """The same list with another record in it."""
    records[1] = msgspec.structs.replace(records[1], epoch=2)
    return records


class JournalContract:
    def opened(self) -> AbstractAsyncContextManager[Journal]:
        """An empty journal, closed when the context ends."""
        raise NotImplementedError

    async def let_pass(self, journal: Journal, ms: int) -> None:
        """Make leases this much older without waiting.

        An adapter with an injected clock turns it on; one on a database's clock moves the lease rows into the past.
        """
        raise NotImplementedError

    def run(self, test: Callable[[Journal], Awaitable[None]]) -> None:
        async def opened_and_tested() -> None:
            async with self.opened() as journal:
                await test(journal)

        asyncio.run(opened_and_tested())

    # Appending and reading

    def test_what_was_appended_is_read_back_byte_for_byte(self) -> None:
        async def test(journal: Journal) -> None:
            odd = entry("k3", '{ "café" : [1.50,  1e2, "\\u00e9\\ud83c\\udca1", "🂡"],\n"a":null, "a":true }')
            records = start_of("t").then(7, [*entries(2), odd])
            assert await journal.append("t", 0, records[:1]) == Appended(1)
            assert await journal.append("t", 1, records[1:]) == Appended(3)
            back = await read(journal, "t")
            assert back == records
            assert [record.body for record in back] == [record.body for record in records]
            assert bytes(back[2].entry.answer) == bytes(odd.answer)

        self.run(test)

    def test_every_part_of_an_entry_comes_back(self) -> None:
        async def test(journal: Journal) -> None:
            full = msgspec.structs.replace(entry("k1"), actor="D1 Ünal", second_actor="CS1", at_ms=2**53)
            [record] = start_of("t").then(2**40, [full])
            assert await journal.append("t", 0, [record]) == Appended(1)
            [back] = await read(journal, "t")
            assert back == record
            assert (back.entry.second_actor, back.entry.at_ms, back.epoch) == ("CS1", 2**53, 2**40)

        self.run(test)

    def test_a_rotation_is_refused_or_changes_nothing_that_is_read(self) -> None:
        async def test(journal: Journal) -> None:
            records = await append(journal, "t", 20)
            opening = OpeningState("t", 20, records[-1].hash, 1, b"state")
            plan = RotationPlan([opening], [], "a key", lambda _: b"signed", 1)
            for number in (1, 2):
                try:
                    sealed = (await journal.rotate(plan)).number
                except Unusable:
                    sealed = 0
                parts = [one.number for one in await journal.parts()]
                assert (sealed, parts) in ((0, []), (number, list(range(1, number + 2))))
                assert await journal.opening("t") == (opening if sealed else None)
                assert await read(journal, "t") == records
                assert await journal.head("t") == head_after(records[-1])
                assert await journal.find("t", "k7") == records[6]
            assert_conflict(await journal.append("t", 19, records[19:]), 20)
            more = head_after(records[-1]).then(1, entries(2, "more"))
            assert await journal.append("t", 20, more) == Appended(22)
            assert await read(journal, "t") == [*records, *more]

        self.run(test)

    def test_records_are_told_as_they_lie_there(self) -> None:
        async def test(journal: Journal) -> None:
            records = await append(journal, "t", 10)
            rows = [row async for page in journal.stored("t", 2, 9) for row in page]
            assert [(row[0], row[1], row[2], row[4]) for row in rows] == [
                (one.version, one.entry.key, one.body, one.hash) for one in records[2:9]
            ]
            assert all(row[3] in (None, one.previous) for row, one in zip(rows, records[2:9], strict=True))
            assert [page async for page in journal.stored("nobody's", 0, 9) if page] == []

        self.run(test)

    def test_reading_starts_after_and_ends_at_the_versions_asked_for(self) -> None:
        async def test(journal: Journal) -> None:
            await append(journal, "t", 10)
            assert [record.version for record in await read(journal, "t", 3)] == [4, 5, 6, 7, 8, 9, 10]
            assert [record.version for record in await read(journal, "t", 3, 6)] == [4, 5, 6]
            assert [record.version for record in await read(journal, "t", 8, 99)] == [9, 10]
            assert await read(journal, "t", 10) == []
            assert await read(journal, "t", 6, 6) == []
            assert await read(journal, "nothing") == []

        self.run(test)

    def test_a_long_stream_is_read_whole_and_in_order(self) -> None:
        async def test(journal: Journal) -> None:
            records = start_of("t").then(1, entries(3_000))
            for first in range(0, 3_000, 500):
                assert await journal.append("t", first, records[first : first + 500]) == Appended(first + 500)
            assert await read(journal, "t") == records

        self.run(test)

    def test_a_read_that_is_given_up_hinders_nobody(self) -> None:
        async def test(journal: Journal) -> None:
            records = await append(journal, "t", 1_500)
            async for record in journal.read("t"):
                if record.version == 2:
                    break
            more = head_after(records[-1]).then(1, [entry("more")])
            assert await journal.append("t", 1_500, more) == Appended(1_501)

        self.run(test)

    def test_the_head_is_the_last_record(self) -> None:
        async def test(journal: Journal) -> None:
            assert await journal.head("t") == start_of("t")
            records = start_of("t").then(4, entries(3))
            await journal.append("t", 0, records)
            assert await journal.head("t") == Head("t", 3, records[-1].hash, 4)
            assert await journal.head("u") == start_of("u")

        self.run(test)

    def test_a_command_is_found_by_its_key_in_its_own_stream(self) -> None:
        async def test(journal: Journal) -> None:
            records = await append(journal, "t", 5)
            assert await journal.find("t", "k3") == records[2]
            assert await journal.find("t", "K3") is None
            assert await journal.find("u", "k3") is None

        self.run(test)

    def test_streams_are_told_by_name_and_kept_apart(self) -> None:
        async def test(journal: Journal) -> None:
            names = ["Tisch 3", "table-17", "table-2", "Zürich/é", "a", "卓一", "🂡", "É"]
            assert await journal.streams() == []
            written = {name: await append(journal, name, 2) for name in names}
            assert await journal.streams() == sorted(names)
            assert await journal.streams("table-") == ["table-17", "table-2"]
            assert await journal.streams("table-3") == await journal.streams("tablet") == []
            for name in names:
                assert await read(journal, name) == written[name]

        self.run(test)

    def test_names_that_look_alike_are_different_streams(self) -> None:
        async def test(journal: Journal) -> None:
            composed, decomposed = "\u00e9", "e\u0301"
            await append(journal, composed, 1)
            assert await journal.head(decomposed) == start_of(decomposed)
            await append(journal, decomposed, 2)
            assert (await journal.head(composed)).version == 1
            assert await journal.find("T", "k1") is None

        self.run(test)

    def test_a_large_answer_comes_back_whole(self) -> None:
        async def test(journal: Journal) -> None:
            large = '{"list":"' + "žetony " * 300_000 + '"}'
            records = start_of("t").then(1, [entry("small"), entry("large", large), entry("after")])
            assert await journal.append("t", 0, records) == Appended(3)
            assert await read(journal, "t") == records
            assert await journal.find("t", "large") == records[1]

        self.run(test)

    def test_an_empty_append_writes_nothing_and_still_compares_the_version(self) -> None:
        async def test(journal: Journal) -> None:
            assert await journal.append("t", 0, []) == Appended(0)
            assert await journal.streams() == []
            records = await append(journal, "t", 2)
            assert await journal.append("t", 2, []) == Appended(2)
            assert await journal.append("t", 1, []) == Conflict(2)
            assert await journal.append("t", 3, []) == Conflict(2)
            assert await read(journal, "t") == records

        self.run(test)

    # Conflicts

    def test_an_owner_who_is_behind_conflicts_and_writes_nothing(self) -> None:
        async def test(journal: Journal) -> None:
            records = await append(journal, "t", 5)
            late = head_after(records[2]).then(1, [entry("late")])
            assert_conflict(await journal.append("t", 3, late), head=5)
            from_the_start = start_of("t").then(1, [entry("other")])
            assert_conflict(await journal.append("t", 0, from_the_start), head=5)
            assert await read(journal, "t") == records
            assert await journal.find("t", "late") is None

        self.run(test)

    def test_an_owner_who_is_ahead_conflicts_and_leaves_no_gap(self) -> None:
        async def test(journal: Journal) -> None:
            records = start_of("t").then(1, entries(5))
            assert await journal.append("t", 0, records[:2]) == Appended(2)
            assert_conflict(await journal.append("t", 4, records[4:]), head=2)
            assert_conflict(await journal.append("u", 1, start_of("u").then(1, entries(2))[1:]), head=0)
            assert await read(journal, "t") == records[:2]
            assert await journal.streams() == ["t"]

        self.run(test)

    def test_a_repeated_append_conflicts_and_doubles_nothing(self) -> None:
        async def test(journal: Journal) -> None:
            records = await append(journal, "t", 3)
            assert_conflict(await journal.append("t", 0, records), head=3)
            assert await read(journal, "t") == records

        self.run(test)

    def test_a_repeated_key_is_answered_with_the_version_that_carries_it(self) -> None:
        async def test(journal: Journal) -> None:
            records = await append(journal, "t", 3)
            again = head_after(records[-1]).then(1, [entry("k2")])
            assert await journal.append("t", 3, again) == Conflict(3, ("k2", 2))
            assert await read(journal, "t") == records

        self.run(test)

    def test_one_repeated_key_keeps_out_all_that_came_with_it(self) -> None:
        async def test(journal: Journal) -> None:
            records = await append(journal, "t", 3)
            batch = head_after(records[-1]).then(1, [entry("n1"), entry("n2"), entry("k1"), entry("n3")])
            assert await journal.append("t", 3, batch) == Conflict(3, ("k1", 1))
            assert await read(journal, "t") == records
            assert await journal.find("t", "n1") is None
            anew = head_after(records[-1]).then(1, [entry("n1"), entry("n2")])
            assert await journal.append("t", 3, anew) == Appended(5)

        self.run(test)

    def test_the_same_key_may_stand_in_two_streams(self) -> None:
        async def test(journal: Journal) -> None:
            await append(journal, "t", 3)
            await append(journal, "u", 3)
            assert (await journal.head("u")).version == 3

        self.run(test)

    @pytest.mark.parametrize(
        "batch",
        [
            pytest.param(start_of("t").then(1, [entry("a"), entry("b"), entry("a")]), id="a key twice"),
            pytest.param(start_of("u").then(1, [entry("a")]), id="another stream"),
            pytest.param(start_of("t").then(1, entries(3))[1:], id="not behind the version"),
            pytest.param(start_of("t").then(1, entries(3))[::2], id="a gap"),
            pytest.param(start_of("t").then(1, entries(2))[::-1], id="out of order"),
            pytest.param(
                [*start_of("t").then(1, entries(1)), *start_of("t").then(2, entries(2, "o"))[1:]], id="chain broken"
            ),
            pytest.param(
                [msgspec.structs.replace(record, epoch=2) for record in start_of("t").then(1, entries(1))],
                id="not its own hash",
            ),
            pytest.param(changed(start_of("t").then(1, entries(2))), id="changed since it was chained"),
        ],
    )
    def test_records_that_cannot_stand_together_are_a_bug_and_written_nowhere(self, batch: list[Record]) -> None:
        async def test(journal: Journal) -> None:
            with pytest.raises(Misplaced):
                await journal.append("t", 0, batch)
            assert await journal.streams() == []
            assert (await append(journal, "t", 2))[-1].version == 2

        self.run(test)

    # Many at once

    def test_many_streams_append_at_the_same_time(self) -> None:
        async def one_table(journal: Journal, stream: str) -> list[Record]:
            written: list[Record] = []
            for turn in range(5):
                head = head_after(written[-1]) if written else start_of(stream)
                records = head.then(1, entries(3, f"{turn}/"))
                assert await journal.append(stream, head.version, records) == Appended(head.version + 3)
                written += records
            return written

        async def test(journal: Journal) -> None:
            names = [f"table-{number:02}" for number in range(40)]
            written = await asyncio.gather(*(one_table(journal, name) for name in names))
            assert await journal.streams() == names
            for name, records in zip(names, written, strict=True):
                assert await read(journal, name) == records

        self.run(test)

    def test_of_two_owners_racing_for_one_version_exactly_one_wins(self) -> None:
        async def test(journal: Journal) -> None:
            head, written = start_of("t"), list[Record]()
            for turn in range(20):
                racers = [head.then(epoch, entries(2, f"{turn}/{epoch}/")) for epoch in (1, 2)]
                outcomes = await asyncio.gather(*(journal.append("t", head.version, records) for records in racers))
                [winner] = [index for index, outcome in enumerate(outcomes) if isinstance(outcome, Appended)]
                assert outcomes[winner] == Appended(head.version + 2)
                assert_conflict(outcomes[1 - winner], head=head.version + 2)
                written += racers[winner]
                head = head_after(written[-1])
            assert await read(journal, "t") == written

        self.run(test)

    def test_a_conflict_hurts_none_of_its_neighbours(self) -> None:
        async def test(journal: Journal) -> None:
            records = await append(journal, "t", 2)
            stale = journal.append("t", 1, head_after(records[0]).then(2, [entry("stale")]))
            repeated = journal.append("t", 2, head_after(records[1]).then(2, [entry("k1")]))
            good = [journal.append(name, 0, start_of(name).then(1, entries(2))) for name in ("a", "b", "c")]
            outcomes = await asyncio.gather(good[0], stale, good[1], repeated, good[2])
            assert list(outcomes[::2]) == [Appended(2)] * 3
            assert_conflict(outcomes[1], head=2)
            assert outcomes[3] == Conflict(2, ("k1", 1))
            assert await journal.streams() == ["a", "b", "c", "t"]

        self.run(test)

    # Snapshots and checkpoints

    def test_the_newest_snapshot_is_found(self) -> None:
        async def test(journal: Journal) -> None:
            assert await journal.newest_snapshot("t", "form") is None
            for version in (5, 9):
                await journal.save_snapshot(snapshot("t", version))
            await journal.save_snapshot(snapshot("u", 3))
            assert await journal.newest_snapshot("t", "form") == snapshot("t", 9)
            assert await journal.newest_snapshot("u", "form") == snapshot("u", 3)

        self.run(test)

    def test_a_snapshot_of_another_form_is_passed_over(self) -> None:
        async def test(journal: Journal) -> None:
            await journal.save_snapshot(snapshot("t", 5))
            assert await journal.newest_snapshot("t", "newer form") is None

        self.run(test)

    def test_dropping_snapshots_leaves_the_records(self) -> None:
        async def test(journal: Journal) -> None:
            records = await append(journal, "t", 3)
            for stream in ("t", "u"):
                await journal.save_snapshot(snapshot(stream, 3))
            await journal.drop_snapshots("t")
            assert await journal.newest_snapshot("t", "form") is None
            assert await journal.newest_snapshot("u", "form") == snapshot("u", 3)
            assert await read(journal, "t") == records

        self.run(test)

    def test_a_derived_value_is_found_by_stream_and_name(self) -> None:
        async def test(journal: Journal) -> None:
            assert await journal.derived("t", "coup/1") is None
            await journal.keep([derived("t", "coup/1", 5), derived("t", "coup/2", 6), derived("u", "coup/1", 7)])
            assert await journal.derived("t", "coup/1") == derived("t", "coup/1", 5)
            assert await journal.derived("u", "coup/1") == derived("u", "coup/1", 7)
            assert await journal.derived("u", "coup/2") is None
            await journal.keep([])

        self.run(test)

    def test_a_derived_value_replaces_an_older_one_and_never_a_newer_one(self) -> None:
        async def test(journal: Journal) -> None:
            for version, kept in ((5, 5), (5, 5), (9, 9), (7, 9), (10, 10)):
                await journal.keep([derived("t", "sum", version)])
                assert await journal.derived("t", "sum") == derived("t", "sum", kept)
            await journal.keep([derived("t", "sum", 10, b"derived again"), derived("t", "other", 1)])
            assert await journal.derived("t", "sum") == derived("t", "sum", 10, b"derived again")

        self.run(test)

    def test_of_two_values_of_one_name_kept_at_once_the_newer_stays(self) -> None:
        async def test(journal: Journal) -> None:
            await journal.keep([derived("t", "sum", 3), derived("t", "sum", 8), derived("t", "sum", 5)])
            assert await journal.derived("t", "sum") == derived("t", "sum", 8)

        self.run(test)

    def test_derived_values_are_told_in_the_order_of_code_points_with_both_ends(self) -> None:
        async def test(journal: Journal) -> None:
            names = ["B", "a", "coup/00009", "coup/00010", "coup/00011", "coup/1", "d d", "é", "\U0001f0a1"]
            await journal.keep([derived("t", name, 1) for name in reversed(names)])
            await journal.keep([derived("u", "coup/00010", 2)])
            assert await names_between(journal, "t", "", "\U0001f0ff") == names
            assert await names_between(journal, "t", "coup/00009", "coup/00011") == names[2:5]
            assert await names_between(journal, "t", "coup/000095", "coup/00010") == ["coup/00010"]
            assert await names_between(journal, "t", "b", "c") == []
            assert await names_between(journal, "nobody's", "", "z") == []

        self.run(test)

    def test_many_derived_values_come_in_pages_without_a_gap(self) -> None:
        async def test(journal: Journal) -> None:
            values = [derived("t", f"coup/{number:05}", number) for number in range(1, 4_102)]
            await journal.keep(values)
            pages = [page async for page in journal.derived_between("t", "coup/00001", "coup/04101")]
            assert [value for page in pages for value in page] == values

        self.run(test)

    def test_dropping_derived_values_leaves_the_records_and_other_streams(self) -> None:
        async def test(journal: Journal) -> None:
            records = await append(journal, "t", 3)
            await journal.keep([derived("t", "sum", 3), derived("u", "sum", 3)])
            await journal.drop_derived("t")
            assert await journal.derived("t", "sum") is None
            assert await journal.derived("u", "sum") == derived("u", "sum", 3)
            assert await read(journal, "t") == records
            await journal.keep([derived("t", "sum", 1)])
            assert await journal.derived("t", "sum") == derived("t", "sum", 1)

        self.run(test)

    def test_checkpoints_come_in_order_of_version(self) -> None:
        async def test(journal: Journal) -> None:
            assert await journal.checkpoints("t") == []
            for version in (4, 9, 7):
                await journal.save_checkpoint(checkpoint("t", version))
            await journal.save_checkpoint(checkpoint("u", 1))
            assert await journal.checkpoints("t") == [checkpoint("t", version) for version in (4, 7, 9)]
            assert await journal.checkpoints("u") == [checkpoint("u", 1)]
            assert await journal.checkpoints("t", 4, 7) == [checkpoint("t", 7)]
            assert await journal.checkpoints("t", 6) == [checkpoint("t", version) for version in (7, 9)]

        self.run(test)

    def test_the_newest_checkpoints_come_first(self) -> None:
        async def test(journal: Journal) -> None:
            assert [one async for one in journal.newest_checkpoints("t")] == []
            for version in range(1, 50):
                await journal.save_checkpoint(checkpoint("t", version))
            await journal.save_checkpoint(checkpoint("u", 60))
            newest = [one.head.version async for one in journal.newest_checkpoints("t")]
            assert newest == list(range(49, 0, -1))

        self.run(test)

    def test_how_many_checkpoints_there_are_and_the_newest_is_told_without_reading_them(self) -> None:
        async def test(journal: Journal) -> None:
            assert await journal.vouched("t") == (0, 0)
            for version in (4, 9, 7):
                await journal.save_checkpoint(checkpoint("t", version))
            assert await journal.vouched("t") == (3, 9)

        self.run(test)

    def test_a_checkpoint_is_never_replaced(self) -> None:
        async def test(journal: Journal) -> None:
            first, second = checkpoint("t", 4), checkpoint("t", 4, at_ms=2, signature=b"other")
            for saved in (first, second, first):
                await journal.save_checkpoint(saved)
            assert await journal.checkpoints("t") == [first, second]

        self.run(test)

    # Leases

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


async def read(journal: ReadableJournal, stream: str, after: int = 0, until: int | None = None) -> list[Record]:
    found: AsyncIterator[Record] = journal.read(stream, after, until)
    return [record async for record in found]


async def append(journal: Journal, stream: str, count: int) -> list[Record]:
    """The first records of a stream, with the keys k1, k2 and so on."""
    records = start_of(stream).then(1, entries(count))
    assert await journal.append(stream, 0, records) == Appended(count)
    return records


async def acquired(journal: Journal, stream: str, owner: str) -> Lease:
    lease = await journal.acquire_lease(stream, owner, TTL)
    assert lease is not None
    return lease


def assert_conflict(outcome: AppendOutcome, head: int) -> None:
    """A stale version is a conflict that names the head; whether a repeated key is named as well is left open."""
    assert isinstance(outcome, Conflict), outcome
    assert outcome.head == head


def snapshot(stream: str, version: int) -> Snapshot:
    return Snapshot(stream, version, bytes([version]) * 32, "form", b"\x00state\xff" * version)


def checkpoint(stream: str, version: int, at_ms: int = 1, signature: bytes = b"signed") -> SignedCheckpoint:
    return SignedCheckpoint(Head(stream, version, bytes([version]) * 32, 3), at_ms, "key-1", signature)


def derived(stream: str, name: str, version: int, value: bytes | None = None) -> Derived:
    return Derived(stream, name, version, value if value is not None else f"{name} at {version}".encode() + b"\0\xff")


async def names_between(journal: ReadableJournal, stream: str, first: str, last: str) -> list[str]:
    return [value.name async for page in journal.derived_between(stream, first, last) for value in page]
