"""What every journal must keep of appending and reading."""

import asyncio

import msgspec
import pytest

from sabot.journal.journal import Appended, Conflict, Journal, Unusable
from sabot.journal.parts import OpeningState, RotationPlan
from sabot.journal.record import Head, Misplaced, Record, head_after, start_of
from tests.journal.entries import entries, entry
from tests.journal.opened_journal import OpenedJournal
from tests.journal.samples import append, assert_conflict, changed, read


class AppendingContract(OpenedJournal):
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
