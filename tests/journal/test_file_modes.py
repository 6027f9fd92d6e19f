"""No file of a journal can be read by other users of the machine, whatever the umask: it holds ticket numbers."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from sabot.audit.journal_copy import copy
from sabot.journal.anchor import Anchor, Anchoring, write_anchor
from sabot.journal.keys import new_key, rotate
from sabot.journal.opening import create, open_to_read, open_to_write
from sabot.journal.record import Entry, start_of
from sabot.journal.sqlite import open_sqlite
from sabot.journal.sqlite_file import create as make_journal
from tests.journal.entries import entry


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def _modes(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): path.stat().st_mode & 0o077 for path in folder.rglob("*")}


async def _write_one(path: Path, anchor: Path) -> dict[str, int]:
    """The modes while the journal is open, with its log beside it."""
    journal = await open_sqlite(path, anchoring=Anchoring(anchor))
    one: Entry = entry("a")
    await journal.append("table/T1", 0, start_of("table/T1").then(0, [one]))
    try:
        return _modes(path.parent)
    finally:
        await journal.close()


@pytest.mark.usefixtures("open_umask")
def test_what_is_made_is_its_owners_alone(tmp_path: Path) -> None:
    make_journal(tmp_path / "bare.journal")
    path = tmp_path / "floor.journal"
    running = asyncio.run(_write_one(path, tmp_path / "floor.anchor"))
    assert {f"{path.name}-wal", f"{path.name}-shm", "floor.anchor"} <= set(running)
    assert not any(running.values()), running
    new_key(tmp_path / "signing.key")
    rotate(tmp_path / "signing.key")
    write_anchor(tmp_path / "other.anchor", Anchor())

    async def copied() -> None:
        source = await open_to_read(str(path))
        async with create(str(tmp_path / "copy.journal")) as target:
            await copy(source, target, lambda *_: None)

    asyncio.run(copied())
    assert not any(_modes(tmp_path).values()), _modes(tmp_path)


def test_a_journal_that_others_can_read_is_closed_to_them_and_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "floor.journal"
    asyncio.run(_write_one(path, tmp_path / "floor.anchor"))
    path.chmod(0o644)

    async def opened() -> tuple[str, ...]:
        one = await open_to_write(str(path))
        await one.journal.close()
        return tuple(one.report.warnings)

    said = [sentence for sentence in asyncio.run(opened()) if "by others" in sentence]
    assert said == [f"the journal {path} could be used by others (mode 644), and is now its owner's alone"]
    assert path.stat().st_mode & 0o777 == 0o600
    assert not [sentence for sentence in asyncio.run(opened()) if "by others" in sentence]
