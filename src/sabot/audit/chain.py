"""The chain of one stream: every version there once, every hash right, every owner announced, every key once.

This is the part of a proof that looks at every byte, so its loop is written to be quick.
"""

from collections.abc import AsyncIterator, Callable, Collection
from typing import NamedTuple

from sabot.audit.problem import Kind, Problem
from sabot.floor.recording import Started, read_answer
from sabot.journal.journal import Damaged, ReadableJournal
from sabot.journal.ownership import taking_of
from sabot.journal.record import Head, Record, UnknownForm, head_after, link_of, start_of

STEP = 10_000
"""Records from one report of progress to the next."""

Progress = Callable[[str, int, int], None]
"""Told the stream, how many records were looked at, and how many there are."""


class Chain(NamedTuple):
    head: Head
    """The last record that is good."""
    hashes: dict[int, bytes]
    """The hashes at the versions that were asked for."""
    owners: int
    started: list[Started]
    """What the owners said of their programs and keys."""
    problem: Problem | None


async def check_chain(journal: ReadableJournal, end: Head, wanted: Collection[int], progress: Progress) -> Chain:
    """Walk a stream from its start to `end` and stop at the first record that is not as it must be."""
    stream = end.stream
    hashes: dict[int, bytes] = {}
    owners, started = 0, list[Started]()
    keys: set[str] = set()
    wanted = frozenset(wanted)
    last: Record | None = None
    version, epoch, previous = 0, 0, start_of(stream).hash
    problem = None
    try:
        async for record in _records(journal, end):
            version += 1
            problem = _out_of_line(record, stream, version, previous)
            if problem is None and record.epoch != epoch:
                problem = _new_owner(record, epoch)
                epoch, owners = record.epoch, owners + 1
            if problem is None and record.entry.key in keys:
                problem = Problem(stream, version, Kind.REPEATED, f"the key {record.entry.key} is used a second time")
            if problem is not None:
                break
            last, previous = record, record.hash
            keys.add(record.entry.key)
            if record.entry.key.startswith("started/"):
                started += [said for said in [read_answer(record.entry).started] if said]
            if version in wanted:
                hashes[version] = previous
            if version % STEP == 0:
                progress(stream, version, end.version)
    except (UnknownForm, Damaged) as unreadable:
        problem = Problem(stream, version + 1, Kind.DAMAGED, str(unreadable))
    head = start_of(stream) if last is None else head_after(last)
    progress(stream, head.version, end.version)
    return Chain(head, hashes, owners, started, problem or _short_of(end, head))


async def _records(journal: ReadableJournal, end: Head) -> AsyncIterator[Record]:
    """The records up to the end. A journal that reads many at a time and finds damage among them is asked one by one,
    so that everything before the damage is seen."""
    version = 0
    try:
        async for record in journal.read(end.stream, 0, end.version):
            version = record.version
            yield record
    except Damaged:
        while version < end.version:
            async for record in journal.read(end.stream, version, version + 1):
                yield record
            version += 1


def _short_of(end: Head, found: Head) -> Problem | None:
    if found.version < end.version:
        why = f"it is missing, and the stream has {end.version} records"
        return Problem(end.stream, found.version + 1, Kind.GAP, why)
    if found.hash != end.hash:
        return Problem(end.stream, end.version, Kind.CHAIN, "its hash is not the one that the stream's head has")
    return None


def _out_of_line(record: Record, stream: str, version: int, previous: bytes) -> Problem | None:
    if record.version > version:
        found = f"it is missing: record {record.version} follows record {version - 1}"
        return Problem(stream, version, Kind.GAP, found)
    if record.version < version or record.stream != stream:
        found = f"record {record.version} of {record.stream} stands in its place"
        return Problem(stream, version, Kind.CHAIN, found)
    if record.previous != previous:
        return Problem(stream, version, Kind.CHAIN, "it does not follow from the record before it")
    if record.hash != link_of(stream, version, record.body, previous):
        return Problem(stream, version, Kind.CHAIN, "its content is not what its hash says: it was changed")
    return None


def _new_owner(record: Record, epoch: int) -> Problem | None:
    """An epoch begins with the record by which its owner took the stream, and never comes back."""
    if record.epoch < epoch:
        why = f"an owner of epoch {record.epoch} wrote after epoch {epoch} had begun"
        return Problem(record.stream, record.version, Kind.EPOCH, why)
    taken = taking_of(record)
    if taken is None or taken.epoch != record.epoch:
        why = f"epoch {record.epoch} begins without a record that its owner took the stream"
        return Problem(record.stream, record.version, Kind.EPOCH, why)
    return None
