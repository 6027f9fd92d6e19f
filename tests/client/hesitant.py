"""A journal that delays appends, so that a test can check what happens meanwhile."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sabot.journal.journal import AppendOutcome
from sabot.journal.memory import MemoryJournal
from sabot.journal.record import Record
from tests.runtime.floors import wall_ms


class HesitantJournal(MemoryJournal):
    """Delays all appends, or some of them, while `goes_on` is not set."""

    def __init__(self) -> None:
        super().__init__(wall_ms)
        self.goes_on = asyncio.Event()
        self.goes_on.set()

    async def append(self, stream: str, expected_version: int, records: Sequence[Record]) -> AppendOutcome:
        if self.hesitates_over(stream, records):
            await self.goes_on.wait()
        return await super().append(stream, expected_version, records)

    @contextmanager
    def hesitating(self) -> Iterator[None]:
        """Hesitate until this is over, also by a failure: a floor that stops waits for its journal."""
        self.goes_on.clear()
        try:
            yield
        finally:
            self.goes_on.set()

    def hesitates_over(self, stream: str, records: Sequence[Record]) -> bool:  # noqa: ARG002
        return True
