"""A file of an earlier format is read as it is, and brought to the newest when it is opened for writing."""

import asyncio
import random
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from sabot.journal.anchor import Anchor
from sabot.journal.journal import Appended, Damaged
from sabot.journal.sqlite import open_read_only, open_sqlite
from sabot.journal.sqlite_file import FORMAT, upgrade
from sabot.journal.sqlite_start_checks import trust_nobody, verify
from tests.audit.release_journals import FLOOR, unpack
from tests.journal.disks import RecordingDisk, Weather, connect_on, image
from tests.journal.entries import entry
from tests.journal.samples import derived, names_between, read
from tests.journal.sqlite_files import bytes_in, tamper, written

FIRST_RELEASE = "0.1.0"


def format_in(path: Path) -> int:
    with closing(apsw.Connection(f"file:{path}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | 64)) as db:
        return int(db.pragma("user_version"))


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A journal of the first release, alone in a folder."""
    unpack(FIRST_RELEASE, tmp_path)
    folder = tmp_path / "alone"
    folder.mkdir()
    return (tmp_path / FLOOR).rename(folder / "journal")


def test_an_older_format_is_read_without_a_change(kept: Path) -> None:
    async def test() -> None:
        journal = open_read_only(kept)
        streams = await journal.streams()
        assert streams == ["house", "table/DEMO"]
        assert all([await read(journal, stream) for stream in streams])
        assert await journal.derived(streams[0], "anything") is None
        assert await names_between(journal, streams[0], "", "z") == []

    before = bytes_in(kept.parent)
    asyncio.run(test())
    assert bytes_in(kept.parent) == before
    assert format_in(kept) == 1


def test_an_older_format_is_brought_to_the_newest_when_it_is_opened_for_writing(kept: Path) -> None:
    async def test() -> None:
        reader = open_read_only(kept)
        before = {stream: await read(reader, stream) for stream in await reader.streams()}
        journal = await open_sqlite(kept)
        for stream, records in before.items():
            assert await read(journal, stream) == records
            [more] = (await journal.head(stream)).then(99, [entry("more")])
            assert await journal.append(stream, more.version - 1, [more]) == Appended(more.version)
            await journal.keep([derived(stream, "sum", more.version)])
            assert await reader.derived(stream, "sum") == derived(stream, "sum", more.version)
        await journal.close()

    asyncio.run(test())
    assert format_in(kept) == FORMAT
    verify(kept, Anchor(), trust_nobody)


def test_a_power_failure_leaves_an_older_format_or_the_newest(kept: Path, quick_folder: Path) -> None:
    start, heads = bytes_in(kept.parent), verify(kept, Anchor(), trust_nobody).heads
    disk = RecordingDisk(f"recording {kept}")
    try:
        with closing(connect_on(disk, kept)) as db:
            upgrade(db)
    finally:
        disk.unregister()
    chance, formats = random.Random(3), set()
    for count in range(len(disk.steps) + 1):
        for weather in (Weather(), Weather(missing=1), Weather(missing=0, torn=0)):
            for file in quick_folder.iterdir():
                file.unlink()
            for name, content in image(start, disk.steps[:count], chance, weather).items():
                (quick_folder / name).write_bytes(content)
            path = quick_folder / "journal"
            assert verify(path, Anchor(), trust_nobody).heads == heads
            asyncio.run(_opened_and_closed(path))
            formats.add(format_in(path))
    assert len(disk.steps) > 5
    assert formats == {FORMAT}


async def _opened_and_closed(path: Path) -> None:
    await (await open_sqlite(path)).close()


@pytest.mark.parametrize(
    "damage",
    ["version = 99", "value = x'00'", "seal = zeroblob(32)", "name = 'coup/1 '", "stream = 't', value = zeroblob(9)"],
)
def test_a_damaged_derived_value_counts_as_absent_and_is_replaced(tmp_path: Path, damage: str) -> None:
    async def keep(version: int) -> None:
        journal = await open_sqlite(path)
        await journal.keep([derived("t", "coup/1", version)])
        await journal.close()

    path = tmp_path / "journal"
    written(path)
    asyncio.run(keep(5))
    tamper(path, f"UPDATE derived SET {damage}")  # noqa: S608
    assert asyncio.run(open_read_only(path).derived("t", "coup/1")) is None
    asyncio.run(keep(6))
    assert asyncio.run(open_read_only(path).derived("t", "coup/1")) == derived("t", "coup/1", 6)


def test_a_damaged_derived_value_is_not_passed_over_among_others(tmp_path: Path) -> None:
    """A caller that adds them up would not notice the gap."""

    async def keep() -> None:
        journal = await open_sqlite(path)
        await journal.keep([derived("t", f"hour/{hour}", hour) for hour in range(1, 4)])
        await journal.close()

    path = tmp_path / "journal"
    asyncio.run(keep())
    tamper(path, "UPDATE derived SET value = x'00' WHERE name = 'hour/2'")
    with pytest.raises(Damaged, match="the derived value 'hour/2' of 't' is damaged"):
        asyncio.run(names_between(open_read_only(path), "t", "hour/1", "hour/3"))
    assert asyncio.run(names_between(open_read_only(path), "t", "hour/3", "hour/3")) == ["hour/3"]
