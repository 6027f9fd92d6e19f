"""A table's state does not grow with its past; what fell out of it is brought back by a record when an act names it."""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from sabot.audit.problem import ProblemKind
from sabot.audit.verify import Against, Verdict, verify
from sabot.basics.stamp import Stamp
from sabot.cli.random_nights import read_authority
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.nights.night import Night as RandomNight
from sabot.floor.nights.plausible import some_card
from sabot.floor.records.record_codec import written
from sabot.floor.records.recovery import TABLE_SNAPSHOT_EVERY, kept_table, recover_table
from sabot.floor.records.shelf import SHELF, SHELVED_TO, coup_name, packed, unpacked
from sabot.floor.records.state_form import SNAPSHOT_FORM
from sabot.floor.simulator.chance import Chance
from sabot.floor.table_owner.errands import Backing
from sabot.floor.table_owner.foreseeing import Present, foresee
from sabot.journal.journal import Derived, Journal, Snapshot
from sabot.journal.memory import MemoryJournal
from sabot.journal.sqlite import open_sqlite
from sabot.ledger.account import Account
from sabot.table import acts
from sabot.table.preview import Preview
from sabot.table.role import Role
from sabot.table.snapshot import digest_of, write_state
from sabot.table.state import TableState
from tests.audit.forgery import TABLE, forged, reworded
from tests.floor.nights import BUILD, Clock, Night, begin, by, memory

MATRIX = Path(__file__).parents[1] / "data" / "role_matrix.tsv"


class Played:
    """A night of some coups at a table that keeps few of them, and the cards of each."""

    def __init__(self, night: Night) -> None:
        self.night, self.cards = night, dict[int, tuple[str, ...]]()

    async def coups(self, count: int) -> None:
        for _ in range(count):
            await self.night.coup()
            newest = self.night.state.put_right_last
            assert newest is not None
            self.cards[newest.coup] = newest.cards

    async def correct(self, coup: int) -> None:
        """The coup was another one: its cards in another order of suits."""
        cards = list(self.cards[coup])
        cards[0] = cards[0][0] + ("H" if cards[0][1] != "H" else "S")
        await self.night.say(by("D1", "freeze"))
        await self.night.try_(by("CS1", "correct", coup=coup, cards=cards))
        await self.night.try_(by("CS1", "recalculate"))
        await self.night.try_(by("D1", "unfreeze"))

    @property
    def acts(self) -> list[type[acts.Act]]:
        return [type(record.act) for record in self.night.table.records if record.act is not None]


async def played(journal: Journal, coups: int, keeps: int = 3) -> Played:
    night = await begin(journal, keeps=keeps)
    await night.open()
    one = Played(night)
    await one.coups(coups)
    return one


def run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(test())  # type: ignore[arg-type]


def proved(journal: Journal) -> Awaitable[Verdict]:
    return verify(journal, Against(BUILD), lambda *_: None)


class BothWays(RandomNight):
    """A random night at a table that keeps one coup, and the same acts at one that keeps them all."""

    def __init__(self, seed: int) -> None:
        super().__init__(Chance(random.Random(seed).random), read_authority(MATRIX), keeps=1)
        keeps_all = Backing(journal=MemoryJournal(lambda: 0), owner="a night", build="", wall_ms=lambda: 0, keeps=0)
        self.whole = LineFloor(keeps_all).enter(self.table.state.configuration)
        self.brought: Counter[str] = Counter()

    def _anything(self) -> tuple[str, acts.Act, str]:
        """Of what names a coup, any coup of the night."""
        by, act, second = super()._anything()
        past = self.whole.state.played
        if not past or "coup" not in act.__struct_fields__:
            return by, act, second
        coup = self.chance.pick(past)
        if isinstance(act, acts.Correct):
            cards = (some_card(self._moment()), *coup.cards[1:])
            return by, acts.Correct(coup=coup.coup, cards=cards), second
        return by, replace(act, coup=coup.coup), second

    def say(self, by: str, act: acts.Act, second: str = "") -> bool:
        noted = len(self.table.records)
        done = super().say(by, act, second)
        given = self.table.records[noted:]
        here = [record for record in given if not isinstance(record.act, acts.BringBack)]
        self.brought.update(record.act.wanted.kind for record in given if isinstance(record.act, acts.BringBack))
        there = _given(self.whole, act, by, self.table.now_ms, second)
        assert [written(record.decision) for record in here] == there, act
        bounded, whole = self.table.state, self.whole.state
        assert (bounded.ledger.purses, bounded.meters) == (whole.ledger.purses, whole.meters), act
        assert _not_zero(bounded) == _not_zero(whole), act
        assert bounded.stations == whole.stations, act
        return done


def _not_zero(state: TableState) -> dict[Account, int]:
    return {account: cents for account, cents in state.ledger.books.items() if cents}


def _given(table: LineTable, act: acts.Act, by: str, at_ms: int, second: str) -> list[bytes]:
    noted = len(table.records)
    table.give(act, by, at_ms=at_ms, second=second)
    return [written(record.decision) for record in table.records[noted:]]


@pytest.mark.parametrize("nights", [30, pytest.param(300, marks=pytest.mark.whole)])
def test_a_table_that_keeps_one_coup_answers_and_pays_as_one_that_keeps_all_of_them(nights: int) -> None:
    brought: Counter[str] = Counter()
    for seed in range(nights):
        night = BothWays(seed)
        night.play()
        brought += night.brought
    assert brought["coup"] >= nights // 8, brought


def test_the_state_is_as_large_after_forty_coups_as_after_ten() -> None:
    async def test() -> None:
        one = await played(memory(), 10)
        early = one.night.state
        await one.coups(30)
        late = one.night.state
        assert (len(early.played), len(late.played)) == (3, 3)
        assert len(write_state(late)) - len(write_state(early)) < 300, (
            "longer numbers and more of the shoe is known, nothing else"
        )

    run(test)


def test_a_coup_that_fell_out_is_corrected_and_every_record_is_decided_again_alike() -> None:
    async def test() -> None:
        journal = memory()
        one = await played(journal, 8)
        assert 2 not in {coup.coup for coup in one.night.state.played}
        await one.correct(2)
        kinds = one.acts
        assert kinds[-5:] == [acts.Freeze, acts.BringBack, acts.Correct, acts.Recalculate, acts.Unfreeze]
        (again,) = [coup for coup in one.night.state.played if coup.coup == 2]
        assert again.cards != one.cards[2]
        await one.coups(1)
        assert 2 not in {coup.coup for coup in one.night.state.played}
        await one.correct(2)  # As it was corrected: the same cards are no correction, but are read from the shelf.
        await one.night.close()
        assert (await proved(journal)).problems == []

    run(test)


def test_the_effect_of_correcting_a_coup_that_fell_out_is_foreseen_and_nothing_is_put_on_record() -> None:
    async def foreseen_with(keeps: int) -> Preview:
        journal = memory()
        one = await played(journal, 8, keeps)
        await one.night.say(by("D1", "freeze"))
        correct = acts.Correct(coup=2, cards=("9S", "KH", "KD", "2C"))
        stamp = Stamp(by="CS1", role=Role.CASINO_SUPERVISOR, at_ms=one.night.table.now_ms, second="GS1")
        present = Present(one.night.state, await journal.head(TABLE), {})
        told = await foresee(present, correct, stamp, journal)
        assert await journal.head(TABLE) == present.head
        return told

    async def test() -> None:
        told = await foreseen_with(keeps=3)
        assert told == await foreseen_with(keeps=0)
        assert told.effects

    run(test)


def test_a_coup_that_was_never_settled_is_refused_as_ever() -> None:
    async def test() -> None:
        one = await played(memory(), 2)
        table = one.night.table
        await one.night.say(by("D1", "open", at_ms=table.now_ms + 5_000), by("D1", "close"), by("D1", "void"))
        await one.coups(6)
        await one.night.say(by("D1", "freeze"))
        for coup in (3, 99, 0):
            answer = await table.ask(by("CS1", "correct", coup=coup, cards=["9S", "KD", "8H", "KC"]))
            assert answer.refusal is not None
            assert answer.refusal.code == "unknown_coup"
        assert one.acts.count(acts.BringBack) == 1, "a coup that the table has never reached is not looked for"

    run(test)


def test_a_correction_under_way_keeps_its_coup_through_later_coups() -> None:
    async def test() -> None:
        one = await played(memory(), 8)
        cards = list(one.cards[1])
        await one.night.say(by("D1", "freeze"), by("CS1", "correct", coup=1, cards=cards))
        state = one.night.state
        assert state.correction is not None
        assert 1 in {coup.coup for coup in state.played}
        await one.night.say(by("CS1", "recalculate"), by("D1", "unfreeze"))

    run(test)


def test_a_coup_is_brought_back_from_the_shelf_of_a_journal_on_disk(tmp_path: Path) -> None:
    async def test() -> None:
        journal = await open_sqlite(tmp_path / "journal")
        one = await played(journal, 8)
        await one.night.close()
        night = await begin(journal, owner="the next owner", keeps=3)
        again = Played(night)
        again.cards = one.cards
        await again.correct(2)
        await night.close()
        assert again.acts.count(acts.BringBack) == 1
        assert (await proved(journal)).problems == []
        await journal.close()

    run(test)


class Interrupted(MemoryJournal):
    """A journal that dies between the shelf and the snapshot."""

    fails = False

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        if self.fails:
            raise OSError("the disk is gone")
        await super().save_snapshot(snapshot)


class Unshelved(MemoryJournal):
    """A journal that dies before anything is on the shelf."""

    async def keep(self, values: Sequence[Derived]) -> None:  # noqa: ARG002
        raise OSError("the disk is gone")


@pytest.mark.parametrize("how", ["deleted", "one value deleted", "never written"])
def test_what_is_missing_on_the_shelf_is_derived_again_from_the_records(how: str) -> None:
    async def test() -> None:
        journal = memory()
        one = await played(journal, 8)
        await one.night.close()
        whole = await shelf_of(journal)
        assert whole
        if how == "one value deleted":
            await journal.drop_derived(TABLE)
            await journal.keep([value for name, value in whole.items() if name != coup_name(2)])
        else:
            await journal.drop_derived(TABLE)
        if how == "never written":
            await journal.drop_snapshots(TABLE)
        night = await begin(journal, owner="the next owner", keeps=3)
        again = Played(night)
        again.cards = one.cards
        await again.correct(2)
        assert acts.Recalculate in again.acts
        await night.close()
        found = await shelf_of(journal)
        assert {name: found[name].value for name in whole if name != SHELVED_TO} == {
            name: value.value for name, value in whole.items() if name != SHELVED_TO
        }
        assert (await proved(journal)).problems == []

    run(test)


async def shelf_of(journal: MemoryJournal) -> dict[str, Derived]:
    pages = [page async for page in journal.derived_between(TABLE, SHELF, SHELF + "~")]
    return {value.name: value for page in pages for value in page}


def test_no_snapshot_is_kept_before_all_that_fell_out_is_on_the_shelf() -> None:
    async def test() -> None:
        journal = Unshelved(Clock())
        one = await played(journal, 8)
        with pytest.raises(OSError, match="disk"):
            await one.night.close()
        assert await journal.newest_snapshot(TABLE, SNAPSHOT_FORM) is None

    run(test)


def test_an_owner_that_died_between_shelf_and_snapshot_leaves_a_table_that_goes_on() -> None:
    async def test() -> None:
        journal = Interrupted(Clock())
        one = await played(journal, 8)
        journal.fails = True
        with pytest.raises(OSError, match="disk"):
            await one.night.close()
        journal.fails = False
        lease = await journal.lease(TABLE)
        assert lease is not None
        await journal.release_lease(lease)
        journal_state = (await recover_table(journal, TABLE)).state
        night = await begin(journal, owner="the next owner", keeps=3)
        assert isinstance(journal_state, TableState)
        assert night.state.played == journal_state.played
        again = Played(night)
        again.cards = one.cards
        await again.correct(2)
        assert (await proved(journal)).problems == []

    run(test)


def test_owners_that_die_early_leave_no_more_to_read_than_one_that_lives() -> None:
    """What is read counts as unsaved; otherwise every short life would leave more to the next."""

    async def test() -> None:
        journal = memory()
        for life in range(3):
            night = await begin(journal, owner=f"owner {life}", keeps=3)
            await (night.another_shoe() if life else night.open())
            await Played(night).coups(TABLE_SNAPSHOT_EVERY // 3 + 1)
            lease = await journal.lease(TABLE)
            assert lease is not None
            await journal.release_lease(lease)
        snapshot = await journal.newest_snapshot(TABLE, SNAPSHOT_FORM)
        assert snapshot is not None
        kept = kept_table(snapshot)
        assert isinstance(kept, TableState)
        assert kept.played[-1].coup == TABLE_SNAPSHOT_EVERY

    run(test)


def test_records_of_a_program_that_kept_everything_are_read_and_then_bounded() -> None:
    async def test() -> None:
        journal = memory()
        one = await played(journal, 8, keeps=0)
        assert len(one.night.state.played) == 8
        await one.correct(2)
        await one.night.close()
        night = await begin(journal, owner="the next owner", keeps=3)
        assert [coup.coup for coup in night.state.played] == [6, 7, 8]
        again = Played(night)
        again.cards = one.cards
        await again.correct(1)
        left = digest_of(night.state)
        await night.close()
        assert (await proved(journal)).problems == []
        assert digest_of((await recover_table(journal, TABLE)).state) == left

    run(test)


def test_verify_finds_a_value_on_the_shelf_that_does_not_follow_from_the_records() -> None:
    async def test() -> None:
        journal = memory()
        one = await played(journal, 8)
        await one.night.close()
        value = (await shelf_of(journal))[coup_name(2)]
        await journal.keep([replace(value, value=packed(unpacked(value.value).replace(b'"shoe":1', b'"shoe":2')))])
        (problem,) = (await proved(journal)).problems
        assert (problem.kind, coup_name(2) in problem.why) == (ProblemKind.SHELF, True)

    run(test)


def test_verify_finds_a_record_that_brings_back_what_never_was() -> None:
    async def test() -> None:
        journal = memory()
        one = await played(journal, 8)
        await one.correct(2)
        await one.night.close()
        false = await forged(journal)
        place = false.place_of(b'"do":"bring_back"')
        record = false.records()[place - 1]
        false.records()[place - 1] = reworded(record, lambda text: text.replace(b'"shoe":1', b'"shoe":7'))
        false.chain_anew()
        (problem,) = (await proved(false)).problems
        assert (problem.version, problem.kind) == (place, ProblemKind.SHELF)

    run(test)
