"""Reads the rows of a SQLite journal as values. Everything read is verified; damage raises `Damaged`."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import TypeVar

import apsw
import msgspec

from sabot.journal.journal import Damaged, Lease, SignedCheckpoint, Snapshot, unreadable
from sabot.journal.record import Head, Record, Stored, UnknownForm, head_after, link_of, read_body, start_of

Sealed = TypeVar("Sealed", Snapshot, SignedCheckpoint, Lease)

ALL = 2**63 - 1
"""Above every version."""


def records(db: apsw.Connection, stream: str, after: int, until: int = ALL, limit: int = ALL) -> Iterator[Record]:
    """The records of a stream behind `after`, each verified to follow the one before it."""
    if until <= after:
        return
    version, previous = after, hash_at(db, stream, after)
    if previous is None:
        if last_version(db, stream) > after:
            raise Damaged(f"record {after} of {stream!r} is missing")
        return
    rows = db.execute(
        "SELECT version, key, body, hash FROM record WHERE stream = ? AND version > ? AND version <= ?"
        " ORDER BY version LIMIT ?",
        (stream, after, until, limit),
    )
    for row in rows:
        version += 1
        record = _record(stream, version, previous, row)
        yield record
        previous = record.hash


def stored(db: apsw.Connection, stream: str, after: int, until: int, limit: int) -> Sequence[Stored]:
    """The records of a stream behind `after` as stored, without the hash before each, which is not stored."""
    return db.execute(  # type: ignore[return-value]  # A STRICT table, whose columns have the declared types.
        "SELECT version, key, body, NULL, hash FROM record WHERE stream = ? AND version > ? AND version <= ?"
        " ORDER BY version LIMIT ?",
        (stream, after, until, limit),
    ).fetchall()


def head(db: apsw.Connection, stream: str) -> Head:
    version = last_version(db, stream)
    if version == 0:
        return start_of(stream)
    for record in records(db, stream, version - 1):
        return head_after(record)
    raise Damaged(f"record {version - 1} of {stream!r} is missing")


def last_version(db: apsw.Connection, stream: str) -> int:
    for (version,) in db.execute("SELECT max(version) FROM record WHERE stream = ?", (stream,)):
        return version if isinstance(version, int) else 0
    return 0


def hash_at(db: apsw.Connection, stream: str, version: int) -> bytes | None:
    """The hash of the record at a version, which the next record must name."""
    if version == 0:
        return start_of(stream).hash
    for (link,) in db.execute("SELECT hash FROM record WHERE stream = ? AND version = ?", (stream, version)):
        return link if isinstance(link, bytes) else b""
    return None


def version_of(db: apsw.Connection, stream: str, key: str) -> int | None:
    """The version of the record with a key."""
    for (version,) in db.execute("SELECT version FROM record WHERE stream = ? AND key = ?", (stream, key)):
        return int(version)
    return None


def find(db: apsw.Connection, stream: str, key: str) -> Record | None:
    version = version_of(db, stream, key)
    if version is None:
        return None
    for record in records(db, stream, version - 1, version):
        if record.entry.key == key:
            return record
    raise Damaged(f"the index of {stream!r} leads from key {key!r} to record {version}, which is another")


def unindexed(db: apsw.Connection, stream: str, after: int) -> int | None:
    """The first record behind `after` that is missing from the index of keys."""
    rows = db.execute(
        "SELECT version FROM record AS each WHERE stream = ? AND version > ? AND NOT EXISTS"
        " (SELECT 1 FROM record INDEXED BY record_key"
        "  WHERE stream = each.stream AND key = each.key AND version = each.version)"
        " ORDER BY version LIMIT 1",
        (stream, after),
    )
    for (version,) in rows:
        return int(version)
    return None


def streams(db: apsw.Connection) -> list[str]:
    """The names, found with one index look-up for each, since the table is too long to be scanned."""
    rows = db.execute(
        "WITH RECURSIVE leap (name) AS (SELECT min(stream) FROM record UNION ALL"
        " SELECT (SELECT min(stream) FROM record WHERE stream > name) FROM leap WHERE name IS NOT NULL)"
        " SELECT name FROM leap WHERE name IS NOT NULL"
    )
    return [str(name) for (name,) in rows]


def snapshot(db: apsw.Connection, stream: str, form: str) -> Snapshot | None:
    """The snapshot of a stream, if it is of this form and undamaged."""
    rows = db.execute(
        "SELECT stream, version, hash, form, state, seal FROM snapshot WHERE stream = ? AND form = ?", (stream, form)
    )
    for row in rows:
        return _unsealed(row, Snapshot)
    return None


def checkpoints(db: apsw.Connection, stream: str) -> list[SignedCheckpoint]:
    return list(newest_checkpoints(db, stream))[::-1]


def newest_checkpoints(db: apsw.Connection, stream: str) -> Iterator[SignedCheckpoint]:
    """The checkpoints of a stream, the newest first, read lazily."""
    rows = db.execute(
        "SELECT stream, version, hash, epoch, at_ms, key_id, signature, seal FROM checkpoint WHERE stream = ?"
        " ORDER BY version DESC, at_ms DESC",
        (stream,),
    )
    for name, version, link, epoch, *rest in rows:
        of = {"stream": name, "version": version, "hash": link, "epoch": epoch}
        checkpoint = _unsealed((of, *rest), SignedCheckpoint)
        if checkpoint is None:
            raise Damaged(f"a checkpoint of {stream!r} is damaged")
        yield checkpoint


def lease(db: apsw.Connection, stream: str) -> Lease | None:
    rows = db.execute(
        "SELECT stream, owner, epoch, expires_ms, renewed_ms, seal FROM lease WHERE stream = ?", (stream,)
    )
    for row in rows:
        found = _unsealed(row, Lease)
        if found is None:
            raise Damaged(f"the lease of {stream!r} is damaged")
        return found
    return None


def commits(db: apsw.Connection) -> int:
    """The number of commits so far."""
    return sum(int(count) for (count,) in db.execute("SELECT commits FROM tide"))


def count_commit(db: apsw.Connection) -> int:
    """Count the commit under way; returns the number of commits with it."""
    return sum(int(count) for (count,) in db.execute("UPDATE tide SET commits = commits + 1 RETURNING commits"))


def seal_of(value: Snapshot | SignedCheckpoint | Lease) -> bytes:
    """A digest of a value outside the chain, stored beside it so that a flipped bit is noticed."""
    return hashlib.sha256(msgspec.msgpack.encode(value)).digest()


def _unsealed(row: Sequence[object], kind: type[Sealed]) -> Sealed | None:
    *values, seal = row
    try:
        value = msgspec.convert(dict(zip(kind.__struct_fields__, values, strict=True)), kind)
    except msgspec.ValidationError:
        return None
    return value if seal_of(value) == seal else None


def _record(stream: str, version: int, previous: bytes, row: Sequence[object]) -> Record:
    found, key, body, link = row
    if found != version:
        raise Damaged(f"record {version} of {stream!r} is missing")
    if not isinstance(body, bytes) or link != link_of(stream, version, body, previous):
        raise Damaged(f"record {version} of {stream!r} does not carry the hash of its content")
    try:
        form, epoch, entry = read_body(body)
    except UnknownForm as error:
        raise unreadable(version, stream, error) from None
    if entry.key != key:
        raise Damaged(f"record {version} of {stream!r} is filed under another key")
    return Record(stream, version, epoch, entry, previous, link, form)
