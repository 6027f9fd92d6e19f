"""An owner as a process of its own, to be killed and stopped.

    python -m tests.journal.postgres.owner_process DSN STREAM NAME TTL_MS LOG

It is the most stubborn owner there can be: it renews its lease and never looks at the answer, so that nothing but the
journal's refusal keeps it from writing. What it acknowledges it says in its log, after the journal has confirmed it and
never before.
"""

import asyncio
import contextlib
import itertools
import os
import sys
from pathlib import Path

import msgspec

from sabot.journal.journal import Appended, Conflict, Lease, Unusable
from sabot.journal.ownership import Ownership, take
from sabot.journal.postgres import PostgresJournal
from sabot.journal.record import head_after
from tests.journal.entries import entry


class Taken(msgspec.Struct, frozen=True, tag="taken"):
    epoch: int
    at_ms: int


class Acknowledged(msgspec.Struct, frozen=True, tag="acknowledged"):
    epoch: int
    version: int
    key: str


class Stopped(msgspec.Struct, frozen=True, tag="stopped"):
    """The journal did not confirm, so the owner has forgotten all it knew."""

    epoch: int
    by_conflict: bool


Line = Taken | Acknowledged | Stopped


class Owner:
    def __init__(self, journal: PostgresJournal, stream: str, name: str, ttl_ms: int, log: Path) -> None:
        self._journal = journal
        self._stream = stream
        self._name = name
        self._ttl_ms = ttl_ms
        self._log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    async def live(self) -> None:
        """Wait for the stream, own it until the journal says no, and wait again; end when its parent has ended."""
        parent = os.getppid()
        while os.getppid() == parent:
            with contextlib.suppress(Unusable):
                ownership = await take(self._journal, self._stream, self._name, self._ttl_ms)
                if isinstance(ownership, Ownership):
                    self._say(Taken(ownership.taken.epoch, ownership.lease.renewed_ms))
                    renewing = asyncio.create_task(self._renew(ownership.lease))
                    self._say(Stopped(ownership.taken.epoch, by_conflict=await self._write(ownership)))
                    renewing.cancel()
            await asyncio.sleep(self._ttl_ms / 20_000)

    async def _write(self, ownership: Ownership) -> bool:
        """Append one, two or three records at a time; returns whether it was a conflict that ended it."""
        head, epoch = ownership.head, ownership.taken.epoch
        for turn in itertools.count():
            records = head.then(epoch, [entry(f"{self._name}/{epoch}/{turn}/{part}") for part in range(turn % 3 + 1)])
            outcome = await self._journal.append(self._stream, head.version, records)
            if not isinstance(outcome, Appended):
                return isinstance(outcome, Conflict)
            head = head_after(records[-1])
            self._say(*(Acknowledged(epoch, record.version, record.entry.key) for record in records))
            await asyncio.sleep(0.002)
        raise AssertionError("an owner writes until it is stopped")

    async def _renew(self, lease: Lease) -> None:
        while True:
            await asyncio.sleep(self._ttl_ms / 4_000)
            with contextlib.suppress(Unusable):
                await self._journal.renew_leases([lease], self._ttl_ms)

    def _say(self, *lines: Line) -> None:
        os.write(self._log, b"".join(msgspec.json.encode(line) + b"\n" for line in lines))


async def main(dsn: str, stream: str, name: str, ttl_ms: str, log: str) -> None:
    await Owner(await PostgresJournal.open(dsn), stream, name, int(ttl_ms), Path(log)).live()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
