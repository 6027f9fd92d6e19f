"""A journal in PostgreSQL, in plain SQL that compatible distributed databases also run.

It uses no explicit locks, sequences, notifications or serializable transactions. Two owners are kept apart by the
primary key (stream, version) alone; the lease only avoids conflicts. Reads go to the server of the address, which must
be the primary.
"""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Sequence
from typing import Final, Self

import asyncpg

from sabot.journal.journal import (
    Appended,
    AppendOutcome,
    Conflict,
    Damaged,
    Derived,
    Lease,
    SignedCheckpoint,
    Snapshot,
    newest_of,
    unreadable,
)
from sabot.journal.one_part import OnePart
from sabot.journal.packing import pack_value, unpack, unpack_value
from sabot.journal.postgres_append_queue import AppendQueue
from sabot.journal.postgres_connection import create_pool, fetch_from, sentences
from sabot.journal.postgres_hosts import answered
from sabot.journal.record import (
    Head,
    Record,
    Stored,
    UnknownForm,
    check_place,
    head_after,
    link_of,
    read_body,
    start_of,
)

PAGE = 2_000
"""Records read per query. No connection is held between two pages."""
_MOST_VERSIONS = 2**63 - 1
_CONNECTIONS = 4
"""For everything but appends, which have a connection of their own."""

_COLUMNS: Final = "stream, version, key, body, previous, hash"
_READ: Final = f"""
SELECT {_COLUMNS} FROM sabot.record WHERE stream = $1 AND version > $2 AND version <= $3 ORDER BY version LIMIT {PAGE}
"""  # noqa: S608  Our own words only, as in the others below.
_STORED: Final = f"""
SELECT version, key, body, previous, hash FROM sabot.record
 WHERE stream = $1 AND version > $2 AND version <= $3 ORDER BY version LIMIT {PAGE}
"""  # noqa: S608
_WITH_HASH_BEFORE: Final = """
SELECT held.stream, held.version, held.key, held.body, held.previous, held.hash, earlier.hash AS hash_before
  FROM sabot.record AS held
  LEFT JOIN sabot.record AS earlier ON earlier.stream = held.stream AND earlier.version = held.version - 1
 WHERE held.stream = $1
"""
_LAST: Final = f"{_WITH_HASH_BEFORE} ORDER BY held.version DESC LIMIT 1"
_FIND: Final = f"{_WITH_HASH_BEFORE} AND held.key = $2"
_HASH_AT: Final = "SELECT hash FROM sabot.record WHERE stream = $1 AND version = $2"
_CHECKPOINT: Final = "SELECT stream, version, hash, epoch, at_ms, key_id, signature FROM sabot.checkpoint"
_CHECKPOINTS: Final = f"{_CHECKPOINT} WHERE stream = $1 AND version > $2 AND version <= $3 ORDER BY version, at_ms"
_NEWEST_CHECKPOINTS: Final = (
    f"{_CHECKPOINT} WHERE stream = $1 ORDER BY version DESC, at_ms DESC LIMIT 20 OFFSET $2::bigint"
)
_NEXT_STREAM: Final = "SELECT stream FROM sabot.record WHERE stream > $1 ORDER BY stream LIMIT 1"

_CLOCK: Final = "(SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms OFFSET 0) AS clock"
_LEASE: Final = "held.stream, held.owner, held.epoch, held.expires_ms, held.renewed_ms"
_ACQUIRE: Final = f"""
INSERT INTO sabot.lease AS held (stream, owner, epoch, expires_ms, renewed_ms)
SELECT $1, $2, 1, clock.now_ms + $3, clock.now_ms FROM {_CLOCK}
ON CONFLICT (stream) DO UPDATE
   SET owner = excluded.owner, epoch = held.epoch + 1,
       expires_ms = excluded.expires_ms, renewed_ms = excluded.renewed_ms
 WHERE held.expires_ms <= excluded.renewed_ms
    OR held.renewed_ms - excluded.renewed_ms > held.expires_ms - held.renewed_ms
RETURNING {_LEASE}
"""  # noqa: S608
_RENEW: Final = f"""
UPDATE sabot.lease AS held SET expires_ms = clock.now_ms + $4, renewed_ms = clock.now_ms
  FROM {_CLOCK}, unnest($1::text[], $2::text[], $3::bigint[]) AS mine (stream, owner, epoch)
 WHERE held.stream = mine.stream AND held.owner = mine.owner AND held.epoch = mine.epoch
RETURNING {_LEASE}
"""  # noqa: S608
_RELEASE: Final = f"""
UPDATE sabot.lease AS held SET expires_ms = clock.now_ms FROM {_CLOCK}
 WHERE held.stream = $1 AND held.owner = $2 AND held.epoch = $3
"""  # noqa: S608
_HOLDER: Final = f"SELECT {_LEASE} FROM sabot.lease AS held WHERE held.stream = $1"  # noqa: S608

_KEEP: Final = """
INSERT INTO sabot.derived AS held (stream, name, version, value)
SELECT new.stream, new.name, new.version, new.value
  FROM unnest($1::text[], $2::bytea[], $3::bigint[], $4::bytea[]) AS new (stream, name, version, value)
ON CONFLICT (stream, name) DO UPDATE SET version = excluded.version, value = excluded.value
 WHERE held.version <= excluded.version
"""
_FROM_NAME: Final = f"""
SELECT stream, name, version, value FROM sabot.derived
 WHERE stream = $1 AND name >= $2 AND name <= $3 ORDER BY name LIMIT {PAGE}
"""  # noqa: S608
_BEHIND_NAME: Final = f"""
SELECT stream, name, version, value FROM sabot.derived
 WHERE stream = $1 AND name > $2 AND name <= $3 ORDER BY name LIMIT {PAGE}
"""  # noqa: S608


class PostgresJournal(OnePart):
    """Opened by `open`, which refuses an unsafe server; `postgres_schema.migrate` makes the tables."""

    def __init__(self, dsn: str, appends: AppendQueue, pool: "asyncpg.Pool[asyncpg.Record]") -> None:
        self._dsn = dsn
        self._appends = appends
        self._pool = pool

    @classmethod
    async def open(cls, dsn: str) -> Self:
        appends = AppendQueue(dsn)
        await appends.open()
        try:
            pool = await create_pool(dsn, _CONNECTIONS)
        except BaseException:
            await appends.close()
            raise
        appends.when_in_doubt = pool.expire_connections  # Another server may lead now.
        return cls(dsn, appends, pool)

    is_lost = False
    """What a server confirms is its own to keep."""

    @property
    def trouble(self) -> str | None:
        return self._appends.trouble

    def shortage(self) -> str | None:
        """The server's disk is watched where the server is."""
        return None

    def append(self, stream: str, expected_version: int, records: Sequence[Record]) -> Awaitable[AppendOutcome]:
        bodies = check_place(stream, expected_version, records)
        if not records:
            return self._append_nothing(stream, expected_version)
        return self._appends.append(stream, expected_version, records, bodies)

    async def _append_nothing(self, stream: str, expected_version: int) -> AppendOutcome:
        head = (await self.head(stream)).version
        return Appended(head) if head == expected_version else Conflict(head)

    async def read(self, stream: str, after: int = 0, until: int | None = None) -> AsyncIterator[Record]:
        last = _MOST_VERSIONS if until is None else until
        previous = await self._hash_at(stream, after)
        while rows := await self._rows(_READ, stream, after, last):
            for row in rows:
                if row["version"] != after + 1:
                    raise Damaged(f"record {after + 1} of {stream!r} is missing")
                record = _record(row, previous)
                yield record
                after, previous = record.version, record.hash
            if len(rows) < PAGE:
                return

    async def stored(self, stream: str, after: int, until: int) -> AsyncIterator[Sequence[Stored]]:
        while rows := await self._rows(_STORED, stream, after, until):
            yield [(version, key, unpack(body), previous or None, link) for version, key, body, previous, link in rows]
            after = rows[-1]["version"]

    async def head(self, stream: str) -> Head:
        rows = await self._rows(_LAST, stream)
        return head_after(_record(rows[0], _hash_before(rows[0]))) if rows else start_of(stream)

    async def find(self, stream: str, key: str) -> Record | None:
        rows = await self._rows(_FIND, stream, key)
        return _record(rows[0], _hash_before(rows[0])) if rows else None

    async def _hash_at(self, stream: str, version: int) -> bytes | None:
        if version == 0:
            return start_of(stream).hash
        rows = await self._rows(_HASH_AT, stream, version)
        return rows[0]["hash"] if rows else None

    async def streams(self) -> list[str]:
        """The names, found with one index look-up for each."""
        found = [""]
        while rows := await self._rows(_NEXT_STREAM, found[-1]):
            found.append(rows[0]["stream"])
        return sorted(found[1:])

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """Put it in the place of the last one. One that another owner saves at this very moment is as good."""
        with contextlib.suppress(asyncpg.UniqueViolationError), sentences(self._dsn):
            async with self._pool.acquire() as link:
                await answered(self._dsn, link, _replaced(link, snapshot))

    async def newest_snapshot(self, stream: str, form: str) -> Snapshot | None:
        rows = await self._rows(
            "SELECT stream, version, hash, form, state FROM sabot.snapshot WHERE stream = $1 AND form = $2",
            *(stream, form),
        )
        return Snapshot(*rows[0]) if rows else None

    async def drop_snapshots(self, stream: str) -> None:
        await self._rows("DELETE FROM sabot.snapshot WHERE stream = $1", stream)

    async def keep(self, values: Sequence[Derived]) -> None:
        rows = [(one.stream, one.name.encode(), one.version, pack_value(one.value)) for one in newest_of(values)]
        if rows:
            await self._rows(_KEEP, *map(list, zip(*rows, strict=True)))

    async def derived(self, stream: str, name: str) -> Derived | None:
        rows = await self._rows(
            "SELECT stream, name, version, value FROM sabot.derived WHERE stream = $1 AND name = $2",
            *(stream, name.encode()),
        )
        return _derived(rows[0]) if rows else None

    async def derived_between(self, stream: str, first: str, last: str) -> AsyncIterator[Sequence[Derived]]:
        statement, start = _FROM_NAME, first.encode()
        while rows := await self._rows(statement, stream, start, last.encode()):
            yield list(map(_derived, rows))
            statement, start = _BEHIND_NAME, rows[-1]["name"]

    async def drop_derived(self, stream: str) -> None:
        await self._rows("DELETE FROM sabot.derived WHERE stream = $1", stream)

    async def save_checkpoint(self, checkpoint: SignedCheckpoint) -> None:
        head = checkpoint.head
        with contextlib.suppress(asyncpg.UniqueViolationError):  # The very same one is kept already.
            await self._rows(
                "INSERT INTO sabot.checkpoint (stream, version, hash, epoch, at_ms, key_id, signature)"
                " VALUES ($1, $2, $3, $4, $5, $6, $7)",
                *(head.stream, head.version, head.hash, head.epoch),
                *(checkpoint.at_ms, checkpoint.key_id, checkpoint.signature),
            )

    async def vouched(self, stream: str) -> tuple[int, int]:
        (row,) = await self._rows(
            "SELECT count(*) AS number, max(version) AS newest FROM sabot.checkpoint WHERE stream = $1", stream
        )
        return row["number"], row["newest"] or 0

    async def checkpoints(self, stream: str, after: int = 0, until: int | None = None) -> list[SignedCheckpoint]:
        rows = await self._rows(_CHECKPOINTS, stream, after, _MOST_VERSIONS if until is None else until)
        return [SignedCheckpoint(Head(*row[:4]), *row[4:]) for row in map(tuple, rows)]

    async def newest_checkpoints(self, stream: str) -> AsyncIterator[SignedCheckpoint]:
        told = 0
        while rows := await self._rows(_NEWEST_CHECKPOINTS, stream, told):
            for row in map(tuple, rows):
                yield SignedCheckpoint(Head(*row[:4]), *row[4:])
            told += len(rows)

    async def acquire_lease(self, stream: str, owner: str, ttl_ms: int) -> Lease | None:
        rows = await self._rows(_ACQUIRE, stream, owner, ttl_ms)
        return Lease(*rows[0]) if rows else None

    async def renew_leases(self, leases: Sequence[Lease], ttl_ms: int) -> list[Lease]:
        if not leases:
            return []
        held = [
            [lease.stream for lease in leases],
            [lease.owner for lease in leases],
            [lease.epoch for lease in leases],
        ]
        renewed = {row["stream"]: Lease(*row) for row in await self._rows(_RENEW, *held, ttl_ms)}
        return [renewed[lease.stream] for lease in leases if lease.stream in renewed]

    async def release_lease(self, lease: Lease) -> None:
        await self._rows(_RELEASE, lease.stream, lease.owner, lease.epoch)

    async def lease(self, stream: str) -> Lease | None:
        rows = await self._rows(_HOLDER, stream)
        return Lease(*rows[0]) if rows else None

    async def close(self) -> None:
        """Wait for appends under way, then disconnect."""
        await self._appends.close()
        await self._pool.close()

    async def _rows(self, statement: str, *values: object) -> list[asyncpg.Record]:
        with sentences(self._dsn):
            return await fetch_from(self._pool, self._dsn, statement, *values)


async def _replaced(link: "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]", snapshot: Snapshot) -> None:
    async with link.transaction():
        await link.execute("DELETE FROM sabot.snapshot WHERE stream = $1", snapshot.stream)
        await link.execute(
            "INSERT INTO sabot.snapshot (stream, version, hash, form, state) VALUES ($1, $2, $3, $4, $5)",
            *(snapshot.stream, snapshot.version, snapshot.hash, snapshot.form, snapshot.state),
        )


def _derived(row: asyncpg.Record) -> Derived:
    stream, name, version, value = row
    return Derived(stream, name.decode(), version, unpack_value(value))


def _hash_before(row: asyncpg.Record) -> bytes | None:
    return start_of(row["stream"]).hash if row["version"] == 1 else row["hash_before"]


def _record(row: asyncpg.Record, before: bytes | None) -> Record:
    """The record in a row, after its hash was verified.

    `before` is the hash of the record before it, which records of earlier releases hold as well.
    """
    stream, version, key, packed, told, link, *_ = row
    body, previous = unpack(packed), told or before
    if previous is None:
        raise Damaged(f"record {version - 1} of {stream!r} is missing")
    if link != link_of(stream, version, body, previous):
        raise Damaged(f"record {version} of {stream!r} does not carry the hash of its content")
    if before is not None and previous != before:
        raise Damaged(f"record {version} of {stream!r} does not follow from the one before it")
    try:
        form, epoch, entry = read_body(body)
    except UnknownForm as error:
        raise unreadable(version, stream, error) from None
    if entry.key != key:
        raise Damaged(f"record {version} of {stream!r} is filed under another key")
    return Record(stream, version, epoch, entry, previous, link, form)
