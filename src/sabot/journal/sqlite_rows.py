"""Reads the rows of a SQLite journal as values. Everything read is verified; damage raises `Damaged`."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import apsw
import msgspec

from sabot.journal.journal import Damaged, Derived, Lease, SignedCheckpoint, Snapshot, newest_of, verified_record
from sabot.journal.packing import pack_value, unpack, unpack_all, unpack_value
from sabot.journal.record import Head, Record, Stored, head_after, start_of
from sabot.journal.sqlite_part_rows import base, check_begins

Sealed = TypeVar("Sealed", Snapshot, SignedCheckpoint, Lease, Derived)

PAGE = 1_000
"""Derived values read per query."""

DERIVED_SINCE = 2
"""The format of the file that has a table of derived values."""

_DERIVED = "SELECT stream, name, version, value, seal FROM derived WHERE stream = ?"

ALL = 2**63 - 1
"""Above every version."""
NEWEST = 20
"""Checkpoints read per query by a caller who looks for the newest that it trusts: mostly the first."""


def records(db: apsw.Connection, stream: str, after: int, until: int = ALL, limit: int = ALL) -> Iterator[Record]:
    """The records of a stream behind `after`, each verified to follow the one before it."""
    if until <= after:
        return
    check_begins(db, stream, after)
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
    """The records of a stream behind `after`, without the hash before each, which is not stored."""
    check_begins(db, stream, after)
    found: list[Any] = db.execute(
        "SELECT version, key, body, hash FROM record WHERE stream = ? AND version > ? AND version <= ?"
        " ORDER BY version LIMIT ?",
        (stream, after, until, limit),
    ).fetchall()
    # The columns of a STRICT table have the declared types.
    bodies = unpack_all([row[2] for row in found])
    return [(version, key, body, None, link) for (version, key, _, link), body in zip(found, bodies, strict=True)]


def head(db: apsw.Connection, stream: str) -> Head:
    version = last_version(db, stream)
    if version == 0:
        return base(db, stream)
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
    before = base(db, stream)
    return before.hash if before.version == version else None


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


def derived(db: apsw.Connection, stream: str, name: str) -> Derived | None:
    """The derived value of this name, if it is there and undamaged."""
    if format_of(db) < DERIVED_SINCE:
        return None
    for row in db.execute(_DERIVED + " AND name = ?", (stream, name)):
        return _derived(row)
    return None


def derived_between(db: apsw.Connection, stream: str, first: str, last: str, behind: str | None) -> list[Derived]:
    """A page of the derived values from one name to another, after the name `behind` if there is one."""
    if format_of(db) < DERIVED_SINCE:
        return []
    start = (" AND name >= ?", first) if behind is None else (" AND name > ?", behind)
    found = []
    for row in db.execute(f"{_DERIVED}{start[0]} AND name <= ? ORDER BY name LIMIT ?", (stream, start[1], last, PAGE)):
        value = _derived(row)
        if value is None:
            raise Damaged(f"the derived value {row[1]!r} of {stream!r} is damaged: drop it, and it is derived again")
        found.append(value)
    return found


def keep_derived(db: apsw.Connection, values: Sequence[Derived]) -> None:
    """Store values where none that is newer is stored."""
    for value in newest_of(values):
        kept = derived(db, value.stream, value.name)
        if kept is None or kept.version <= value.version:
            row = (value.stream, value.name, value.version, pack_value(value.value), seal_of(value))
            db.execute("INSERT OR REPLACE INTO derived VALUES (?, ?, ?, ?, ?)", row)


def _derived(row: Sequence[object]) -> Derived | None:
    stream, name, version, value, seal = row
    return _unsealed((stream, name, version, unpack_value(value) if isinstance(value, bytes) else b"", seal), Derived)


def format_of(db: apsw.Connection) -> int:
    """The format of the file, as it is in this transaction."""
    return int(db.pragma("user_version"))


def vouched(db: apsw.Connection, stream: str) -> tuple[int, int]:
    """How many checkpoints a stream has, and the version of the newest."""
    ((number, newest),) = db.execute("SELECT count(*), max(version) FROM checkpoint WHERE stream = ?", (stream,))
    return int(number), int(newest or 0)


def checkpoints(db: apsw.Connection, stream: str, after: int = 0, until: int = ALL) -> list[SignedCheckpoint]:
    return _checkpoints(db, stream, "AND version > ? AND version <= ? ORDER BY version, at_ms", after, until)


def newest_checkpoints(
    db: apsw.Connection, stream: str, leave_out: int = 0, below: int = ALL
) -> list[SignedCheckpoint]:
    """Some checkpoints of a stream below a version, the newest first, behind those that are left out."""
    which = "AND version < ? ORDER BY version DESC, at_ms DESC LIMIT ? OFFSET ?"
    return _checkpoints(db, stream, which, below, NEWEST, leave_out)


def _checkpoints(db: apsw.Connection, stream: str, which: str, *values: int) -> list[SignedCheckpoint]:
    columns = "stream, version, hash, epoch, at_ms, key_id, signature, seal"
    rows = db.execute(f"SELECT {columns} FROM checkpoint WHERE stream = ? {which}", (stream, *values))  # noqa: S608
    found = []
    for name, version, link, epoch, *rest in rows:
        of = {"stream": name, "version": version, "hash": link, "epoch": epoch}
        checkpoint = _unsealed((of, *rest), SignedCheckpoint)
        if checkpoint is None:
            raise Damaged(f"a checkpoint of {stream!r} is damaged")
        found.append(checkpoint)
    return found


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


def count_commit(db: apsw.Connection) -> None:
    """Count the commit under way. To ask for the number in the same statement would cost ten times as much."""
    db.execute("UPDATE tide SET commits = commits + 1")


def seal_of(value: Snapshot | SignedCheckpoint | Lease | Derived) -> bytes:
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
    body = unpack(body) if isinstance(body, bytes) else b""
    return verified_record(stream, version, key, body, previous, link)
