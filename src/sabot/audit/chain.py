"""Verifies the chain of one stream: every version once, every hash right, every owner announced, every key once.

This reads every byte of a journal, so it has a fast path: stored rows whose hash, key and body are as expected are
passed at once, and only other rows are decoded and examined as records.
"""

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from typing import NamedTuple, Protocol

from sabot.audit.problem import Problem, ProblemKind
from sabot.basics.mistake import UNREADABLE
from sabot.floor.records.record_codec import Started, read_answer
from sabot.journal.journal import Damaged, ReadableJournal
from sabot.journal.ownership import taking_of
from sabot.journal.record import (
    OLDEST,
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

OnProgress = Callable[[str, int, int], None]
"""Called with the stream, the number of records checked, and the number there are."""


class Chain(NamedTuple):
    head: Head
    """The last good record."""
    hashes: dict[int, bytes]
    """The hashes at the versions asked for."""
    owners: int
    started: list[Started]
    """The owners' records of their programs and keys."""
    problem: Problem | None


async def check_chain(journal: ReadableJournal, end: Head, wanted: Collection[int], progress: OnProgress) -> Chain:
    """Check a stream from its start to `end`, up to the first bad record."""
    walk = Walk(start_of(end.stream), end.version, wanted)
    await walk.to_the_end(journal, progress)
    problem = walk.problem or short_of(end, walk.head)
    return Chain(walk.head, walk.hashes, walk.owners, walk.started, problem)


class RecordChecker(Protocol):
    """Checks the content of records while a `Walk` checks their chain."""

    def follow(self, version: int, epoch: int, key: str, body: bytes) -> bool:
        """The fast path: take a correctly linked row and return True, or change nothing and return False."""

    def take(self, record: Record) -> Problem | None:
        """The slow path: take a record, or return what is wrong with it."""

    def stand(self, version: int, link: bytes) -> Problem | None:
        """Check the state after a record that was asked for; returns what is wrong with it."""


class ChainChecker:
    """Accepts any content: for a walk that checks the chain alone."""

    def follow(self, version: int, epoch: int, key: str, body: bytes) -> bool:  # noqa: ARG002
        return is_plain(epoch, key, body) and not key.startswith(_STARTED)

    def take(self, record: Record) -> Problem | None:  # noqa: ARG002
        return None

    def stand(self, version: int, link: bytes) -> Problem | None:  # noqa: ARG002
        return None


_STARTED = "started/"


def is_plain(epoch: int, key: str, body: bytes) -> bool:
    """Whether a stored body has the one form that records are written in, with this epoch and key."""
    try:
        form, found, entry = read_body(body)
    except UnknownForm:
        return False
    return found == epoch and entry.key == key and body_of(epoch, entry, form) == body


class Walk:
    """A walk along a stream: its position, and what it has found so far."""

    def __init__(
        self,
        before: Head,
        until: int,
        wanted: Collection[int] = (),
        checker: RecordChecker | None = None,
        form: int = OLDEST,
    ) -> None:
        """`form` is that of the record before: what follows has the same or a newer one."""
        self.head, self._form, self._begins = before, form, _beginning(form)
        self.hashes: dict[int, bytes] = {}
        self.owners = 0
        self.started: list[Started] = []
        self.problem: Problem | None = None
        self.keys: dict[str, None] = {}
        """Every key so far, in the order of the records."""
        self.followed = before.version
        """The last record whose content the checker accepted."""
        self.objection: Problem | None = None
        """The checker's problem with the record after that."""
        self._stream, self._until, self._wanted = before.stream, until, frozenset(wanted)
        self._checker: RecordChecker = checker or ChainChecker()

    async def to_the_end(self, journal: ReadableJournal, progress: OnProgress) -> None:
        """Go on to the last record, the first missing one, or the first bad one."""
        try:
            while self.problem is None and self.head.version < self._until:
                if not await self._quickly(journal, progress):
                    version = self.head.version
                    await self._closely(journal.read(self._stream, version, version + 1))
                    if self.head.version == version:
                        break
        except (UnknownForm, Damaged) as unreadable:
            self.problem = Problem(self._stream, self.head.version + 1, ProblemKind.DAMAGED, str(unreadable))
        progress(self._stream, self.head.version, self._until)

    async def _quickly(self, journal: ReadableJournal, progress: OnProgress) -> bool:
        """Take stored rows in pages. False where a row has to be read through the journal, which names its fault."""
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
        stream, keys, wanted, follow = self._stream, self.keys, self._wanted, self._checker.follow
        version, previous, epoch = self.head.version, self.head.hash, self.head.epoch
        try:
            for found, key, body, told, link in page:
                if found != version + 1 or type(body) is not bytes or link != link_of(stream, found, body, previous):
                    return False
                if told != previous and told is not None:
                    return False
                if not body.startswith(self._begins) and not self._has_risen(found, body):
                    return self.problem is not None
                if key in keys or not follow(found, epoch, key, body):
                    record = _record(stream, found, key, body, previous, link)
                    if record is None:
                        return False
                    self._look_at(record, found, previous, epoch)
                    if self.problem is not None:
                        return True
                    epoch, follow = record.epoch, self._checker.follow
                version, previous = found, link
                keys[key] = None
                if version in wanted:
                    self._stand(version, link)
                    follow = self._checker.follow
            return True
        finally:
            self.head = Head(stream, version, previous, epoch)
            if self.objection is None:
                self.followed = version

    def _has_risen(self, version: int, body: bytes) -> bool:
        """Whether a record of another form than the one before it may stand here.

        A program writes nothing behind records of a newer one; an older form there would escape being decided again.
        """
        try:
            form, _, _ = read_body(body)
        except UnknownForm:
            return False
        if form < self._form:
            why = f"it has form {form}, and the record before it has form {self._form}: forms never fall"
            self.problem = Problem(self._stream, version, ProblemKind.CHAIN, why)
            return False
        self._form, self._begins = form, _beginning(form)
        return True

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
        self._object(self._checker.stand(version, link), version)

    def _object(self, problem: Problem | None, version: int) -> None:
        if problem is not None:
            self.objection, self.followed, self._checker = problem, version - 1, ChainChecker()

    def _look_at(self, record: Record, version: int, previous: bytes, epoch: int) -> None:
        """Examine a record that the fast path did not take: a new owner's first one, an unusual one, or a bad one."""
        try:
            self.problem = self._out_of_order(record, version, previous, epoch)
        except UNREADABLE as error:
            self.problem = Problem(self._stream, version, ProblemKind.DAMAGED, f"its answer cannot be read: {error}")
        if self.problem is not None:
            return
        if self.objection is None:
            self._object(self._checker.take(record), version)

    def _out_of_order(self, record: Record, version: int, previous: bytes, epoch: int) -> Problem | None:
        problem = _out_of_line(record, self._stream, version, previous)
        if problem is None and record.form != self._form and not self._has_risen(version, record.body):
            problem = self.problem
        if problem is None and record.epoch != epoch:
            self.owners += 1
            problem = _new_owner(record, epoch)
        if problem is None and record.entry.key in self.keys:
            why = f"the key {record.entry.key} is used a second time"
            problem = Problem(self._stream, version, ProblemKind.REPEATED, why)
        if problem is None and record.entry.key.startswith(_STARTED):
            self.started += [said for said in [read_answer(record).started] if said]
        return problem


def _beginning(form: int) -> bytes:
    return f"[{form},".encode()


def _record(stream: str, version: int, key: str, body: bytes, previous: bytes, link: bytes) -> Record | None:
    """The record in a stored row; nothing where the row has to be read through the journal, which names its fault."""
    try:
        form, epoch, entry = read_body(body)
    except UnknownForm:
        return None
    return Record(stream, version, epoch, entry, previous, link, form) if entry.key == key else None


def short_of(end: Head, found: Head) -> Problem | None:
    """The problem of a stream whose walk ended before its head, or at another hash."""
    if found.version < end.version:
        why = f"it is missing, and the stream has {end.version} records"
        return Problem(end.stream, found.version + 1, ProblemKind.GAP, why)
    if found.hash != end.hash:
        return Problem(end.stream, end.version, ProblemKind.CHAIN, "its hash is not the one that the stream's head has")
    return None


def _out_of_line(record: Record, stream: str, version: int, previous: bytes) -> Problem | None:
    if record.version > version:
        found = f"it is missing: record {record.version} follows record {version - 1}"
        return Problem(stream, version, ProblemKind.GAP, found)
    if record.version < version or record.stream != stream:
        found = f"record {record.version} of {record.stream} stands in its place"
        return Problem(stream, version, ProblemKind.CHAIN, found)
    if record.previous != previous:
        return Problem(stream, version, ProblemKind.CHAIN, "it does not follow from the record before it")
    if record.hash != link_of(stream, version, record.body, previous):
        return Problem(stream, version, ProblemKind.CHAIN, "its content is not what its hash says: it was changed")
    return None


def _new_owner(record: Record, epoch: int) -> Problem | None:
    """An epoch begins with its owner's record of taking the stream, and no earlier epoch follows."""
    if record.epoch < epoch:
        why = f"an owner of epoch {record.epoch} wrote after epoch {epoch} had begun"
        return Problem(record.stream, record.version, ProblemKind.EPOCH, why)
    taken = taking_of(record)
    if taken is None or taken.epoch != record.epoch:
        why = f"epoch {record.epoch} begins without a record that its owner took the stream"
        return Problem(record.stream, record.version, ProblemKind.EPOCH, why)
    return None
