"""The journal of a simulated world: a journal in memory behind a line that may break at every call.

`Line` is the journal as one machine sees it. The scheduler carries its calls out. Production code that awaits them is
driven step by step, without an event loop, and may be cut off between any two of them.
"""

from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from sabot.basics.at_once import at_once
from sabot.floor.simulator.chance import Chance
from sabot.floor.simulator.scheduler import Scheduler
from sabot.floor.simulator.weather import Weather
from sabot.journal.journal import Appended, AppendOutcome, Derived, Lease, SignedCheckpoint, Snapshot, Unknown
from sabot.journal.memory import MemoryJournal
from sabot.journal.one_part import OnePart
from sabot.journal.record import Head, Record, Stored

T = TypeVar("T")
TRAVEL_MS = (1, 6)
GIVEN_UP_MS = (20, 1_500)
"""How long until the caller of a lost answer is told that the outcome is unknown."""


class Call(Generic[T]):
    """A call that is on its way. Awaiting it hands it to the driver of the coroutine."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, T]], *, is_append: bool = False) -> None:
        self.work, self.is_append = work, is_append

    def __await__(self) -> Generator[Any, Any, T]:
        outcome: T = yield self
        return outcome


class Store:
    """The one journal that all machines of the world share."""

    journal_kind: type[MemoryJournal] = MemoryJournal

    def __init__(self, scheduler: Scheduler, chance: Chance, weather: Weather, start_ms: int) -> None:
        self._scheduler, self._chance, self._weather = scheduler, chance, weather
        self.clock_ms = start_ms
        """How far its clock is ahead of the world's."""
        self.journal = self.journal_kind(lambda: scheduler.now + self.clock_ms)
        self.look: Callable[[], None] = lambda: None
        """Told whenever records have become durable."""
        self.signs: dict[int, int] = {}
        """The last sign of life of each epoch."""

    def perform(self, call: Call[Any], answer: Callable[[Any], None]) -> None:
        """Carry a call out after its way to the journal, and its answer back."""
        chance, weather, later = self._chance, self._weather, self._scheduler.after
        there = chance.between(*TRAVEL_MS)
        given_up = chance.between(*GIVEN_UP_MS)
        if not call.is_append:
            later(there, lambda: later(chance.between(*TRAVEL_MS), partial(answer, self._do(call))))
        elif chance.happens(weather.lost_before_commit):
            later(given_up, lambda: answer(Unknown("lost on the way there")))
        elif chance.happens(weather.lost_after_commit):
            later(there, partial(self._do, call))
            later(there + given_up, lambda: answer(Unknown("lost on the way back")))
        elif chance.happens(weather.committed_late):
            later(given_up, lambda: answer(Unknown("given up")))
            later(given_up + chance.between(*GIVEN_UP_MS), partial(self._do, call))
        else:
            later(there, lambda: later(chance.between(*TRAVEL_MS), partial(answer, self._do(call))))

    def _do(self, call: Call[Any]) -> Any:
        return at_once(call.work())

    def sign(self, leases: Sequence[Lease]) -> None:
        for lease in leases:
            self.signs[lease.epoch] = lease.renewed_ms


class JournalLine(OnePart):
    """The journal as one machine sees it."""

    trouble: str | None = None
    is_lost = False

    def __init__(self, store: Store) -> None:
        self._store, self._journal = store, store.journal

    def shortage(self) -> str | None:
        return None

    async def append(self, stream: str, expected_version: int, records: Sequence[Record]) -> AppendOutcome:
        async def work() -> AppendOutcome:
            outcome = await self._journal.append(stream, expected_version, records)
            if isinstance(outcome, Appended):
                self._store.look()
            return outcome

        return await Call(work, is_append=True)

    async def read(self, stream: str, after: int = 0, until: int | None = None) -> AsyncIterator[Record]:
        async def work() -> list[Record]:
            return [record async for record in self._journal.read(stream, after, until)]

        for record in await Call(work):
            yield record

    async def stored(self, stream: str, after: int, until: int) -> AsyncIterator[Sequence[Stored]]:
        async def work() -> list[Sequence[Stored]]:
            return [page async for page in self._journal.stored(stream, after, until)]

        for page in await Call(work):
            yield page

    async def head(self, stream: str) -> Head:
        return await Call(lambda: self._journal.head(stream))

    async def find(self, stream: str, key: str) -> Record | None:
        return await Call(lambda: self._journal.find(stream, key))

    async def streams(self, begin: str = "") -> list[str]:
        return await Call(lambda: self._journal.streams(begin))

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        await Call(lambda: self._journal.save_snapshot(snapshot))

    async def newest_snapshot(self, stream: str, form: str) -> Snapshot | None:
        return await Call(lambda: self._journal.newest_snapshot(stream, form))

    async def drop_snapshots(self, stream: str) -> None:
        await Call(lambda: self._journal.drop_snapshots(stream))

    async def keep(self, values: Sequence[Derived]) -> None:
        await Call(lambda: self._journal.keep(values))

    async def derived(self, stream: str, name: str) -> Derived | None:
        return await Call(lambda: self._journal.derived(stream, name))

    async def derived_between(self, stream: str, first: str, last: str) -> AsyncIterator[Sequence[Derived]]:
        async def work() -> list[Sequence[Derived]]:
            return [page async for page in self._journal.derived_between(stream, first, last)]

        for page in await Call(work):
            yield page

    async def drop_derived(self, stream: str) -> None:
        await Call(lambda: self._journal.drop_derived(stream))

    async def save_checkpoint(self, checkpoint: SignedCheckpoint) -> None:
        await Call(lambda: self._journal.save_checkpoint(checkpoint))

    async def vouched(self, stream: str) -> tuple[int, int]:
        return await Call(lambda: self._journal.vouched(stream))

    async def checkpoints(self, stream: str, after: int = 0, until: int | None = None) -> list[SignedCheckpoint]:
        return await Call(lambda: self._journal.checkpoints(stream, after, until))

    async def newest_checkpoints(self, stream: str) -> AsyncIterator[SignedCheckpoint]:
        for one in reversed(await self.checkpoints(stream)):
            yield one

    async def acquire_lease(self, stream: str, owner: str, ttl_ms: int) -> Lease | None:
        async def work() -> Lease | None:
            lease = await self._journal.acquire_lease(stream, owner, ttl_ms)
            self._store.sign([lease] if lease is not None else [])
            return lease

        return await Call(work)

    async def renew_leases(self, leases: Sequence[Lease], ttl_ms: int) -> list[Lease]:
        async def work() -> list[Lease]:
            renewed = await self._journal.renew_leases(leases, ttl_ms)
            self._store.sign(renewed)
            return renewed

        return await Call(work)

    async def release_lease(self, lease: Lease) -> None:
        await Call(lambda: self._journal.release_lease(lease))

    async def lease(self, stream: str) -> Lease | None:
        return await Call(lambda: self._journal.lease(stream))

    async def close(self) -> None:
        """There is nothing to close."""
