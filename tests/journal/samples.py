"""What tests of journals write and read: records, snapshots, checkpoints, derived values and leases."""

from collections.abc import AsyncIterator

import msgspec

from sabot.journal.journal import (
    Appended,
    AppendOutcome,
    Conflict,
    Derived,
    Journal,
    Lease,
    ReadableJournal,
    SignedCheckpoint,
    Snapshot,
)
from sabot.journal.record import Head, Record, start_of
from tests.journal.entries import entries

TTL = 60_000
"""So long that no lease expires by itself while a test runs, however slow the machine."""


def changed(records: list[Record]) -> list[Record]:
    """The same list with another record in it."""
    records[1] = msgspec.structs.replace(records[1], epoch=2)
    return records


async def read(journal: ReadableJournal, stream: str, after: int = 0, until: int | None = None) -> list[Record]:
    found: AsyncIterator[Record] = journal.read(stream, after, until)
    return [record async for record in found]


async def append(journal: Journal, stream: str, count: int) -> list[Record]:
    """The first records of a stream, with the keys k1, k2 and so on."""
    records = start_of(stream).then(1, entries(count))
    assert await journal.append(stream, 0, records) == Appended(count)
    return records


async def acquired(journal: Journal, stream: str, owner: str) -> Lease:
    lease = await journal.acquire_lease(stream, owner, TTL)
    assert lease is not None
    return lease


def assert_conflict(outcome: AppendOutcome, head: int) -> None:
    """A stale version is a conflict that names the head; whether a repeated key is named as well is left open."""
    assert isinstance(outcome, Conflict), outcome
    assert outcome.head == head


def snapshot(stream: str, version: int) -> Snapshot:
    return Snapshot(stream, version, bytes([version]) * 32, "form", b"\x00state\xff" * version)


def checkpoint(stream: str, version: int, at_ms: int = 1, signature: bytes = b"signed") -> SignedCheckpoint:
    return SignedCheckpoint(Head(stream, version, bytes([version]) * 32, 3), at_ms, "key-1", signature)


def derived(stream: str, name: str, version: int, value: bytes | None = None) -> Derived:
    return Derived(stream, name, version, value if value is not None else f"{name} at {version}".encode() + b"\0\xff")


async def names_between(journal: ReadableJournal, stream: str, first: str, last: str) -> list[str]:
    return [value.name async for page in journal.derived_between(stream, first, last) for value in page]
