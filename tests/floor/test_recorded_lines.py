"""A recorded table answers only what is durable, and goes on where its journal leaves it."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from sabot.basics.mistake import Mistake
from sabot.cli.recorded_table import recorded_table
from sabot.cli.recording import RecordPlace
from sabot.floor.lines.stream import NotKept
from sabot.floor.lines.table import LineFloor
from sabot.floor.records.program_digest import program_digest
from sabot.floor.records.recovery import HOUSE_SNAPSHOT_EVERY, recover_house, recover_table, snapshot_at
from sabot.floor.records.state_form import SNAPSHOT_FORM
from sabot.floor.table_owner.errands import Backing
from sabot.journal.journal import AppendOutcome, Conflict, Journal, ReadableJournal, Unknown
from sabot.journal.keys import rotate
from sabot.journal.memory import MemoryJournal
from sabot.journal.opening import open_journal, open_to_read
from sabot.journal.record import Record
from sabot.table.fixtures import fixture
from tests.cli.sabot import sabot
from tests.floor.nights import BUILD, Clock, Night, backing, begin, by, key_in, memory, play, played, records_of


class Failing(MemoryJournal):
    """A journal that answers an append otherwise from some moment on, and then writes nothing."""

    fails: AppendOutcome | None = None
    only: bytes = b""
    """What a record says that fails; nothing for all."""

    async def append(self, stream: str, expected_version: int, records: Sequence[Record]) -> AppendOutcome:
        if self.fails is not None and any(self.only in bytes(record.entry.answer) for record in records):
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
def test_nothing_is_answered_that_is_not_durable(outcome: AppendOutcome, tmp_path: Path) -> None:
    async def scene() -> None:
        journal = Failing(Clock())
        night = await begin(journal, key_in(tmp_path))
        await night.say(by("D1", "sign_on"))
        before = await journal.head("table/T1")
        journal.fails = outcome
        with pytest.raises(NotKept):
            await night.table.ask(by("D1", "open_table"))
        journal.fails = None
        with pytest.raises(NotKept):
            await night.table.ask(by("D1", "open_table"))
        await night.close()
        assert await journal.head("table/T1") == before
        assert not await journal.checkpoints("table/T1")
        assert await journal.newest_snapshot("table/T1", SNAPSHOT_FORM) is None

    asyncio.run(scene())


@pytest.mark.parametrize("outcome", [Unknown("the cable was pulled"), Conflict(99)])
def test_nothing_is_answered_of_the_house_that_is_not_durable(outcome: AppendOutcome) -> None:
    async def scene() -> None:
        journal = Failing(Clock())
        night = await begin(journal)
        before, known = await journal.head("house"), night.floor.house
        journal.fails = outcome
        with pytest.raises(NotKept, match="the house could not be written"):
            await night.table.ask(by("CS1", "exclude", patron="P7", reason="noise"))
        assert await journal.head("house") == before
        assert night.floor.house == known

    asyncio.run(scene())


def test_a_table_goes_on_exactly_where_its_journal_leaves_it() -> None:
    async def scene() -> None:
        journal = memory()
        first = await play(journal, coups=2)
        second = await begin(journal, seed=2, owner="the second owner")
        assert second.table.state == first.state
        assert second.floor.house == first.floor.house
        assert (second.table.n, second.table.now_ms) == (first.table.n, first.table.now_ms)
        await second.another_shoe()
        await second.coup()
        keys = [record.entry.key async for record in journal.read("table/T1")]
        assert len(keys) == len(set(keys))

    asyncio.run(scene())


def test_a_table_whose_owner_died_goes_on_with_what_was_answered() -> None:
    """No snapshot, no goodbye: the records alone."""

    async def scene() -> None:
        journal = memory()
        first = await begin(journal)
        await first.open()
        await first.coup()
        again = await _taken_over(first)
        assert again.table.state == first.state
        assert again.floor.house == first.floor.house
        assert again.table.n == first.table.n

    asyncio.run(scene())


def test_tickets_of_a_table_that_was_taken_again_have_numbers_of_their_own() -> None:
    """Lines are counted on from one owner to the next, and with them the numbers."""

    async def scene() -> None:
        journal = memory()
        for number in range(3):
            night = await begin(journal, owner=f"owner {number}")
            if number == 0:
                await night.open()
            else:
                await night.say(by("R1", "note", cents=10_000))
            await night.say(by("R1", "leave"))
            assert len(night.floor.house.tickets) == number + 1
            await night.close()

    asyncio.run(scene())


def test_what_is_said_in_one_go_is_recorded_as_if_it_were_said_line_by_line(tmp_path: Path) -> None:
    """The real program with a file, given all lines at once, and a table in memory that is asked one by one."""
    lines = [
        *(by("D1", "sign_on"), by("CA1", "sign_on"), by("D1", "open_table"), by("GS1", "check_cards", cards=416)),
        *(by("R1", "note", cents=5_000), by("R1", "leave"), by("CA1", "redeem", ticket="000000000000000006")),
        *(by("CA1", "redeem", ticket="000000000000000006"), by("nobody", "open_table"), {"do": "dance"}),
    ]
    place = tmp_path / "night.journal"
    given = "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)
    assert sabot("table", "--journal", str(place), "--json", given=given).code == 0

    async def line_by_line() -> ReadableJournal:
        journal = memory()
        floor = LineFloor(
            Backing(journal=journal, owner="another", build=program_digest(), wall_ms=Clock(), lease_ms=10_000), Clock()
        )
        table = await floor.take(fixture("crown"))
        for line in lines:
            await table.ask(line)
        return journal

    async def recorded(journal: ReadableJournal) -> list[bytes]:
        found = [*await records_of(journal, "house"), *await records_of(journal)]
        return [bytes(record.entry.answer) for record in found if b'"act":' in bytes(record.entry.answer)]

    async def scene() -> None:
        in_one_go = await recorded(await open_to_read(str(place)))
        assert in_one_go == await recorded(await line_by_line())
        assert len(in_one_go) > len(lines)

    asyncio.run(scene())


def test_what_a_line_leads_to_at_the_table_is_recorded_behind_the_line() -> None:
    async def scene() -> None:
        journal = memory()
        night = await begin(journal)
        await night.open()
        await night.say(by("D1", "open"), by("operator", "option", option="dragon_bonus", choice=2))
        await night.say(by("D1", "close"))
        answer = await night.table.ask(by("D1", "void"))
        keys = [record.entry.key for record in await records_of(journal)]
        n = night.table.n
        assert keys[-2:] == [f"ask/line/1/{n}", "house/1/1"]
        assert [(record.n, record.stamp.by) for record in night.table.records[-2:]] == [(n, "D1"), (n, "clock")]
        names = [type(event).__name__ for event in answer.events]
        assert names.index("CoupVoided") < names.index("OptionTakenUp")

    asyncio.run(scene())


def test_every_act_that_is_decided_is_one_record_and_a_malformed_line_is_none() -> None:
    async def scene() -> None:
        journal = memory()
        night = await begin(journal)
        before = (await journal.head("table/T1")).version
        for line in (by("D1", "sign_on"), by("GS1", "cut", at=1), {"do": "dance"}, by("D1", "card", x=1)):
            await night.table.ask(line)
        records = [record async for record in journal.read("table/T1", before)]
        assert [b'"accepted"' in bytes(record.entry.answer) for record in records] == [True, False]
        assert b'"refused":{"code":"table_closed","clause":"CROWN 2.2(c)"' in bytes(records[1].entry.answer)

    asyncio.run(scene())


def test_the_opening_record_carries_the_digests_of_rule_set_and_program() -> None:
    journal, night = played(coups=1)
    answers = [bytes(record.entry.answer) for record in asyncio.run(records_of(journal))]
    opening = next(answer for answer in answers if b'"TableOpened"' in answer)
    digest = night.state.rule_set_digest
    assert digest
    assert f'"rule_set_digest":"{digest}","build":"{BUILD}"'.encode() in opening


def test_without_snapshots_a_table_comes_back_the_same() -> None:
    async def scene() -> None:
        journal = memory()
        await play(journal)
        assert await journal.newest_snapshot("table/T1", SNAPSHOT_FORM) is not None
        with_snapshot = await recover_table(journal, "table/T1")
        other_program = await recover_table(journal, "table/T1", "another form")
        await journal.drop_snapshots("table/T1")
        without = await recover_table(journal, "table/T1")
        assert with_snapshot == without == other_program

    asyncio.run(scene())


def test_another_build_of_the_same_form_starts_from_the_snapshots() -> None:
    async def scene() -> None:
        journal = Counting(Clock())
        await play(journal)
        await (await begin(journal, owner="the second owner")).close()
        kept = {stream: await journal.newest_snapshot(stream, SNAPSHOT_FORM) for stream in ("table/T1", "house")}
        journal.read_from.clear()
        upgraded = replace(backing(journal, owner="the next release"), build="c" * 64)
        await LineFloor(upgraded, Clock()).take(fixture("crown"))
        for stream, snapshot in kept.items():
            assert snapshot is not None
            assert journal.read_from[stream][:2] == [snapshot.version - 1, snapshot.version]

    asyncio.run(scene())


def test_a_snapshot_that_does_not_fit_the_chain_is_passed_over() -> None:
    async def scene() -> None:
        journal, other = memory(), memory()
        await play(journal, seed=1)
        await play(other, seed=2)
        foreign = await other.newest_snapshot("table/T1", SNAPSHOT_FORM)
        assert foreign is not None
        right = await recover_table(journal, "table/T1")
        await journal.save_snapshot(foreign)
        assert await recover_table(journal, "table/T1") == right

    asyncio.run(scene())


def test_the_house_comes_back_from_its_snapshot_without_reading_what_is_before_it() -> None:
    async def scene() -> None:
        journal = Counting(Clock())
        night = await play(journal)
        await begin(journal, owner="the second owner")
        head = await journal.head("house")
        journal.read_from.clear()
        with_snapshot = await recover_house(journal)
        assert min(journal.read_from["house"]) == head.version - 1
        assert with_snapshot == await recover_house(journal, "another form")
        await journal.drop_snapshots("house")
        assert with_snapshot == await recover_house(journal)
        assert with_snapshot.state == night.floor.house

    asyncio.run(scene())


def test_the_house_is_saved_every_so_many_records_and_whenever_an_owner_begins() -> None:
    async def scene() -> None:
        journal = memory()
        await (await begin(journal)).close()
        night = await begin(journal, owner="the second owner")
        before = await _saved(journal)
        assert before == (await journal.head("house")).version
        lines = [by("operator", "configure_house", ticket_validity_days=day % 2) for day in range(HOUSE_SNAPSHOT_EVERY)]
        for line in lines[:-1]:
            await night.table.ask(line)
        assert await _saved(journal) == before
        await night.table.ask(lines[-1])
        assert await _saved(journal) == before + HOUSE_SNAPSHOT_EVERY

    asyncio.run(scene())


@pytest.mark.parametrize("kept", [b"", b"no snapshot", msgspec.msgpack.encode({"n": 1, "now_ms": 1, "state": b"?"})])
def test_a_snapshot_of_the_house_that_cannot_be_read_is_passed_over(kept: bytes) -> None:
    async def scene() -> None:
        journal = memory()
        await play(journal, coups=1)
        right = await recover_house(journal)
        await journal.save_snapshot(snapshot_at(await journal.head("house"), kept))
        assert await recover_house(journal) == right

    asyncio.run(scene())


@pytest.mark.clause("CROWN 11.15(a)")
def test_a_coup_is_void_if_the_program_stopped_while_it_was_open_for_wagers() -> None:
    async def scene() -> None:
        journal = memory()
        night = await begin(journal)
        await night.open()
        await night.say(by("D1", "open"), by("A1", "set_wager", bet="banker", cents=2_500))
        await night.close()
        again = await begin(journal, owner="the second owner")
        assert [type(event).__name__ for event in again.table.found] == ["SystemRestarted", "CoupVoided"]
        assert again.table.state.purse("A1").balance == 500_000
        assert not again.floor.house.tables["T1"].busy
        assert not (await recover_house(journal)).state.tables["T1"].busy
        keys = [record.entry.key for record in await records_of(journal)]
        assert keys[-2:] == ["started/2", "restart/2"]
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
        assert again.table.state.awaits_confirmation
        refused = await again.table.ask(by("D1", "card", card="9S"))
        assert refused.refusal is not None
        assert refused.refusal.clause == "CROWN 11.15(b)"
        await again.say(by("D1", "confirm_records"), by("D1", "card", card="9S"))
        assert again.table.state.purse("A1").wagered == 2_500

    asyncio.run(scene())


async def _taken_over(night: Night) -> Night:
    """The owner dies with everything as it is, and its lease runs out."""
    lease = await night.journal.lease("table/T1")
    assert lease is not None
    await night.journal.release_lease(lease)
    return await begin(night.journal, owner="the second owner")


async def _saved(journal: MemoryJournal) -> int:
    snapshot = await journal.newest_snapshot("house", SNAPSHOT_FORM)
    assert snapshot is not None
    return snapshot.version


def test_the_second_owner_is_told_who_the_first_is() -> None:
    async def scene() -> None:
        journal = memory()
        await begin(journal, owner="process 7 on pit-a")
        before = await journal.head("table/T1"), await journal.head("house")
        with pytest.raises(NotKept, match="held by process 7 on pit-a"):
            await begin(journal, owner="process 8 on pit-b")
        assert (await journal.head("table/T1"), await journal.head("house")) == before

    asyncio.run(scene())


def test_two_tables_of_one_house_are_played_by_two_programs() -> None:
    """Each has its table alone and the house with the other; what both ask of it at once is done for both."""

    async def scene() -> None:
        journal = memory()
        for patrons in ((), ("P1", "P2", "P3")):
            floors = [LineFloor(backing(journal, owner=f"process {number}"), Clock()) for number in (7, 8)]
            one, other = (
                await floors[0].take(fixture("crown")),
                await floors[1].take(replace(fixture("crown"), table="T2")),
            )
            for table, patron in zip((one, other, one), patrons, strict=False):
                answer = await table.ask(by("CS1", "exclude", patron=patron, reason="noise"))
                assert answer.ok, answer.refusal
            for floor in floors:
                await floor.close()
        house = (await recover_house(journal)).state
        assert house.exclusions.keys() == {"P1", "P2", "P3"}
        assert house.tables.keys() == {"T1", "T2"}

    asyncio.run(scene())


def test_an_owner_that_was_replaced_notices_and_answers_nothing_more() -> None:
    async def scene() -> None:
        clock = Clock()
        journal = MemoryJournal(clock)
        floor = LineFloor(backing(journal), clock)
        first = await floor.take(fixture("crown"))
        clock.ms += 60_000
        await begin(journal, owner="the second owner")
        with pytest.raises(NotKept):
            await first.wake()
        with pytest.raises(NotKept):
            await first.ask(by("D1", "sign_on"))

    asyncio.run(scene())


def test_an_owner_that_was_replaced_and_has_not_noticed_answers_nothing_either() -> None:
    """The fence is the version of the stream, not the lease."""

    async def scene() -> None:
        clock = Clock()
        journal = MemoryJournal(clock)
        first = await begin(journal)
        clock.ms += 60_000
        await begin(journal, owner="the second owner")
        before = await journal.head("table/T1")
        with pytest.raises(NotKept):
            await first.table.ask(by("D1", "sign_on"))
        assert await journal.head("table/T1") == before

    asyncio.run(scene())


def test_an_owner_that_renews_its_lease_keeps_the_table_however_long_nobody_says_a_word() -> None:
    async def scene() -> None:
        clock = Clock()
        journal = MemoryJournal(clock)
        table = await LineFloor(backing(journal), clock).take(fixture("crown"))
        for _ in range(10):
            clock.ms += 5_000
            await table.wake()
        with pytest.raises(NotKept, match="held by the first owner"):
            await begin(journal, owner="the second owner")
        assert (await table.ask(by("D1", "sign_on"))).ok

    asyncio.run(scene())


def test_a_journal_is_signed_on_only_by_its_own_key_or_one_that_it_vouched_for(tmp_path: Path) -> None:
    place = RecordPlace(str(tmp_path / "night.journal"), tmp_path / "casino.key", None)
    configuration = fixture("crown")

    async def scene() -> None:
        key_in(tmp_path)
        async with recorded_table(place, configuration) as table:
            assert (await table.ask(by("D1", "sign_on"))).ok
        before = await _heads(place)
        key_in(tmp_path, "stranger.key")
        with pytest.raises(NotKept, match="does not know key"):
            async with recorded_table(replace(place, key=tmp_path / "stranger.key"), configuration):
                pytest.fail("a stranger signs nothing")
        assert await _heads(place) == before
        rotate(tmp_path / "casino.key")
        async with recorded_table(place, configuration) as table:
            assert (await table.ask(by("D1", "open_table"))).ok
        assert await _heads(place) != before

    asyncio.run(scene())


async def _heads(place: RecordPlace) -> list[object]:
    journal: Journal = await open_journal(place.journal)
    try:
        return [await journal.head(stream) for stream in await journal.streams()]
    finally:
        await journal.close()


def test_a_table_that_is_left_in_order_is_vouched_for_and_goes_on_from_its_file(tmp_path: Path) -> None:
    place = RecordPlace(str(tmp_path / "night.journal"), tmp_path / "casino.key", tmp_path / "night.anchor")

    async def scene() -> None:
        key_in(tmp_path)
        async with recorded_table(place, fixture("crown")) as table:
            for line in (by("D1", "sign_on"), by("D1", "open_table"), by("A1", "note", cents=5_000)):
                assert (await table.ask(line)).ok
            left, n = table.state, table.n
        journal = await open_to_read(place.journal)
        for stream in ("house", "table/T1"):
            [*_, newest] = await journal.checkpoints(stream)
            assert newest.head == await journal.head(stream)
        await journal.close()
        async with recorded_table(place, fixture("crown")) as table:
            assert (table.state, table.n) == (left, n)

    asyncio.run(scene())


async def _broken_off(place: RecordPlace) -> None:
    async with recorded_table(place, fixture("crown")) as table:
        assert (await table.ask(by("D1", "sign_on"))).ok
        raise ZeroDivisionError


def test_a_table_that_is_broken_off_is_vouched_for_no_further_and_stays_held(tmp_path: Path) -> None:
    place = RecordPlace(str(tmp_path / "night.journal"), tmp_path / "casino.key", None)

    async def scene() -> None:
        key_in(tmp_path)
        with pytest.raises(ZeroDivisionError):
            await _broken_off(place)
        journal = await open_to_read(place.journal)
        assert not await journal.checkpoints("table/T1")
        await journal.close()
        with pytest.raises(NotKept, match="held by process"):
            async with recorded_table(place, fixture("crown")):
                pytest.fail("the lease has not run out")

    asyncio.run(scene())


def test_a_configuration_that_no_table_may_have_leaves_the_journal_empty() -> None:
    async def scene() -> None:
        journal = memory()
        bad = replace(fixture("crown"), wagering_period_ms=0)
        with pytest.raises(Mistake, match=r"configuration: a wagering period of 0 ms .* \(CROWN 8.1\(a\)\)"):
            await LineFloor(backing(journal), Clock()).take(bad)
        assert await journal.streams() == []
        await begin(journal)

    asyncio.run(scene())


def test_a_new_table_has_nothing_to_tell_of_what_was_found() -> None:
    async def scene() -> None:
        night = await begin(memory())
        assert night.table.found == ()

    asyncio.run(scene())


def test_what_a_power_failure_kept_from_the_house_is_told_again() -> None:
    """A ticket is in the table's stream, and the house's record of it never came."""

    async def scene() -> None:
        journal = Failing(Clock())
        night = await begin(journal)
        await night.open()
        journal.fails, journal.only = Unknown("power failure"), b'"register_ticket"'
        with pytest.raises(NotKept):
            await night.table.ask(by("R1", "leave"))
        journal.fails = None
        [requested] = (await recover_house(journal)).state.tickets.values()
        assert requested.status == "requested"
        again = await _taken_over(night)
        [(number, ticket)] = again.floor.house.tickets.items()
        assert (ticket.cents, ticket.status) == (10_000, "issued")
        assert number in again.table.state.tickets
        assert (await recover_house(journal)).state.tickets[number].status == "issued"

    asyncio.run(scene())
