"""Verifies the chain of one stream: every version once, every hash right, every owner announced, every key once.

This reads every byte of a journal, so it has a fast path. Stored rows whose hash, key and body are as expected are
passed at once. Only other rows are decoded and examined as records.
"""

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from typing import NamedTuple, Protocol, TypeVar

from sabot.audit.key_order import EveryKey, KeyOrder, Keys
from sabot.audit.problem import Problem, ProblemKind
from sabot.basics.mistake import UNREADABLE
from sabot.floor.records.record_codec import read_answer
from sabot.journal.journal import Damaged, ReadableJournal
from sabot.journal.ownership import taking_of
from sabot.journal.record import (
    OLDEST,
    Head,
    Record,
    Stored,
    UnknownForm,
    are_plain,
    body_of,
    link_of,
    read_body,
    start_of,
)

T = TypeVar("T")
OnProgress = Callable[[str, int, int], None]
"""Called with the stream, the number of records in which nothing is wrong, and the number there are to check."""


class Chain(NamedTuple):
    head: Head
    """The last good record."""
    hashes: dict[int, bytes]
    """The hashes at the versions asked for."""
    owners: int
    rings: tuple[tuple[str, ...], ...]
    """The rings of keys that owners recorded, each once, in journals from before keys had a stream of their own."""
    problem: Problem | None


async def check_chain(
    journal: ReadableJournal, end: Head, progress: OnProgress, begin: Head | None = None
) -> Problem | None:
    """Check a stream from its start, or from another head, to `end`, up to the first bad record."""
    begin = begin or start_of(end.stream)
    walk = Walk(begin, end.version)
    await walk.to_the_end(journal, progress)
    if not walk.keys.is_sure:
        walk = Walk(begin, end.version, beside=Beside(keys=EveryKey()))
        await walk.to_the_end(journal, progress)
    return walk.problem or short_of(end, walk.head)


class RecordChecker(Protocol):
    """Checks the content of records while a `Walk` checks their chain."""

    is_quick: bool
    """Whether it has a fast path."""

    def follow(self, rows: Sequence[Stored], epoch: int) -> int:
        """The fast path: take correctly linked rows, and return how many, from the first, were taken.

        Nothing is changed by the others. The first of them is taken by `take`.
        """

    def take(self, record: Record) -> Problem | None:
        """The slow path: take a record, or return what is wrong with it."""

    def stand(self, version: int, link: bytes) -> Problem | None:
        """Check the state after a record that was asked for; returns what is wrong with it."""


class ChainChecker:
    """Accepts any content: for a walk that checks the chain alone."""

    is_quick = True

    def follow(self, rows: Sequence[Stored], epoch: int) -> int:
        plain = plain_rows(rows, epoch)
        return next((place for place, row in enumerate(rows[:plain]) if row[1].startswith(_STARTED)), plain)

    def take(self, record: Record) -> Problem | None:  # noqa: ARG002
        return None

    def stand(self, version: int, link: bytes) -> Problem | None:  # noqa: ARG002
        return None


class Vouching(Protocol):
    """Compares the stream with what vouches for it, as a `Walk` comes to it."""

    async def go_on(self, journal: ReadableJournal, rows: Sequence[Stored]) -> None:
        """Compare what vouches for these records, which follow those of the last time."""


class NoVouching:
    async def go_on(self, journal: ReadableJournal, rows: Sequence[Stored]) -> None:
        """Nothing vouches for the stream."""


_STARTED = "started/"
AT_ONCE = 250
"""Rows that are followed together."""


def plain_rows(rows: Sequence[Stored], epoch: int) -> int:
    """How many rows, from the first, have bodies in the one form that records are written in, with this epoch."""
    if are_plain([row[2] for row in rows], [row[1] for row in rows], epoch):
        return len(rows)
    plain = (is_plain(epoch, row[1], row[2]) for row in rows)
    return next((place for place, is_good in enumerate(plain) if not is_good), len(rows))


def is_plain(epoch: int, key: str, body: bytes) -> bool:
    """Whether a stored body has the one form that records are written in, with this epoch and key."""
    try:
        form, found, entry = read_body(body)
    except UnknownForm:
        return False
    return found == epoch and entry.key == key and body_of(epoch, entry, form) == body


class Beside:
    """What else is checked on a walk."""

    def __init__(
        self, checker: RecordChecker | None = None, keys: Keys | None = None, vouching: Vouching | None = None
    ) -> None:
        self.checker: RecordChecker = checker or ChainChecker()
        self.keys = keys
        self.vouching: Vouching = vouching or NoVouching()


class Walk:
    """A walk along a stream: its position, and what it has found so far."""

    def __init__(
        self,
        before: Head,
        until: int,
        wanted: Collection[int] = (),
        form: int = OLDEST,
        beside: Beside | None = None,
    ) -> None:
        """`form` is that of the record before: what follows has the same or a newer one."""
        self.head, self._form, self._begins = before, form, _beginning(form)
        self.hashes: dict[int, bytes] = {}
        self.owners = 0
        self.rings: dict[tuple[str, ...], None] = {}
        self.problem: Problem | None = None
        beside = beside or Beside()
        self._checker, self._vouching = beside.checker, beside.vouching
        self.keys: Keys = beside.keys or KeyOrder(before)
        self.followed = before.version
        """The last record whose content the checker accepted."""
        self.objection: Problem | None = None
        """The checker's problem with the record after that."""
        self._stream, self._until, self._wanted = before.stream, until, frozenset(wanted)

    async def to_the_end(self, journal: ReadableJournal, progress: OnProgress) -> None:
        """Go on to the last record, the first missing one, the first bad one, or where a key is in doubt."""
        try:
            while self._goes_on and self.head.version < self._until:
                if not await self._quickly(journal, progress):
                    version = self.head.version
                    await self._closely(journal, journal.read(self._stream, version, version + 1))
                    if self.head.version == version:
                        break
        except (UnknownForm, _Unread) as unreadable:
            self.problem = Problem(self._stream, self.head.version + 1, ProblemKind.DAMAGED, str(unreadable))
        self._tell(progress)

    def _tell(self, progress: OnProgress) -> None:
        if self.objection is None:
            progress(self._stream, self.head.version, self._until)

    @property
    def _goes_on(self) -> bool:
        return self.problem is None and self.keys.is_sure

    async def _quickly(self, journal: ReadableJournal, progress: OnProgress) -> bool:
        """Take stored rows in pages. False where a row has to be read through the journal, which names its fault."""
        try:
            async for page in _undamaged(journal.stored(self._stream, self.head.version, self._until)):
                before = self.head.version
                is_readable = self._take_page(page)
                await self._vouching.go_on(journal, page[: self.head.version - before])
                await self.keys.look_up(journal, self._stream)
                if not is_readable:
                    return False
                if not self._goes_on:
                    return True
                self._tell(progress)
        except _Unread:
            return False
        return self.head.version == self._until

    def _take_page(self, page: Sequence[Stored]) -> bool:
        place = linked = 0
        while place < len(page):
            taken = 0
            if self._checker.is_quick:
                linked = linked if linked > place else self._linked(page, place)
                rows = page[place : min(linked, place + AT_ONCE)]
                taken = self._follow(rows) if rows else 0
                place += taken
            if taken == 0:
                if not self._take_row(page[place]):
                    return False
                if self.problem is not None:
                    return True
                place += 1
        return True

    def _linked(self, page: Sequence[Stored], place: int) -> int:
        """The place behind the rows, from a place on, that follow from one another and have the present form."""
        stream, begins, version, previous = self._stream, self._begins, self.head.version, self.head.hash
        for found, _, body, told, link in page[place:] if place else page:
            version += 1
            if found != version or type(body) is not bytes or not body.startswith(begins):
                break
            if link != link_of(stream, version, body, previous) or (told is not None and told != previous):
                break
            place, previous = place + 1, link
        return place

    def _follow(self, rows: Sequence[Stored]) -> int:
        """Have linked rows checked, up to the next that was asked for; returns how many of them were taken."""
        epoch = self.head.epoch
        rows = rows[: self.keys.new_of(rows)]
        for version in self._wanted:
            if self.head.version < version < self.head.version + len(rows):
                rows = rows[: version - self.head.version]
        taken = self._checker.follow(rows, epoch)
        if taken:
            self.keys.take(rows[:taken], epoch)
            self._come_to(rows[taken - 1][0], rows[taken - 1][4], epoch)
        return taken

    def _take_row(self, row: Stored) -> bool:
        """Take a row by itself. False where it has to be read through the journal, which names its fault."""
        found, key, body, told, link = row
        version, previous, epoch = self.head.version + 1, self.head.hash, self.head.epoch
        if found != version or type(body) is not bytes or link != link_of(self._stream, found, body, previous):
            return False
        if told is not None and told != previous:
            return False
        if not body.startswith(self._begins) and not self._has_risen(found, body):
            return self.problem is not None
        record = _record(self._stream, found, key, body, previous, link)
        if record is None:
            return False
        self._look_at(record, found, previous, epoch)
        if self.problem is None:
            self.keys.take([row], record.epoch)
            self._come_to(found, link, record.epoch)
        return True

    def _come_to(self, version: int, link: bytes, epoch: int) -> None:
        self.head = Head(self._stream, version, link, epoch)
        if version in self._wanted:
            self.hashes[version] = link
            if self.objection is None:
                self._object(self._checker.stand(version, link), version)
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

    async def _closely(self, journal: ReadableJournal, records: AsyncIterator[Record]) -> None:
        async for record in _undamaged(records):
            version, previous, epoch = self.head.version + 1, self.head.hash, self.head.epoch
            self._look_at(record, version, previous, epoch)
            if self.problem is not None:
                return
            row = (version, record.entry.key, b"", None, record.hash)
            self.keys.take([row], record.epoch)
            self._come_to(version, record.hash, record.epoch)
            await self._vouching.go_on(journal, [row])
            await self.keys.look_up(journal, self._stream)

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
            started = read_answer(record).started
            if started and started.keys:
                self.rings[started.keys] = None
        return problem


class _Unread(Exception):
    """What a journal could not read of the records; what vouches for them is another matter."""


async def _undamaged(read: AsyncIterator[T]) -> AsyncIterator[T]:
    try:
        async for one in read:
            yield one
    except Damaged as damaged:
        raise _Unread(str(damaged)) from None


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
