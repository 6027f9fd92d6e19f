"""The chain of one stream: every version there once, every hash right, every owner announced, every key once.

This is the part of a proof that looks at every byte, so it is written to be quick: records are taken for good as they
lie there as long as nothing about them is out of the ordinary, and any other is looked at closely, as a record.
"""

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from typing import NamedTuple, Protocol

import msgspec

from sabot.audit.problem import Kind, Problem
from sabot.floor.records.record_codec import Started, read_answer
from sabot.journal.journal import Damaged, ReadableJournal
from sabot.journal.ownership import taking_of
from sabot.journal.record import (
    Head,
    Record,
    Stored,
    UnknownForm,
    body_of,
    head_after,
    link_of,
    read_body,
    start_of,
)

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
    walk = Walk(start_of(end.stream), end.version, wanted)
    await walk.to_the_end(journal, progress)
    problem = walk.problem or short_of(end, walk.head)
    return Chain(walk.head, walk.hashes, walk.owners, walk.started, problem)


class Companion(Protocol):
    """Who goes along with a walk and has a mind of his own about what the records say."""

    def follow(self, version: int, epoch: int, key: str, body: bytes) -> bool:
        """Go on by a stored record that is linked as it must be; no, and nothing has changed, when it is not plain."""

    def take(self, record: Record) -> Problem | None:
        """Go on by a record, or say what is wrong with it."""

    def stand(self, version: int, link: bytes) -> Problem | None:
        """Look around at a record that was asked for, and say what is wrong there."""


class Chained:
    """The companion of a walk that looks at nothing but the chain."""

    def follow(self, version: int, epoch: int, key: str, body: bytes) -> bool:  # noqa: ARG002
        return is_plain(epoch, key, body) and not key.startswith(_STARTED)

    def take(self, record: Record) -> Problem | None:  # noqa: ARG002
        return None

    def stand(self, version: int, link: bytes) -> Problem | None:  # noqa: ARG002
        return None


_STARTED = "started/"


def is_plain(epoch: int, key: str, body: bytes) -> bool:
    """Whether a stored record is written as records are, and belongs to this epoch and key."""
    try:
        found, entry = read_body(body)
    except UnknownForm:
        return False
    return found == epoch and entry.key == key and body_of(epoch, entry) == body


class Walk:
    """How far a walk along a stream has come, and what it has seen."""

    def __init__(
        self, before: Head, until: int, wanted: Collection[int] = (), companion: Companion | None = None
    ) -> None:
        self.head = before
        self.hashes: dict[int, bytes] = {}
        self.owners = 0
        self.started: list[Started] = []
        self.problem: Problem | None = None
        self.keys: dict[str, None] = {}
        """In the order of their records."""
        self.followed = before.version
        """The last record that the companion went along with."""
        self.objection: Problem | None = None
        """What the companion has against the record after that."""
        self._stream, self._until, self._wanted = before.stream, until, frozenset(wanted)
        self._companion: Companion = companion or Chained()

    async def to_the_end(self, journal: ReadableJournal, progress: Progress) -> None:
        """Go on until the last record, the first that is missing, or the first that is not as it must be."""
        try:
            while self.problem is None and self.head.version < self._until:
                if not await self._quickly(journal, progress):
                    version = self.head.version
                    await self._closely(journal.read(self._stream, version, version + 1))
                    if self.head.version == version:
                        break
        except (UnknownForm, Damaged) as unreadable:
            self.problem = Problem(self._stream, self.head.version + 1, Kind.DAMAGED, str(unreadable))
        progress(self._stream, self.head.version, self._until)

    async def _quickly(self, journal: ReadableJournal, progress: Progress) -> bool:
        """Whether it came to the end, or to a problem, without meeting anything that only the journal can explain."""
        try:
            async for page in journal.stored(self._stream, self.head.version, self._until):
                if not self._take_page(page):
                    return False
                if self.problem is not None:
                    return True
                progress(self._stream, self.head.version, self._until)
        except Damaged:
            return False
        return self.head.version == self._until

    def _take_page(self, page: Sequence[Stored]) -> bool:
        stream, keys, wanted, follow = self._stream, self.keys, self._wanted, self._companion.follow
        version, previous, epoch = self.head.version, self.head.hash, self.head.epoch
        try:
            for found, key, body, told, link in page:
                if found != version + 1 or type(body) is not bytes or link != link_of(stream, found, body, previous):
                    return False
                if told != previous and told is not None:
                    return False
                if key in keys or not follow(found, epoch, key, body):
                    record = _record(stream, found, key, body, previous, link)
                    if record is None:
                        return False
                    self._look_at(record, found, previous, epoch)
                    if self.problem is not None:
                        return True
                    epoch, follow = record.epoch, self._companion.follow
                version, previous = found, link
                keys[key] = None
                if version in wanted:
                    self._stand(version, link)
                    follow = self._companion.follow
            return True
        finally:
            self.head = Head(stream, version, previous, epoch)
            if self.objection is None:
                self.followed = version

    async def _closely(self, records: AsyncIterator[Record]) -> None:
        async for record in records:
            version, previous, epoch = self.head.version + 1, self.head.hash, self.head.epoch
            self._look_at(record, version, previous, epoch)
            if self.problem is not None:
                return
            self.head = head_after(record)
            self.keys[record.entry.key] = None
            if version in self._wanted:
                self._stand(version, record.hash)
            if self.objection is None:
                self.followed = version

    def _stand(self, version: int, link: bytes) -> None:
        self.hashes[version] = link
        self._object(self._companion.stand(version, link), version)

    def _object(self, problem: Problem | None, version: int) -> None:
        if problem is not None:
            self.objection, self.followed, self._companion = problem, version - 1, Chained()

    def _look_at(self, record: Record, version: int, previous: bytes, epoch: int) -> None:
        """Find what is wrong with a record, unless it is only the first one of a new owner, or an uncommon one."""
        try:
            self.problem = self._out_of_order(record, version, previous, epoch)
        except msgspec.DecodeError as error:
            self.problem = Problem(self._stream, version, Kind.DAMAGED, f"its answer cannot be read: {error}")
        if self.problem is not None:
            return
        if self.objection is None:
            self._object(self._companion.take(record), version)

    def _out_of_order(self, record: Record, version: int, previous: bytes, epoch: int) -> Problem | None:
        problem = _out_of_line(record, self._stream, version, previous)
        if problem is None and record.epoch != epoch:
            self.owners += 1
            problem = _new_owner(record, epoch)
        if problem is None and record.entry.key in self.keys:
            why = f"the key {record.entry.key} is used a second time"
            problem = Problem(self._stream, version, Kind.REPEATED, why)
        if problem is None and record.entry.key.startswith(_STARTED):
            self.started += [said for said in [read_answer(record.entry).started] if said]
        return problem


def _record(stream: str, version: int, key: str, body: bytes, previous: bytes, link: bytes) -> Record | None:
    """The record that is stored like this, unless the journal itself must say what is wrong with it."""
    try:
        epoch, entry = read_body(body)
    except UnknownForm:
        return None
    return Record(stream, version, epoch, entry, previous, link) if entry.key == key else None


def short_of(end: Head, found: Head) -> Problem | None:
    """What is missing when a walk without a problem ends before the head, or elsewhere."""
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
