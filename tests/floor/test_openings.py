"""The state that a part of a journal opens with is read by every later program, or its form has another number."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from sabot.audit.rotation_plan import make_snapshots, rotation_plan
from sabot.floor.records.openings import STEPS, StateMark, opening_of, read_mark, snapshot_of, write_mark
from sabot.floor.records.recovery import kept_table, recover_table, snapshot_at, table_mark
from sabot.floor.records.state_form import STATE_FORM
from sabot.journal.journal import NewerProgram
from sabot.journal.opening import open_journal
from sabot.journal.parts import OpeningState
from sabot.table.state import TableState
from tests.floor.nights import begin, by, key_in, memory, play
from tests.journal.parted import part


def test_a_snapshot_is_read_back_from_the_state_that_a_part_opens_with() -> None:
    async def scene() -> None:
        journal = memory()
        await play(journal)
        found = await recover_table(journal, "table/T1")
        assert isinstance(found.state, TableState)
        snapshot = snapshot_at(found.head, table_mark(found.state, found.n, found.now_ms))
        opening = opening_of(snapshot)
        assert snapshot_of(opening) == snapshot
        assert kept_table(snapshot) == found.state

    asyncio.run(scene())


def test_steps_bring_an_older_state_to_the_present_form() -> None:
    assert not STEPS, "each step has a kept state of its form among these tests"
    mark = write_mark(StateMark(3, 4, msgspec.msgpack.encode(["old"])))
    old = OpeningState("table/T1", 9, b"link", STATE_FORM - 1, mark)
    read = snapshot_of(old, {STATE_FORM - 1: lambda stream, state: [*state, f"new in {stream}"]})
    assert read is not None
    found = read_mark(read.state)
    assert (found.n, found.now_ms) == (3, 4)
    assert msgspec.msgpack.decode(found.state) == ["old", "new in table/T1"]


def test_a_state_of_a_newer_program_is_refused() -> None:
    with pytest.raises(
        NewerProgram, match=f"has form {STATE_FORM + 1}, and this program knows none above {STATE_FORM}"
    ):
        snapshot_of(OpeningState("table/T1", 9, b"link", STATE_FORM + 1, b""))


def test_an_act_that_names_a_coup_of_a_part_that_is_away_is_refused_and_the_table_plays_on(tmp_path: Path) -> None:
    async def scene() -> None:
        journal = await open_journal(str(path), keys=(key.public,))
        night = await begin(journal, key, keeps=1)
        await night.open()
        for _ in range(4):
            await night.coup()
        await night.close()
        await make_snapshots(journal)
        await journal.rotate(await rotation_plan(journal, key, 1))
        part(path, 1).rename(tmp_path / "away")
        night = await begin(journal, key, owner="the next", keeps=1)
        await night.another_shoe()
        await night.coup()
        await night.say(by("D1", "freeze"))
        cards = ["2S", "4H", "3D", "3C", "8S"]
        answer = await night.table.ask(by("D1", "correct", coup=1, cards=cards))
        assert answer.refusal is not None
        assert answer.refusal.code == "part_away"
        assert "part 1 of the journal is not here" in answer.refusal.text
        await night.say(by("D1", "unfreeze"))
        await night.coup()
        (tmp_path / "away").rename(part(path, 1))
        await night.say(by("D1", "freeze"))
        answer = await night.table.ask(by("D1", "correct", coup=1, cards=cards))
        assert answer.refusal is None or answer.refusal.code != "part_away"
        await night.close()
        await journal.close()

    path, key = tmp_path / "floor.journal", key_in(tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sabot.journal.parts.CARRIED_RECORDS", 30)
        patch.setattr("sabot.floor.table_owner.take_over.TOLD_AGAIN", 5)
        asyncio.run(scene())
