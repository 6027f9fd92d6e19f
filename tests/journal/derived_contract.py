"""What every journal must keep of snapshots, derived values and checkpoints."""

from sabot.journal.journal import Journal
from tests.journal.opened_journal import OpenedJournal
from tests.journal.samples import append, checkpoint, derived, names_between, read, snapshot


class DerivedContract(OpenedJournal):
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
