"""A journal in PostgreSQL, in plain SQL that compatible distributed databases also run.

It uses no explicit locks, sequences, notifications or serializable transactions. Two owners are kept apart by the
primary key (stream, version) alone; the lease only avoids conflicts. Reads go to the server of the address, which must
be the primary.
"""

import contextlib
from collections.abc import Awaitable, Sequence
from typing import Final, Self

import asyncpg

from sabot.journal.journal import (
    Appended,
    AppendOutcome,
    Conflict,
    Derived,
    Lease,
    SignedCheckpoint,
    Snapshot,
    newest_of,
)
from sabot.journal.packing import pack_value
from sabot.journal.parts import PartSeal, RotationPlan
from sabot.journal.postgres_append_queue import AppendQueue
from sabot.journal.postgres_connection import create_pool, fetch_from, sentences
from sabot.journal.postgres_hosts import answered
from sabot.journal.postgres_reader import LAST_NAME, PostgresReader
from sabot.journal.postgres_rotation import rotate
from sabot.journal.record import Record, check_place

_CONNECTIONS = 4
"""For everything but appends, which have a connection of their own."""

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
_NONE_BEFORE: Final = "INSERT INTO sabot.carried (stream, first, last) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"


class PostgresJournal(PostgresReader):
    """Opened by `open`, which refuses an unsafe server; `postgres_schema.migrate` makes the tables."""

    def __init__(self, dsn: str, appends: AppendQueue, pool: "asyncpg.Pool[asyncpg.Record]") -> None:
        super().__init__(self._fetched)
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

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """Put it in the place of the last one. One that another owner saves at this very moment is as good."""
        with contextlib.suppress(asyncpg.UniqueViolationError), sentences(self._dsn):
            async with self._pool.acquire() as link:
                await answered(self._dsn, link, _replaced(link, snapshot))

    async def newest_snapshot(self, stream: str, form: str) -> Snapshot | None:
        rows = await self.rows(
            "SELECT stream, version, hash, form, state FROM sabot.snapshot WHERE stream = $1 AND form = $2",
            *(stream, form),
        )
        return Snapshot(*rows[0]) if rows else None

    async def drop_snapshots(self, stream: str) -> None:
        await self.rows("DELETE FROM sabot.snapshot WHERE stream = $1", stream)

    async def keep(self, values: Sequence[Derived]) -> None:
        rows = [(one.stream, one.name.encode(), one.version, pack_value(one.value)) for one in newest_of(values)]
        if rows:
            await self.rows(_KEEP, *map(list, zip(*rows, strict=True)))

    async def drop_derived(self, stream: str) -> None:
        """Let no value of an earlier part count any more, either."""
        if (await self.base(stream)).version:
            await self.rows(_NONE_BEFORE, stream, b"", LAST_NAME.encode())
        await self.rows("DELETE FROM sabot.derived WHERE stream = $1", stream)

    async def rotate(self, plan: RotationPlan) -> PartSeal:
        """Only the owner of the tables may."""
        return await rotate(self._dsn, plan)

    async def save_checkpoint(self, checkpoint: SignedCheckpoint) -> None:
        head = checkpoint.head
        with contextlib.suppress(asyncpg.UniqueViolationError):  # The very same one is kept already.
            await self.rows(
                "INSERT INTO sabot.checkpoint (stream, version, hash, epoch, at_ms, key_id, signature)"
                " VALUES ($1, $2, $3, $4, $5, $6, $7)",
                *(head.stream, head.version, head.hash, head.epoch),
                *(checkpoint.at_ms, checkpoint.key_id, checkpoint.signature),
            )

    async def acquire_lease(self, stream: str, owner: str, ttl_ms: int) -> Lease | None:
        rows = await self.rows(_ACQUIRE, stream, owner, ttl_ms)
        return Lease(*rows[0]) if rows else None

    async def renew_leases(self, leases: Sequence[Lease], ttl_ms: int) -> list[Lease]:
        if not leases:
            return []
        held = [
            [lease.stream for lease in leases],
            [lease.owner for lease in leases],
            [lease.epoch for lease in leases],
        ]
        renewed = {row["stream"]: Lease(*row) for row in await self.rows(_RENEW, *held, ttl_ms)}
        return [renewed[lease.stream] for lease in leases if lease.stream in renewed]

    async def release_lease(self, lease: Lease) -> None:
        await self.rows(_RELEASE, lease.stream, lease.owner, lease.epoch)

    async def lease(self, stream: str) -> Lease | None:
        rows = await self.rows(_HOLDER, stream)
        return Lease(*rows[0]) if rows else None

    async def close(self) -> None:
        """Wait for appends under way, then disconnect."""
        await self._appends.close()
        await self._pool.close()

    async def _fetched(self, statement: str, *values: object) -> list[asyncpg.Record]:
        with sentences(self._dsn):
            return await fetch_from(self._pool, self._dsn, statement, *values)


async def _replaced(link: "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]", snapshot: Snapshot) -> None:
    async with link.transaction():
        await link.execute("DELETE FROM sabot.snapshot WHERE stream = $1", snapshot.stream)
        await link.execute(
            "INSERT INTO sabot.snapshot (stream, version, hash, form, state) VALUES ($1, $2, $3, $4, $5)",
            *(snapshot.stream, snapshot.version, snapshot.hash, snapshot.form, snapshot.state),
        )
