"""How an adapter's tests open their journal, and let time pass."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager

from sabot.journal.journal import Journal


class OpenedJournal:
    def opened(self) -> AbstractAsyncContextManager[Journal]:
        """An empty journal, closed when the context ends."""
        raise NotImplementedError

    async def let_pass(self, journal: Journal, ms: int) -> None:
        """Make leases this much older without waiting.

        An adapter with an injected clock turns it on; one on a database's clock moves the lease rows into the past.
        """
        raise NotImplementedError

    def run(self, test: Callable[[Journal], Awaitable[None]]) -> None:
        async def opened_and_tested() -> None:
            async with self.opened() as journal:
                await test(journal)

        asyncio.run(opened_and_tested())
