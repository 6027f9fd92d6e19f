"""The SQLite journal keeps the contract."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from sabot.journal.journal import Journal
from sabot.journal.sqlite import open_sqlite
from tests.journal.contract import DurableJournalContract


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
