"""The journal in memory keeps the contract."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from sabot.journal.journal import Journal
from sabot.journal.memory import MemoryJournal
from tests.journal.contract import JournalContract


class TestMemoryJournal(JournalContract):
    @pytest.fixture(autouse=True)
    def _clock(self) -> None:
        self.now_ms = 1_000_000

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Journal]:
        journal = MemoryJournal(lambda: self.now_ms)
        yield journal
        await journal.close()

    async def let_pass(self, journal: Journal, ms: int) -> None:  # noqa: ARG002  Its clock is here.
        self.now_ms += ms
