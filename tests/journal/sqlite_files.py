"""SQLite journals on disk, for tests that look at the files themselves."""

import asyncio
from contextlib import closing
from pathlib import Path

import apsw

from sabot.journal.anchor import Anchoring
from sabot.journal.journal import Appended
from sabot.journal.record import Record, head_after, start_of
from sabot.journal.sqlite import open_sqlite
from tests.journal.entries import entries


def bytes_in(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, so that a test can say that nothing was changed, made or removed."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()}


def written(path: Path, count: int = 20, anchor: Path | None = None, stream: str = "t") -> list[Record]:
    """A closed journal with one stream of so many records, each with its own commit."""

    async def write() -> list[Record]:
        journal = await open_sqlite(path, anchoring=Anchoring(anchor, every_ms=0) if anchor else None)
        records = start_of(stream).then(1, entries(count))
        for record in records:
            assert await journal.append(stream, record.version - 1, [record]) == Appended(record.version)
        await journal.close()
        return records

    return asyncio.run(write())


def tamper(path: Path, *statements: str) -> None:
    """Change the file with a database tool, as a forger would."""
    with closing(apsw.Connection(str(path))) as db:
        for statement in statements:
            list(db.execute(statement))


def continued(records: list[Record], count: int, epoch: int = 1, prefix: str = "more") -> list[Record]:
    return head_after(records[-1]).then(epoch, entries(count, prefix))
