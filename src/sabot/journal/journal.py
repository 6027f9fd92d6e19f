"""The interface of every journal. One suite of tests (`tests/journal/contract.py`) runs against every adapter.

When `append` returns `Appended`, the records are durable, and every later read of the stream returns them byte for
byte. The other answers guarantee only what they say.
"""

from collections.abc import AsyncIterator, Awaitable, Sequence
from typing import Protocol

import msgspec

from sabot.journal.parts import OpeningState, PartAtHand, PartSeal, RotationPlan
from sabot.journal.record import Head, NewerForm, Record, Stored, UnknownForm, link_of, read_body


class Appended(msgspec.Struct, frozen=True):
    """The records are durable."""

    version: int


class Conflict(msgspec.Struct, frozen=True):
    """Nothing was written: another owner has written to the stream. The caller must drop its state and read again."""

    head: int
    """The version of the stream."""
    repeated: tuple[str, int] | None = None
    """A command key that the stream holds already, and its version."""


class Unknown(msgspec.Struct, frozen=True):
    """It is not known whether the records were written. Nothing may be acknowledged; the stream must be taken anew."""

    why: str


AppendOutcome = Appended | Conflict | Unknown


class Unusable(Exception):
    """A journal cannot be opened or used; carries one sentence for a person. Nothing in it has been changed."""


class NewerProgram(Unusable):
    """Records of a newer program: this one does not know what they mean, so it may write nothing behind them."""


class PartAway(Unusable):
    """A part of the journal that is asked for is not here; carries one sentence that names it."""


class Damaged(Exception):
    """The stored data is not what was written; carries one sentence for a person. None of it is returned."""


def verified_record(stream: str, version: int, key: object, body: bytes, previous: bytes, link: object) -> Record:
    """The record that is stored so; raises `Damaged`, or `Unusable` for one that is intact and cannot be read."""
    if link != (own := link_of(stream, version, body, previous)):
        raise Damaged(f"record {version} of {stream!r} does not carry the hash of its content")
    try:
        form, epoch, entry = read_body(body)
    except UnknownForm as error:
        kind = NewerProgram if isinstance(error, NewerForm) else Unusable
        raise kind(f"record {version} of {stream!r} is intact and cannot be read: {error}") from None
    if entry.key != key:
        raise Damaged(f"record {version} of {stream!r} is filed under another key")
    return Record(stream, version, epoch, entry, previous, own, form)


class Lease(msgspec.Struct, frozen=True):
    """The right to own a stream until it expires. It keeps owners apart, but only the version in an append stops one.

    A renewal is also the owner's sign of life, from which the time of a failure is known (CROWN 11.14 to 11.16).
    """

    stream: str
    owner: str
    epoch: int
    expires_ms: int
    renewed_ms: int

    def has_expired(self, now_ms: int) -> bool:
        """Whether another owner may take the stream now.

        A sign of life further in the future than the lease lasts means that the clock was put back since; the lease
        then counts as expired. If its owner is alive after all, its next append is answered with a conflict.
        """
        return self.expires_ms <= now_ms or self.renewed_ms - now_ms > self.expires_ms - self.renewed_ms


class Snapshot(msgspec.Struct, frozen=True):
    """The state of a stream after a version. It saves reading at start-up, proves nothing, and may be deleted."""

    stream: str
    version: int
    hash: bytes
    """The hash of the record at that version; a snapshot that does not fit the chain is ignored."""
    form: str
    """The digest of the program that wrote the state; a snapshot of another program is ignored."""
    state: bytes


class Derived(msgspec.Struct, frozen=True):
    """A value that follows from the records of a stream up to a version.

    It saves reading, proves nothing, and may be dropped and derived again at any time.
    """

    stream: str
    name: str
    """Unique in its stream. Values are told in the order of the code points of their names."""
    version: int
    """The last record that it follows from."""
    value: bytes


def newest_of(values: Sequence[Derived]) -> list[Derived]:
    """Of each stream and name the newest value, the later one of two equally new, by stream and name."""
    kept: dict[tuple[str, str], Derived] = {}
    for value in values:
        place = value.stream, value.name
        if place not in kept or kept[place].version <= value.version:
            kept[place] = value
    return [kept[place] for place in sorted(kept)]


class SignedCheckpoint(msgspec.Struct, frozen=True):
    """A head signed by a key."""

    head: Head
    at_ms: int
    key_id: str
    signature: bytes


class ReadsRecords(Protocol):
    def read(self, stream: str, after: int = 0, until: int | None = None) -> AsyncIterator[Record]:
        """The records of a stream with a version above `after`, in order, up to `until` if that is given."""


async def record_at(journal: ReadsRecords, stream: str, version: int) -> Record | None:
    """One record; nothing where the stream has none of this version. An empty stream's head has version 0."""
    async for record in journal.read(stream, max(0, version - 1), version):
        return record
    return None


class ReadableJournal(ReadsRecords, Protocol):
    """A journal for reading. Damaged data raises `Damaged`."""

    def stored(self, stream: str, after: int, until: int) -> AsyncIterator[Sequence[Stored]]:
        """The same records as stored, in pages, with nothing verified: for a caller that verifies them itself."""

    async def head(self, stream: str) -> Head:
        """The last record of the stream, or its start when nothing is recorded."""

    async def find(self, stream: str, key: str) -> Record | None:
        """The record of a command, by its key."""

    async def streams(self, begin: str = "") -> list[str]:
        """The streams in which something is recorded, by name; those alone whose names begin so."""

    async def newest_snapshot(self, stream: str, form: str) -> Snapshot | None: ...

    async def opening(self, stream: str) -> OpeningState | None:
        """The state of the stream that the open part begins with; nothing where it has all records of the stream."""

    async def parts(self, newest: int | None = None) -> list[PartAtHand]:
        """The parts that are here, the oldest first, back to the first that is not, or only so many of the newest.

        None where the journal has no parts.
        """

    async def derived(self, stream: str, name: str) -> Derived | None:
        """The derived value of this name. A damaged one counts as absent: the caller derives it again."""

    def derived_between(self, stream: str, first: str, last: str) -> AsyncIterator[Sequence[Derived]]:
        """The derived values of a stream from one name to another, both included, in pages, ordered by name.

        A damaged one raises `Damaged`, since a caller that adds up what it is given would not notice a gap. The caller
        drops the derived values of the stream and derives them again.
        """

    async def checkpoints(self, stream: str, after: int = 0, until: int | None = None) -> list[SignedCheckpoint]:
        """The checkpoints of the stream, by version and then by time: above `after`, up to `until` if that is given.

        A stream has one for every coup, so a caller that goes along all of it asks for them piece by piece.
        """

    def newest_checkpoints(self, stream: str) -> AsyncIterator[SignedCheckpoint]:
        """The checkpoints of the stream, the newest first, read as they are asked for."""

    async def vouched(self, stream: str) -> tuple[int, int]:
        """How many checkpoints the stream has, and the version of the newest; nothing of them is verified."""

    async def lease(self, stream: str) -> Lease | None:
        """The current or last lease of the stream."""

    async def close(self) -> None: ...


class Journal(ReadableJournal, Protocol):
    @property
    def trouble(self) -> str | None:
        """Why nothing can be written now, in one sentence; nothing where it can. It ends by itself with its cause."""

    @property
    def is_lost(self) -> bool:
        """Whether acknowledged records are gone, so that the process must end and a person must look."""

    def shortage(self) -> str | None:
        """What is too short to begin a new coup, in one sentence; what has begun can be brought to its end."""

    def append(self, stream: str, expected_version: int, records: Sequence[Record]) -> Awaitable[AppendOutcome]:
        """Write these records behind `expected_version`, all or none.

        A stale version is reported as a conflict before a repeated key is. Records that do not fit together raise
        `Misplaced`. Writing may begin before the result is awaited.
        """

    async def rotate(self, plan: RotationPlan) -> PartSeal:
        """Seal the open part, and go on in a new one. Every later read returns what it returned before.

        Raises `Unusable` where that cannot be done; the journal then goes on as it is.
        """

    async def save_snapshot(self, snapshot: Snapshot) -> None: ...

    async def drop_snapshots(self, stream: str) -> None: ...

    async def keep(self, values: Sequence[Derived]) -> None:
        """Store derived values, all or none. Keeping the same ones again changes nothing.

        A value replaces one of the same stream and name that is as new or older, or damaged, and never a newer one.
        """

    async def drop_derived(self, stream: str) -> None:
        """Delete all derived values of a stream."""

    async def save_checkpoint(self, checkpoint: SignedCheckpoint) -> None:
        """Store a checkpoint for good. Saving the same one again changes nothing."""

    async def acquire_lease(self, stream: str, owner: str, ttl_ms: int) -> Lease | None:
        """Take the stream if its last lease has expired or there is none; the epoch rises by one."""

    async def renew_leases(self, leases: Sequence[Lease], ttl_ms: int) -> list[Lease]:
        """Renew the leases durably and return them, without those that another owner has taken."""

    async def release_lease(self, lease: Lease) -> None: ...
