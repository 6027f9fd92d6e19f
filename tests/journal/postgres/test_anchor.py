"""A database is compared with its anchor before anything is written: what is missing or another is not opened."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from sabot.journal.anchor import Anchor, read_anchor, write_anchor
from sabot.journal.journal import Unusable
from sabot.journal.opening import open_to_write
from sabot.journal.record import start_of
from tests.journal.entries import entries
from tests.journal.postgres.conftest import Database


def test_a_database_that_is_not_what_its_anchor_knows_is_not_opened(tmp_path: Path, database: Database) -> None:
    path, stream = tmp_path / "floor.anchor", "table/T1"

    async def scene() -> None:
        kept = await open_to_write(database.application, anchor=path)
        await kept.journal.append(stream, 0, start_of(stream).then(0, entries(3)))
        head = await kept.journal.head(stream)
        assert await kept.raise_anchor(head) is None
        await kept.journal.close()
        raised = read_anchor(path)
        assert raised is not None
        assert raised.heads == {stream: head}
        again = await open_to_write(database.application, anchor=path)
        await again.journal.close()
        for other, said in (
            (replace(head, version=4), "ends at record 3 .* knows of record 4: acknowledged records are lost"),
            (replace(head, hash=bytes(32)), "record 3 .* is not the one that the anchor .* knows"),
        ):
            write_anchor(path, Anchor({stream: other}))
            with pytest.raises(Unusable, match=said):
                await open_to_write(database.application, anchor=path)

    asyncio.run(scene())
