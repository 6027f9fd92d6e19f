"""The SQLite journal keeps the contract."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from sabot.journal import sqlite_writer
from sabot.journal.journal import Appended, Conflict, Journal
from sabot.journal.record import head_after, start_of
from sabot.journal.sqlite import open_sqlite
from tests.journal.contract import DurableJournalContract
from tests.journal.entries import entry


class TestSqliteJournal(DurableJournalContract):
    @pytest.fixture(autouse=True)
    def _place(self, tmp_path: Path) -> None:
        self.path = tmp_path / "journal"
        self.now_ms = 1_000_000

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Journal]:
        journal = await open_sqlite(self.path, now_ms=lambda: self.now_ms, alone=False)
        yield journal
        await journal.close()

    async def let_pass(self, journal: Journal, ms: int) -> None:  # noqa: ARG002  Its clock is here.
        self.now_ms += ms


def test_a_repeated_key_takes_nothing_along_that_is_written_in_the_same_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_writer, "ALONE_PACE_S", 0.2)  # All that follow the first come into one commit.

    async def run() -> None:
        journal = await open_sqlite(tmp_path / "journal")
        heads = {name: start_of(name) for name in "abc"}
        first = heads["b"].then(1, [entry("once")])
        assert await journal.append("b", 0, first) == Appended(1)
        heads["b"] = head_after(first[-1])
        keys = {"a": ["one", "two"], "b": ["new", "once"], "c": ["three"]}
        written = {name: heads[name].then(1, map(entry, keys[name])) for name in "abc"}
        appending = [journal.append(name, heads[name].version, written[name]) for name in "abc"]
        outcomes = await asyncio.gather(*appending)
        assert outcomes == [Appended(2), Conflict(1, ("once", 1)), Appended(1)]
        kept = {name: [record async for record in journal.read(name)] for name in "abc"}
        assert kept == {"a": written["a"], "b": first, "c": written["c"]}
        again = heads["b"].then(1, [entry("new")])
        assert await journal.append("b", 1, again) == Appended(2)
        await journal.close()

    asyncio.run(run())
