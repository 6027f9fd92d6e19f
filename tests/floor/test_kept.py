"""A kept table answers only what is durable, and goes on where its journal leaves it."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from sabot.basics.mistake import Mistake
from sabot.floor.kept import Keeper, NotKept, keep
from sabot.floor.records.record_codec import is_line
from sabot.floor.records.recovery import HOUSE_SNAPSHOT_EVERY, recall_house, recall_table, snapshot_at
from sabot.journal.journal import Conflict, Outcome, Unknown
from sabot.journal.keys import rotate
from sabot.journal.memory import MemoryJournal
from sabot.journal.record import Record
from sabot.table.fixtures import fixture
from tests.floor.nights import BUILD, Clock, Night, begin, by, key_in, memory, play, played, records_of


class Failing(MemoryJournal):
    """A journal that answers an append otherwise from some moment on, and then writes nothing."""

    fails: Outcome | None = None
    only: str | None = None
    """The one stream that fails, or nothing for all."""

    async def append(self, stream: str, expected_version: int, records: Sequence[Record]) -> Outcome:
        if self.fails is not None and self.only in (None, stream):
            return self.fails
        return await super().append(stream, expected_version, records)


class Counting(MemoryJournal):
    """A journal that knows from where it was read."""

    def __init__(self, now_ms: Clock) -> None:
        super().__init__(now_ms)
        self.read_from: dict[str, list[int]] = defaultdict(list)

    def read(self, stream: str, after: int = 0, until: int | None = None) -> AsyncIterator[Record]:
        self.read_from[stream].append(after)
        return super().read(stream, after, until)


@pytest.mark.parametrize("outcome", [Unknown("the cable was pulled"), Conflict(99)])
def test_nothing_is_answered_that_is_not_durable(outcome: Outcome) -> None:
    async def scene() -> None:
        journal = Failing(Clock())
        night = await begin(journal)
        await night.say(by("D1", "sign_on"))
        before = await journal.head("table/T1")
        journal.fails = outcome
        with pytest.raises(NotKept):
            await night.kept.answer([by("D1", "open_table")])
        journal.fails = None
        await night.kept.close()
        assert await journal.head("table/T1") == before
        assert not await journal.checkpoints("table/T1")

    asyncio.run(scene())


def test_a_table_goes_on_exactly_where_its_journal_leaves_it() -> None:
    async def scene() -> None:
        journal = memory()
        first = await play(journal, coups=2)
        second = await begin(journal, seed=2, owner="the second owner")
        assert second.kept.talk.state == first.kept.talk.state
        assert second.kept.talk.pit.house == first.kept.talk.pit.house
        assert (second.kept.talk.n, second.kept.talk.now_ms) == (first.kept.talk.n, first.kept.talk.now_ms)
        await second.another_shoe()
        await second.coup()
        keys = [record.entry.key async for record in journal.read("table/T1")]
        assert len(keys) == len(set(keys))

    asyncio.run(scene())


def test_what_is_said_in_one_go_is_recorded_as_if_it_were_said_line_by_line() -> None:
    lines = [
        *(by("D1", "sign_on"), by("CA1", "sign_on"), by("D1", "open_table"), by("GS1", "check_cards", cards=416)),
        *(by("R1", "note", cents=5_000), by("R1", "leave"), by("CA1", "redeem", ticket="000000000000000006")),
        *(by("CA1", "redeem", ticket="000000000000000006"), by("nobody", "open_table"), {"do": "dance"}),
    ]

    async def recorded(*batches: Sequence[dict[str, object]]) -> list[tuple[str, bytes]]:
        journal = memory()
        night = await begin(journal)
        for batch in batches:
            await night.kept.answer(list(batch))
        found = [*await records_of(journal, "house"), *await records_of(journal)]
        return [(record.entry.key, bytes(record.entry.answer)) for record in found if is_line(record.entry.key)]

    together = asyncio.run(recorded(lines))
    assert together == asyncio.run(recorded(*([line] for line in lines)))


def test_what_a_line_leads_to_at_the_table_is_numbered_behind_the_line() -> None:
    async def scene() -> None:
        journal = memory()
        night = await begin(journal)
        await night.open()
        await night.say(by("D1", "open"), by("operator", "option", option="dragon_bonus", choice=2))
        await night.say(by("D1", "close"), by("D1", "void"))
        keys = [record.entry.key for record in await records_of(journal)]
        n = night.kept.talk.n
        assert keys[-2:] == [f"line/{n}", f"line/{n}.1"]

    asyncio.run(scene())


def test_every_command_that_is_decided_is_one_record_and_a_malformed_line_is_none() -> None:
    async def scene() -> None:
        journal = memory()
        night = await begin(journal)
        before = (await journal.head("table/T1")).version
        await night.kept.answer([by("D1", "sign_on"), by("GS1", "cut", at=1), {"do": "dance"}, by("D1", "card", x=1)])
        records = [record async for record in journal.read("table/T1", before)]
        assert [b'"accepted"' in bytes(record.entry.answer) for record in records] == [True, False]
        assert b'"refused":{"code":"table_closed","clause":"CROWN 2.2(c)"' in bytes(records[1].entry.answer)

    asyncio.run(scene())


def test_the_opening_record_carries_the_digests_of_rule_set_and_program() -> None:
    journal, night = played(coups=1)
    answers = [bytes(record.entry.answer) for record in asyncio.run(records_of(journal))]
    opening = next(answer for answer in answers if b'"TableOpened"' in answer)
    digest = night.kept.talk.state.rule_set_digest
    assert digest
    assert f'"rule_set_digest":"{digest}","build":"{BUILD}"'.encode() in opening


def test_without_snapshots_a_table_comes_back_the_same() -> None:
    async def scene() -> None:
        journal = memory()
        await play(journal)
        assert await journal.newest_snapshot("table/T1", BUILD) is not None
        with_snapshot = await recall_table(journal, "table/T1", BUILD)
        other_program = await recall_table(journal, "table/T1", "another program")
        await journal.drop_snapshots("table/T1")
        without = await recall_table(journal, "table/T1", BUILD)
        assert with_snapshot == without == other_program

    asyncio.run(scene())


def test_a_snapshot_that_does_not_fit_the_chain_is_passed_over() -> None:
    async def scene() -> None:
        journal, other = memory(), memory()
        await play(journal, seed=1)
        await play(other, seed=2)
        foreign = await other.newest_snapshot("table/T1", BUILD)
        assert foreign is not None
        right = await recall_table(journal, "table/T1", BUILD)
        await journal.save_snapshot(foreign)
        assert await recall_table(journal, "table/T1", BUILD) == right

    asyncio.run(scene())


def test_the_house_comes_back_from_its_snapshot_without_reading_what_is_before_it() -> None:
    async def scene() -> None:
        journal = Counting(Clock())
        night = await play(journal)
        head = await journal.head("house")
        journal.read_from.clear()
        with_snapshot = await recall_house(journal, BUILD)
        assert min(journal.read_from["house"]) == head.version - 1
        assert with_snapshot == await recall_house(journal, "another program")
        await journal.drop_snapshots("house")
        assert with_snapshot == await recall_house(journal, BUILD)
        assert with_snapshot.state == night.kept.talk.pit.house

    asyncio.run(scene())


def test_the_house_is_saved_every_so_many_records_and_whenever_somebody_begins() -> None:
    async def scene() -> None:
        journal = memory()
        night = await begin(journal)
        assert (await _saved(journal)) == (await journal.head("house")).version
        lines = [by("operator", "configure_house", ticket_validity_days=day % 2) for day in range(HOUSE_SNAPSHOT_EVERY)]
        before = await _saved(journal)
        await night.kept.answer(lines[:-1])
        assert await _saved(journal) == before
        await night.kept.answer(lines[-1:])
        assert await _saved(journal) == before + HOUSE_SNAPSHOT_EVERY

    asyncio.run(scene())


@pytest.mark.parametrize("kept", [b"", b"no snapshot", msgspec.msgpack.encode({"n": 1, "now_ms": 1, "state": b"?"})])
def test_a_snapshot_of_the_house_that_cannot_be_read_is_passed_over(kept: bytes) -> None:
    async def scene() -> None:
        journal = memory()
        await play(journal, coups=1)
        right = await recall_house(journal, BUILD)
        await journal.save_snapshot(snapshot_at(await journal.head("house"), BUILD, kept))
        assert await recall_house(journal, BUILD) == right

    asyncio.run(scene())


@pytest.mark.clause("CROWN 11.15(a)")
def test_a_coup_is_void_if_the_program_stopped_while_it_was_open_for_wagers() -> None:
    async def scene() -> None:
        journal = memory()
        night = await begin(journal)
        await night.open()
        await night.say(by("D1", "open"), by("A1", "set_wager", bet="banker", cents=2_500))
        await night.kept.close()
        again = await begin(journal, owner="the second owner")
        assert [type(event).__name__ for event in again.kept.found] == ["SystemRestarted", "CoupVoided"]
        assert again.kept.talk.state.purse("A1").balance == 500_000
        assert not again.kept.talk.pit.house.tables["T1"].busy
        assert not (await recall_house(journal, BUILD)).state.tables["T1"].busy
        keys = [record.entry.key for record in await records_of(journal)]
        assert keys[-2:] == ["started/2", "restart/2.1"]
        await again.say(by("D1", "open"))

    asyncio.run(scene())


@pytest.mark.clause("CROWN 11.15(b)")
def test_the_wagers_are_to_be_confirmed_if_the_program_stopped_after_the_close() -> None:
    async def scene() -> None:
        journal = memory()
        night = await begin(journal)
        await night.open()
        await night.say(by("D1", "open"), by("A1", "set_wager", bet="banker", cents=2_500), by("D1", "close"))
        again = await _taken_over(night)
        assert again.kept.talk.state.awaits_confirmation
        [refused] = await again.kept.answer([by("D1", "card", card="9S")])
        assert refused.refusal is not None
        assert refused.refusal.clause == "CROWN 11.15(b)"
        await again.say(by("D1", "confirm_records"), by("D1", "card", card="9S"))
        assert again.kept.talk.state.purse("A1").wagered == 2_500

    asyncio.run(scene())


async def _taken_over(night: Night) -> Night:
    """The owner dies with everything as it is, and its leases run out."""
    for lease in night.kept._leases:  # noqa: SLF001
        await night.journal.release_lease(lease)
    return await begin(night.journal, owner="the second owner")


async def _saved(journal: MemoryJournal) -> int:
    snapshot = await journal.newest_snapshot("house", BUILD)
    assert snapshot is not None
    return snapshot.version


def test_the_second_owner_is_told_who_the_first_is() -> None:
    async def scene() -> None:
        journal = memory()
        await begin(journal, owner="process 7 on pit-a")
        with pytest.raises(NotKept, match="held by process 7 on pit-a"):
            await begin(journal, owner="process 8 on pit-b")

    asyncio.run(scene())


def test_an_owner_that_was_replaced_notices_and_answers_nothing_more() -> None:
    async def scene() -> None:
        clock = Clock()
        journal = MemoryJournal(clock)
        first = await begin(journal)
        clock.ms += 60_000
        await begin(journal, owner="the second owner")
        with pytest.raises(NotKept):
            await first.kept.renew()
        with pytest.raises(NotKept):
            await first.kept.answer([by("D1", "sign_on")])

    asyncio.run(scene())


def test_a_journal_is_signed_on_only_by_its_own_key_or_one_that_it_vouched_for(tmp_path: Path) -> None:
    async def scene() -> None:
        journal = memory()
        await play(journal, key=key_in(tmp_path), coups=1)
        before = await journal.head("table/T1")
        with pytest.raises(NotKept, match="never vouched for"):
            await begin(journal, key_in(tmp_path, "stranger.key"))
        assert await journal.head("table/T1") == before
        await begin(journal, rotate(tmp_path / "casino.key"))

    asyncio.run(scene())


def test_a_configuration_that_no_table_may_have_leaves_the_journal_empty() -> None:
    async def scene() -> None:
        journal = memory()
        bad = replace(fixture("crown"), wagering_period_ms=0)
        with pytest.raises(Mistake):
            await keep(journal, bad, Keeper("owner", BUILD, Clock()))
        assert await journal.streams() == []
        await begin(journal)

    asyncio.run(scene())


def test_what_a_power_failure_kept_from_the_house_is_told_again() -> None:
    """A ticket is in the table's stream, and the house's record of it never came."""

    async def scene() -> None:
        journal = Failing(Clock())
        night = await begin(journal)
        await night.open()
        house_before = await journal.head("house")
        journal.fails, journal.only = Unknown("power failure"), "house"
        with pytest.raises(NotKept):
            await night.kept.answer([by("R1", "leave")])
        journal.fails = None
        assert await journal.head("house") == house_before
        again = await _taken_over(night)
        [(number, ticket)] = again.kept.talk.pit.house.tickets.items()
        assert (ticket.cents, ticket.status) == (10_000, "issued")
        assert number in again.kept.talk.state.tickets
        assert number in (await recall_house(journal, BUILD)).state.tickets

    asyncio.run(scene())
