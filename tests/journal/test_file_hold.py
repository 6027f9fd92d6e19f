"""One process at a time writes to a journal; a process that dies holds nothing."""

import asyncio
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from sabot.journal.file_hold import FileHold
from sabot.journal.journal import Unusable
from sabot.journal.sqlite import open_sqlite
from sabot.journal.sqlite_file import connect
from tests.journal.sqlite_files import written
from tests.journal.test_sqlite_processes import owner


def named(path: Path) -> Path:
    return path


def linked(path: Path) -> Path:
    other = path.with_name("another name")
    other.hardlink_to(path)
    return other


async def _opened(path: Path) -> None:
    await (await open_sqlite(path)).close()


@pytest.mark.parametrize("by", [named, linked])
def test_a_journal_that_another_process_writes_to_is_not_opened_under_any_name(
    tmp_path: Path, by: Callable[[Path], Path]
) -> None:
    path = tmp_path / "journal"
    written(path)
    other = by(path)
    with owner(path, "t") as process:
        with pytest.raises(Unusable, match=f"in use by process {process.pid} on {socket.gethostname()}"):
            asyncio.run(_opened(other))
        process.kill()
        process.wait()
        asyncio.run(_opened(path))


def test_the_process_that_holds_a_file_does_not_hold_it_twice_and_loses_no_lock_by_trying(tmp_path: Path) -> None:
    """Under POSIX a descriptor that is closed releases the locks that SQLite has on the same file."""

    async def test() -> None:
        journal = await open_sqlite(path)
        with pytest.raises(Unusable, match=f"process {os.getpid()} "):
            await open_sqlite(path)
        await journal.close()
        await _opened(path)

    path = tmp_path / "journal"
    written(path)
    asyncio.run(test())


def test_a_hold_and_the_locks_of_sqlite_do_not_hinder_one_another(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    written(path)
    hold = FileHold(path, "the journal")
    db = connect(path)
    db.execute("BEGIN EXCLUSIVE; COMMIT")
    db.close()
    hold.release()
    asyncio.run(_opened(path))
