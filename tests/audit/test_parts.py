"""A journal of several parts is proved as a whole and part by part; what was done to one of them is found."""

import asyncio
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from sabot.audit.journal_copy import copy
from sabot.audit.problem import ProblemKind
from sabot.audit.rotation_plan import make_snapshots, rotation_plan
from sabot.audit.state_at_record import state_at_record
from sabot.audit.stretch import prove_all
from sabot.audit.verify import Against, Depth, ProvingWorkers, Standing, Verdict, verify
from sabot.floor.records.openings import opening_of
from sabot.floor.records.recovery import recover_house, recover_table, snapshot_at, table_mark
from sabot.floor.table_owner.take_over import TOLD_AGAIN
from sabot.house.refusal import HouseRefused
from sabot.journal.journal import Journal
from sabot.journal.keys import SigningKey
from sabot.journal.opening import open_journal, open_to_read
from sabot.journal.parts import CARRIED_RECORDS
from sabot.table.state import TableState
from tests.audit.forgery import TABLE
from tests.floor.nights import BUILD, begin, key_in, records_of
from tests.floor.test_papers import is_refused_as_paid, put_away, redeemed
from tests.floor.test_shared_owner import House
from tests.journal.parted import part
from tests.journal.sqlite_files import tamper

PARTS = 3
UNGUARDED = ("DROP TRIGGER record_no_update", "DROP TRIGGER record_no_delete")


def _quiet(*_: object) -> None:
    """Reports no progress."""


async def rotate(journal: Journal, key: SigningKey) -> None:
    await make_snapshots(journal)
    await journal.rotate(await rotation_plan(journal, key, 1))


async def play_parts(path: Path, key: SigningKey) -> None:
    """Nights of three owners, one in each part, with a correction of a coup of the part before."""
    journal = await open_journal(str(path), keys=(key.public,))
    for number in range(PARTS):
        night = await begin(journal, key, owner=f"owner {number}")
        if number:
            await night.another_shoe()
        else:
            await night.open()
        await night.coup()
        await night.coup()
        if number == 1:
            await night.correction(2)
        if number == 0:
            await night.ticket()
        await night.close()
        if number < PARTS - 1:
            await rotate(journal, key)
    await journal.close()


@pytest.fixture(scope="module")
def parted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SigningKey]:
    folder = tmp_path_factory.mktemp("parted")
    key = key_in(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sabot.journal.parts.CARRIED_RECORDS", 5)
        asyncio.run(play_parts(folder / "floor.journal", key))
    return folder / "floor.journal", key


@pytest.fixture
def copied(parted: tuple[Path, SigningKey], tmp_path: Path) -> tuple[Path, SigningKey]:
    for file in parted[0].parent.glob("floor.journal*"):
        shutil.copy(file, tmp_path)
        (tmp_path / file.name).chmod(0o600)
    return tmp_path / "floor.journal", parted[1]


def proved(path: Path, key: SigningKey, depth: Depth = Depth.DECIDED, pieces: int = 1) -> Verdict:
    async def ask() -> Verdict:
        journal = await open_to_read(str(path))
        workers = ProvingWorkers(lambda stretches: prove_all(journal, stretches, _quiet), pieces)
        return await verify(journal, Against(BUILD, key.ring), _quiet, depth=depth, workers=workers)

    return asyncio.run(ask())


@pytest.mark.parametrize("depth", list(Depth))
@pytest.mark.parametrize("pieces", [1, 4])
def test_all_parts_together_are_proved(parted: tuple[Path, SigningKey], depth: Depth, pieces: int) -> None:
    verdict = proved(*parted, depth, pieces)
    assert (verdict.standing, verdict.problems, verdict.unsigned) == (Standing.PROVED, [], [])
    assert [(one.part, one.sealed) for one in verdict.parts] == [
        ("floor.journal.part0001", True),
        ("floor.journal.part0002", True),
        ("floor.journal", False),
    ]
    assert {one.begins for one in verdict.streams} == {0}


@pytest.mark.parametrize("depth", list(Depth))
@pytest.mark.parametrize("pieces", [1, 4])
@pytest.mark.parametrize("number", [1, 2])
def test_a_part_is_proved_alone(copied: tuple[Path, SigningKey], number: int, depth: Depth, pieces: int) -> None:
    path, key = copied
    alone = path.parent / "elsewhere"
    alone.mkdir()
    shutil.move(part(path, number), alone)
    verdict = proved(alone / part(path, number).name, key, depth, pieces)
    assert (verdict.standing, verdict.problems, verdict.unsigned) == (Standing.PROVED, [], [])
    table = next(one for one in verdict.streams if one.stream == TABLE)
    assert (table.begins > 0) is (number > 1)
    assert table.records == table.vouched


def test_a_part_that_is_away_is_named_and_the_rest_is_proved_from_its_state(copied: tuple[Path, SigningKey]) -> None:
    path, key = copied
    part(path, 1).unlink()
    verdict = proved(path, key)
    assert (verdict.standing, verdict.problems) == (Standing.NOT_PROVED, [])
    assert verdict.unsigned == [
        "part 1 is not here: the proof begins with the states with which floor.journal.part0002 opens"
    ]
    part(path, 2).unlink()
    assert proved(path, key).unsigned == [
        "parts 1 to 2 are not here: the proof begins with the states with which floor.journal opens"
    ]


def test_a_new_part_holds_all_that_a_new_owner_tells_the_house_again() -> None:
    assert CARRIED_RECORDS >= TOLD_AGAIN


def test_a_table_goes_on_from_the_open_part_alone(
    copied: tuple[Path, SigningKey], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also for a program that finds no snapshot of its own: it starts from the state that the part opens with."""

    async def scene() -> None:
        whole = await open_to_read(str(path))
        table, house = await recover_table(whole, TABLE, BUILD), await recover_house(whole, BUILD)
        for number in range(1, PARTS):
            part(path, number).unlink()
        journal = await open_journal(str(path), keys=(key.public,))
        for build in (BUILD, "another program"):
            assert await recover_table(journal, TABLE, build) == table
            assert await recover_house(journal, build) == house
        for stream in await journal.streams():
            await journal.drop_snapshots(stream)
        assert await recover_table(journal, TABLE, BUILD) == table
        night = await begin(journal, key, owner="who goes on")
        assert night.table.state.coups == 2 * PARTS
        await night.another_shoe()
        await night.coup()
        await night.close()
        await rotate(journal, key)
        await journal.close()

    path, key = copied
    monkeypatch.setattr("sabot.floor.table_owner.take_over.TOLD_AGAIN", 5)
    asyncio.run(scene())
    assert proved(path, key).problems == []


def test_records_and_states_over_the_parts_are_those_of_a_journal_in_one(
    parted: tuple[Path, SigningKey], tmp_path: Path
) -> None:
    async def scene() -> None:
        whole, target = await open_to_read(str(parted[0])), await open_journal(str(tmp_path / "one.journal"))
        await copy(whole, target, _quiet)
        for stream in await whole.streams():
            assert await records_of(target, stream) == await records_of(whole, stream)
        for until in range(1, (await whole.head(TABLE)).version, 7):
            assert await state_at_record(whole, "T1", until) == await state_at_record(target, "T1", until)
        await target.close()

    asyncio.run(scene())


CHANGES = {
    "a record of an old part is changed": (
        1,
        (*UNGUARDED, "UPDATE record SET body = CAST(body || ' ' AS BLOB) WHERE stream = 'table/T1' AND version = 9"),
    ),
    "a record that the next part holds, too": (
        1,
        (
            *UNGUARDED,
            "UPDATE record SET hash = zeroblob(32) WHERE stream = 'table/T1' AND version ="
            " (SELECT max(version) - 3 FROM record WHERE stream = 'table/T1')",
        ),
    ),
    "the end of an old part is cut off": (
        2,
        (
            *UNGUARDED,
            "DELETE FROM record WHERE stream = 'house' AND version ="
            " (SELECT max(version) FROM record WHERE stream = 'house')",
        ),
    ),
    "the seal is missing": (2, ("DELETE FROM part_seal",)),
    "the seal is unsigned": (2, ("UPDATE part_seal SET signature = zeroblob(64)",)),
    "what it opens with is another": (2, ("UPDATE opening SET state = (SELECT state FROM next_opening)",)),
    "what it hands on is another": (1, ("UPDATE next_opening SET state = x'00'",)),
    "the base is another": (2, ("UPDATE base SET version = version - 1",)),
    "the seal before it is missing": (2, ("DELETE FROM part_before",)),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_was_done_to_a_part_is_found_alone_and_among_all(copied: tuple[Path, SigningKey], what: str) -> None:
    path, key = copied
    number, statements = CHANGES[what]
    tamper(part(path, number), *statements)
    for place in (part(path, number), path):
        verdict = proved(place, key, Depth.RECORDED)
        assert verdict.standing is Standing.WRONG, (place, verdict.says)
        assert verdict.problems


def test_a_part_in_the_place_of_another_is_found(copied: tuple[Path, SigningKey]) -> None:
    path, key = copied
    shutil.copy(part(path, 1), part(path, 2))
    verdict = proved(path, key)
    assert verdict.standing is Standing.WRONG
    assert "is not the part 2 that the part behind it names" in str(verdict.problems[0])


def test_a_forged_state_with_a_seal_of_its_own_is_found(copied: tuple[Path, SigningKey], tmp_path: Path) -> None:
    """Somebody without the key writes the rest anew, so that part 2 and its seal fit another state."""

    async def rewritten() -> None:
        journal = await open_journal(str(path))
        night = await begin(journal, None, owner="somebody")
        await night.another_shoe()
        await night.close()
        await rotate(journal, key_in(tmp_path, "other.key"))
        await journal.close()

    path, key = copied
    asyncio.run(rewritten())
    verdict = proved(path, key)
    assert verdict.standing is Standing.WRONG
    assert verdict.problems[0].kind is ProblemKind.SIGNATURE


def test_a_state_that_the_records_do_not_give_is_found_though_the_seal_is_signed(tmp_path: Path) -> None:
    """The key's holder hands on a state that no record gave."""

    async def scene() -> None:
        journal = await open_journal(str(path), keys=(key.public,))
        night = await begin(journal, key)
        await night.open()
        await night.coup()
        await night.close()
        await make_snapshots(journal)
        plan = await rotation_plan(journal, key, 1)
        found = await recover_table(journal, TABLE, BUILD)
        assert isinstance(found.state, TableState)
        other = replace(found.state, last_result=f"{found.state.last_result}!")
        forged = opening_of(snapshot_at(found.head, table_mark(other, found.n, found.now_ms)))
        others = [one for one in plan.openings if one.stream != TABLE]
        await journal.rotate(replace(plan, openings=[*others, forged]))
        await journal.close()

    path, key = tmp_path / "floor.journal", key_in(tmp_path)
    asyncio.run(scene())
    for place in (path, part(path, 1)):
        [problem] = proved(place, key, Depth.RECORDED).problems
        assert problem.kind is ProblemKind.PART
        assert "opens with is not the one that the records come to" in problem.why


@pytest.mark.clause("CROWN 6.7.2")
def test_a_ticket_that_was_put_away_in_a_part_that_is_away_is_known_as_paid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The papers of the house go along, so any number can be asked for whichever parts are there."""
    monkeypatch.setattr("sabot.journal.parts.CARRIED_RECORDS", 2)
    path, key = tmp_path / "floor.journal", key_in(tmp_path)

    async def scene() -> None:
        journal = await open_journal(str(path), keys=(key.public,))
        house = await put_away(journal)
        await rotate(journal, key)
        await journal.close()
        sealed = part(path, 1)
        sealed.rename(tmp_path / "elsewhere")
        journal = await open_journal(str(path), keys=(key.public,))
        second = await House(journal, "second").open()
        second.now_ms = house.now_ms
        assert second.owner.state == house.owner.state
        await is_refused_as_paid(second)
        assert isinstance(await redeemed(second, "9" * 18), HouseRefused), "nobody issued it"
        assert (await verify(journal, Against(BUILD, key.ring), _quiet)).problems == [], "the part alone"
        (tmp_path / "elsewhere").rename(sealed)
        await journal.close()
        journal = await open_journal(str(path), keys=(key.public,))
        assert (await verify(journal, Against(BUILD, key.ring), _quiet)).problems == [], "all of it"
        await journal.close()

    asyncio.run(scene())
