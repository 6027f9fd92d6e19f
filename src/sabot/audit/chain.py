"""The chain of one stream: every version there once, every hash right, every owner announced, every key once.

This is the part of a proof that looks at every byte, so its loop is written to be quick.
"""

from collections.abc import AsyncIterator, Callable, Collection
from typing import NamedTuple

from sabot.audit.problem import Kind, Problem
from sabot.floor.recording import Started, read_answer
from sabot.journal.journal import Damaged, ReadableJournal
from sabot.journal.ownership import taking_of
from sabot.journal.record import Head, Record, UnknownForm, body_of, head_after, link_of, start_of

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
    walk = _Walk(end, frozenset(wanted), progress)
    try:
        try:
            await walk.along(journal.read(end.stream, 0, end.version))
        except Damaged:
            # A journal that reads many records at a time has found damage among them: it is asked for one after the
            # other, so that everything before the damage is seen.
            while walk.problem is None and walk.head.version < end.version:
                version = walk.head.version
                await walk.along(journal.read(end.stream, version, version + 1))
    except (UnknownForm, Damaged) as unreadable:
        walk.problem = Problem(end.stream, walk.head.version + 1, Kind.DAMAGED, str(unreadable))
    progress(end.stream, walk.head.version, end.version)
    return Chain(walk.head, walk.hashes, walk.owners, walk.started, walk.problem or _short_of(end, walk.head))


class _Walk:
    """How far a walk has come, and what it has seen."""

    def __init__(self, end: Head, wanted: frozenset[int], progress: Progress) -> None:
        self.head = start_of(end.stream)
        self.hashes: dict[int, bytes] = {}
        self.owners = 0
        self.started: list[Started] = []
        self.problem: Problem | None = None
        self._keys: set[str] = set()
        self._end, self._wanted, self._progress = end, wanted, progress

    async def along(self, records: AsyncIterator[Record]) -> None:
        """Take records for good as long as nothing about them is out of the ordinary; look closely at any other."""
        stream, keys, wanted = self._end.stream, self._keys, self._wanted
        version, previous, epoch = self.head.version, self.head.hash, self.head.epoch
        last = None
        try:
            async for record in records:
                entry, key = record.entry, record.entry.key
                version += 1
                if (
                    record.version != version
                    or record.previous != previous
                    or record.hash != link_of(stream, version, body_of(record.epoch, entry), previous)
                    or record.epoch != epoch
                    or record.stream != stream
                    or key in keys
                ):
                    self.problem = self._look_at(record, version, previous, epoch)
                    if self.problem is not None:
                        return
                    epoch = record.epoch
                last, previous = record, record.hash
                keys.add(key)
                if version in wanted:
                    self.hashes[version] = previous
                if key.startswith("started/"):
                    self.started += [said for said in [read_answer(entry).started] if said]
                if not version % STEP:
                    self._progress(stream, version, self._end.version)
        finally:
            if last is not None:
                self.head = head_after(last)

    def _look_at(self, record: Record, version: int, previous: bytes, epoch: int) -> Problem | None:
        """What is wrong with a record, unless it is only the first one of a new owner."""
        problem = _out_of_line(record, self._end.stream, version, previous)
        if problem is None and record.epoch != epoch:
            self.owners += 1
            problem = _new_owner(record, epoch)
        if problem is None and record.entry.key in self._keys:
            why = f"the key {record.entry.key} is used a second time"
            problem = Problem(self._end.stream, version, Kind.REPEATED, why)
        return problem


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
