"""What every journal can do, whatever it is kept in. One suite of tests holds every adapter to it.

The promise: when `append` answers `Appended`, the records are durable and will be read back, byte for byte, by whoever
reads the stream from then on. Any other answer promises nothing but what it says.
"""

from collections.abc import AsyncIterator, Coroutine, Sequence
from typing import Any, Protocol

import msgspec

from sabot.journal.record import Head, Record, Stored, link_of


class Appended(msgspec.Struct, frozen=True):
    """The records are durable."""

    version: int


class Conflict(msgspec.Struct, frozen=True):
    """Nothing was written: another owner has written here. Whoever gets this drops its state and reads again."""

    head: int
    """The stream's version as it was found."""
    repeated: tuple[str, int] | None = None
    """Where a command key is in the stream already: the key and the version that carries it."""


class Unknown(msgspec.Struct, frozen=True):
    """Nobody can say whether the records were written. Nothing may be acknowledged; the stream must be read again."""

    why: str


Outcome = Appended | Conflict | Unknown


class Misplaced(Exception):
    """Records that cannot stand where they are put: a bug of whoever made them, told before anything is written."""


class Unusable(Exception):
    """A journal that cannot be opened or used, in one sentence for a person. Nothing in it has been changed."""


class Damaged(Exception):
    """What is stored is not what was written, in one sentence for a person; nothing of it is passed on as true."""


def check_place(stream: str, expected_version: int, records: Sequence[Record]) -> list[bytes]:
    """Raise `Misplaced` unless the records follow one another behind the version, in this stream, each key once.

    Returns their bodies, which are to be stored and had to be written out for this.
    """
    bodies, previous = [], None
    for version, record in enumerate(records, expected_version + 1):
        if record.stream != stream or record.version != version:
            raise Misplaced(f"record {record.version} of {record.stream!r} is put at {version} of {stream!r}")
        if previous is not None and record.previous != previous:
            raise Misplaced(f"record {version} of {stream!r} is not chained to the one before it")
        body = record.body
        if record.hash != link_of(stream, version, body, record.previous):
            raise Misplaced(f"record {version} of {stream!r} does not carry the hash of its content")
        bodies.append(body)
        previous = record.hash
    if len(records) > 1 and len({record.entry.key for record in records}) < len(records):
        raise Misplaced(f"a key stands twice among the records for {stream!r} behind version {expected_version}")
    return bodies


class Lease(msgspec.Struct, frozen=True):
    """The right to be a stream's owner for a while: a hint that keeps owners apart. The fence is the version.

    A renewal is also the owner's sign of life: it tells afterwards when an owner died (CROWN 11.14 to 11.16).
    """

    stream: str
    owner: str
    epoch: int
    expires_ms: int
    renewed_ms: int

    def has_expired(self, now_ms: int) -> bool:
        """Whether anybody may take the stream now.

        A sign of life that lies further ahead than the lease lasts was not given lately: the clock has been put back
        since, and nobody is to wait until it has caught up. At worst an owner who lives meets the fence.
        """
        return self.expires_ms <= now_ms or self.renewed_ms - now_ms > self.expires_ms - self.renewed_ms


class Snapshot(msgspec.Struct, frozen=True):
    """A stream's state after a version. It is disposable: it saves reading, and proves nothing."""

    stream: str
    version: int
    hash: bytes
    """The hash of the record at that version; a snapshot that does not fit its chain is passed over."""
    form: str
    """The digest of whatever decides how the state is written; one of another form is passed over."""
    state: bytes


class SignedCheckpoint(msgspec.Struct, frozen=True):
    """A head that a key holder vouches for."""

    head: Head
    at_ms: int
    key_id: str
    signature: bytes


class ReadableJournal(Protocol):
    """The half of a journal that an auditor needs. What is found damaged raises `Damaged`."""

    def read(self, stream: str, after: int = 0, until: int | None = None) -> AsyncIterator[Record]:
        """The records of a stream with a version above `after`, in order, up to `until` if that is given."""

    def stored(self, stream: str, after: int, until: int) -> AsyncIterator[Sequence[Stored]]:
        """The same records as they lie there, many at a time, with nothing proved: for whoever proves it himself."""

    async def head(self, stream: str) -> Head:
        """Where the stream ends now; the start of it when nothing is recorded."""

    async def find(self, stream: str, key: str) -> Record | None:
        """The record of a command, by its key."""

    async def streams(self) -> list[str]:
        """The streams in which something is recorded, by name."""

    async def newest_snapshot(self, stream: str, form: str) -> Snapshot | None: ...

    async def checkpoints(self, stream: str) -> list[SignedCheckpoint]:
        """The stream's checkpoints in order of version, and of time where a version has several."""

    async def lease(self, stream: str) -> Lease | None:
        """Who holds the stream, or held it last."""

    async def close(self) -> None: ...


class Journal(ReadableJournal, Protocol):
    def append(self, stream: str, expected_version: int, records: Sequence[Record]) -> Coroutine[Any, Any, Outcome]:
        """Write these records behind `expected_version`, all or none.

        A stale version is a conflict before a repeated key is. Records that do not fit together raise `Misplaced`.
        It may begin as soon as it is called, so that whoever has something else to do first does not hold it up.
        """

    async def save_snapshot(self, snapshot: Snapshot) -> None: ...

    async def drop_snapshots(self, stream: str) -> None: ...

    async def save_checkpoint(self, checkpoint: SignedCheckpoint) -> None:
        """Keep it for ever: none is ever replaced, and one that is saved again is kept once."""

    async def acquire_lease(self, stream: str, owner: str, ttl_ms: int) -> Lease | None:
        """Take the stream if nobody holds it or its holder let it expire; each taking counts the epoch on by one."""

    async def renew_leases(self, leases: Sequence[Lease], ttl_ms: int) -> list[Lease]:
        """Renew all of them at once, durably; one that has been taken by somebody else is missing from the answer."""

    async def release_lease(self, lease: Lease) -> None: ...
