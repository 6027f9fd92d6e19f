"""A copy is the journal again, byte for byte, or it is not made."""

import asyncio
from pathlib import Path

import pytest

from sabot.audit.journal_copy import copy
from sabot.audit.verify import Against, verify
from sabot.basics.mistake import Mistake
from sabot.floor.records.recovery import recover_table
from sabot.journal.journal import ReadableJournal
from sabot.journal.opening import open_journal, open_to_read
from tests.audit.forgery import TABLE, forged, reworded
from tests.floor.nights import BUILD, begin, key_in, memory, play, played, records_of


def _quiet(*_: object) -> None:
    """Reports no progress."""


def test_a_journal_goes_to_a_file_and_back_without_a_difference(tmp_path: Path) -> None:
    async def scene() -> None:
        source, back = memory(), memory()
        await play(source, key=key_in(tmp_path))
        file = await open_journal(str(tmp_path / "night.journal"))
        await copy(source, file, _quiet)
        await file.close()
        reader = await open_to_read(str(tmp_path / "night.journal"))
        await copy(reader, back, _quiet)
        for name in ("house", TABLE):
            assert await records_of(back, name) == await records_of(source, name) == await records_of(reader, name)
            assert await back.checkpoints(name) == await source.checkpoints(name)
        assert (await verify(reader, Against(BUILD), _quiet)).ok

    asyncio.run(scene())


def test_a_target_that_is_not_empty_is_left_alone() -> None:
    async def scene() -> None:
        source, target = memory(), memory()
        await play(source, coups=1)
        await begin(target)
        before = await records_of(target)
        with pytest.raises(Mistake, match="not empty"):
            await copy(source, target, _quiet)
        assert await records_of(target) == before

    asyncio.run(scene())


def test_a_source_that_is_not_whole_is_not_copied() -> None:
    journal, _ = played(coups=1)
    damaged = asyncio.run(forged(journal))
    damaged.records()[7] = reworded(damaged.records()[7], lambda text: text + b" ")
    target = memory()
    with pytest.raises(Mistake, match="table/T1 record 8"):
        asyncio.run(copy(damaged, target, _quiet))
    assert asyncio.run(_records(target)) == 0


async def _records(journal: ReadableJournal) -> int:
    return len(await records_of(journal))


def test_a_table_plays_on_while_it_is_copied_and_goes_on_from_its_copy(tmp_path: Path) -> None:
    async def scene() -> None:
        place = str(tmp_path / "night.journal")
        live = await open_journal(place)
        night = await begin(live)
        await night.open()
        copied = await open_journal(str(tmp_path / "copy.journal"))
        _, told = await asyncio.gather(night.coup(), copy(await open_to_read(place), copied, _quiet))
        records = next(one.records for one in told if one.stream == TABLE)
        assert 0 < records <= len(await records_of(live))
        found = (await recover_table(copied, TABLE)).state
        assert found == night.states.get(records, found)
        await begin(copied, owner="who goes on from the copy")
        assert await records_of(copied) != await records_of(live)
        await copied.close()
        await live.close()

    asyncio.run(scene())
