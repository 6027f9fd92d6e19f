"""The leases of all tables of a process, renewed together.

Owners renew at the same moments of a process's clock, so one transaction renews them all. A table's lease that is lost
is missing from the answer, which tells that table alone.
"""

import asyncio

from sabot.journal.journal import Journal, Lease

GATHER_S = 0.005
"""How long the first one waits for the others: timers of one moment ring within a millisecond or two.

A sign of life is dated by the journal when it is written, so its date is exact all the same.
"""


class LeaseRenewals:
    def __init__(self) -> None:
        self._asked: dict[Lease, asyncio.Future[Lease | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def renew(self, journal: Journal, lease: Lease, ttl_ms: int) -> Lease | None:
        """The lease renewed, or nothing where another owner has taken it."""
        if not self._asked:
            task = asyncio.create_task(self._gather(journal, ttl_ms))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        if lease not in self._asked:
            self._asked[lease] = asyncio.get_running_loop().create_future()
        return await asyncio.shield(self._asked[lease])

    async def _gather(self, journal: Journal, ttl_ms: int) -> None:
        """It does not wait for the renewal before it, so that an answer that never comes holds up no later one."""
        await asyncio.sleep(GATHER_S)
        asked, self._asked = self._asked, {}
        try:
            renewed = {one.stream: one for one in await journal.renew_leases(list(asked), ttl_ms)}
        except Exception as error:
            for future in asked.values():
                future.set_exception(error)
                future.exception()  # Somebody may have stopped waiting.
            return
        for lease, future in asked.items():
            found = renewed.get(lease.stream)
            is_same = found is not None and (found.owner, found.epoch) == (lease.owner, lease.epoch)
            future.set_result(found if is_same else None)
