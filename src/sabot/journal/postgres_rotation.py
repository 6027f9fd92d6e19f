"""Rotates a journal in PostgreSQL: the open part becomes a schema of its own, sealed for good, and a new one is begun.

All of it is one transaction of the owner of the tables. So a process that is killed, or a server that fails, at any
moment leaves the journal as it was or rotated. Processes that serve tables go on. An append that comes meanwhile waits
for the end of the transaction. It is then written into the new part, behind the records that this one holds too.
"""

import re
from collections.abc import Awaitable, Callable

import asyncpg

from sabot.journal.journal import Unusable, record_at
from sabot.journal.packing import pack_value
from sabot.journal.parts import NOTHING, OpeningState, PartSeal, RotationPlan, SealedEnd, first_kept, mark_of, seal_text
from sabot.journal.postgres_connection import connect, sentences
from sabot.journal.postgres_hosts import PostgresConnection
from sabot.journal.postgres_reader import PostgresReader
from sabot.journal.postgres_rows import OPEN_PART, schema_of
from sabot.journal.postgres_schema import known_migrations
from sabot.journal.record import Head, head_after

WAIT_MS = 1_000
"""How long the tables may be in use by others before a rotation is given up. Appends wait meanwhile, too."""
_MOVED = ("record", "checkpoint", "derived", "part_before", "base", "opening", "carried")
"""The tables of a part. Leases and snapshots are of the journal."""
SEALED = """
CREATE TABLE sabot.part_seal (
    number    bigint NOT NULL PRIMARY KEY,
    text      bytea  NOT NULL,
    key_id    text   NOT NULL,
    signature bytea  NOT NULL
);
CREATE TABLE sabot.next_opening (
    stream  text   NOT NULL PRIMARY KEY,
    version bigint NOT NULL,
    hash    bytea  NOT NULL,
    form    bigint NOT NULL,
    state   bytea  NOT NULL
)
"""
_COPY_RECORDS = """
INSERT INTO sabot.record (stream, version, key, body, previous, hash, at)
SELECT stream, version, key, body, previous, hash, at FROM {before}.record WHERE stream = $1 AND version > $2
"""
_COPY_CHECKPOINTS = """
INSERT INTO sabot.checkpoint (stream, version, hash, epoch, at_ms, key_id, signature)
SELECT stream, version, hash, epoch, at_ms, key_id, signature FROM {before}.checkpoint
 WHERE stream = $1 AND (version > $2 OR version = (SELECT max(version) FROM {before}.checkpoint WHERE stream = $1))
"""
_COPY_DERIVED = """
INSERT INTO sabot.derived (stream, name, version, value)
SELECT stream, name, version, value FROM {before}.derived WHERE stream = $1 AND name >= $2 AND name <= $3
ON CONFLICT DO NOTHING
"""
_COPY_ALL_DERIVED = """
INSERT INTO sabot.derived (stream, name, version, value)
SELECT stream, name, version, value FROM {before}.derived WHERE stream = $1 ON CONFLICT DO NOTHING
"""


async def rotate(dsn: str, plan: RotationPlan) -> PartSeal:
    """Seal the open part, and go on in a new one. Raises `Unusable` where that cannot be done; nothing has changed."""
    link = await connect(dsn)
    try:
        with sentences(dsn):
            return await _rotated(link, plan)
    except asyncpg.InsufficientPrivilegeError as error:
        raise Unusable(_NOT_THE_OWNER) from error
    except Unusable as error:
        if isinstance(error.__cause__, asyncpg.InsufficientPrivilegeError):
            raise Unusable(_NOT_THE_OWNER) from error
        raise
    except asyncpg.LockNotAvailableError as error:
        raise Unusable("the journal is not rotated: its tables are in use by others all the time") from error
    except (asyncpg.DuplicateSchemaError, asyncpg.DuplicateTableError) as error:
        raise Unusable(f"the journal is not rotated: {error}") from error
    finally:
        link.terminate()


_NOT_THE_OWNER = (
    "the journal is not rotated: only the owner of its tables may; run `sabot journal rotate` with the owner's address"
)


class SchemaChange:
    """A rotation under way, in its transaction."""

    def __init__(self, link: PostgresConnection, plan: RotationPlan, before: PartSeal | None) -> None:
        self.link, self.plan, self.before = link, plan, before
        self.number = 1 if before is None else before.number + 1
        self.schema = schema_of(self.number)
        self.reader = PostgresReader(link.fetch, self.schema)
        self.heads: dict[str, Head] = {}
        self.begins: dict[str, Head] = {}
        self.openings: dict[str, OpeningState] = {}
        self.seal: PartSeal | None = None

    async def do(self, statement: str, *values: object) -> None:
        await self.link.execute(statement.replace("{before}", self.schema), *values)


async def _rotated(link: PostgresConnection, plan: RotationPlan) -> PartSeal:
    async with link.transaction():
        await link.execute(f"SET LOCAL lock_timeout = {WAIT_MS}")
        change = SchemaChange(link, plan, await PostgresReader(link.fetch).seal_before())
        for step in STEPS:
            await step(change)
    assert change.seal is not None
    return change.seal


async def part(change: SchemaChange) -> None:
    """Move the tables of the open part into a schema of their own; from here on no other connection reads or writes
    them."""
    await change.do("CREATE SCHEMA {before}")
    for table in _MOVED:
        await change.do(f"ALTER TABLE {OPEN_PART}.{table} SET SCHEMA {{before}}")
    if await change.reader.seal_before() != change.before:
        raise Unusable("the journal is not rotated: another process has just rotated it")


async def close(change: SchemaChange) -> None:
    """Write the seal, and what the next part opens with, into the sealed part, which nobody can write to any more."""
    await _seal(change)
    assert change.seal is not None
    await change.link.execute(SEALED.replace(f"{OPEN_PART}.", f"{change.schema}."))
    await _keep_seal(change, f"{change.schema}.part_seal", change.seal)
    for one in change.openings.values():
        await _keep_opening(change, f"{change.schema}.next_opening", one)
    tables = ", ".join(f"{change.schema}.{table}" for table in (*_MOVED, "part_seal", "next_opening"))
    await change.do("GRANT USAGE ON SCHEMA {before} TO sabot_app")
    await change.do(f"REVOKE ALL ON {tables} FROM sabot_app")
    await change.do(f"GRANT SELECT ON {tables} TO sabot_app")


async def begin(change: SchemaChange) -> None:
    """Make the tables of the next part, as the migrations do."""
    for migration in known_migrations():
        for statement in _of_a_part(migration.sql):
            await change.link.execute(statement)


async def fill(change: SchemaChange) -> None:
    """Copy what the next part holds, too, and write down how it begins."""
    assert change.seal is not None
    await _keep_seal(change, f"{OPEN_PART}.part_before", change.seal)
    for stream in change.heads:
        begins = change.begins.get(stream)
        after = 0 if begins is None else begins.version
        await change.do(_COPY_RECORDS, stream, after)
        await change.do(_COPY_CHECKPOINTS, stream, after)
        if begins is None:  # It is here whole, so nobody looks for its values further back.
            await change.do(_COPY_ALL_DERIVED, stream)
        else:
            await change.do(
                "INSERT INTO sabot.base (stream, version, hash, epoch) VALUES ($1, $2, $3, $4)",
                *(stream, begins.version, begins.hash, begins.epoch),
            )
    for one in change.openings.values():
        await _keep_opening(change, f"{OPEN_PART}.opening", one)
    for names in change.plan.carried:
        # A range of names of which earlier parts may have more is not one that the next part has whole.
        if not await change.reader.looks_back(names.stream, names.first, names.last):
            ends = (names.stream, names.first.encode(), names.last.encode())
            await change.do("INSERT INTO sabot.carried (stream, first, last) VALUES ($1, $2, $3)", *ends)
            await change.do(_COPY_DERIVED, *ends)


_MAKES = re.compile(r"(CREATE (TABLE|TRIGGER)|GRANT) ")
STEPS: tuple[Callable[[SchemaChange], Awaitable[None]], ...] = (part, close, begin, fill)


async def _seal(change: SchemaChange) -> None:
    reader, plan = change.reader, change.plan
    change.openings = {**await reader.openings(), **{one.stream: one for one in plan.openings}}
    bases = await reader.bases()
    for stream in await reader.streams():
        change.heads[stream] = head = await reader.head(stream)
        opening, base = change.openings.get(stream), bases.get(stream)
        least = 0 if base is None else base.version
        kept = max(least, first_kept(head.version, None if opening is None else opening.version))
        if opening is not None and await reader.hash_at(stream, opening.version) != opening.hash:
            raise Unusable(f"the journal is not rotated: the state of {stream!r} is of another record than it says")
        if kept:
            change.begins[stream] = base if base is not None and kept == least else await _head_at(reader, stream, kept)
    after = NOTHING if change.before is None else change.before.digest
    opens = {stream: mark_of(one) for stream, one in change.openings.items()}
    end = SealedEnd(change.number, after, plan.at_ms, change.heads, change.begins, opens)
    text = seal_text(end, plan.key_id)
    change.seal = PartSeal(change.number, text, plan.key_id, plan.sign(text))


async def _head_at(reader: PostgresReader, stream: str, version: int) -> Head:
    record = await record_at(reader, stream, version)
    if record is not None:
        return head_after(record)
    raise Unusable(f"the journal is not rotated: record {version} of {stream!r} is missing")


async def _keep_seal(change: SchemaChange, table: str, seal: PartSeal) -> None:
    statement = f"INSERT INTO {table} (number, text, key_id, signature) VALUES ($1, $2, $3, $4)"  # noqa: S608
    await change.do(statement, seal.number, seal.text, seal.key_id, seal.signature)


async def _keep_opening(change: SchemaChange, table: str, one: OpeningState) -> None:
    statement = f"INSERT INTO {table} (stream, version, hash, form, state) VALUES ($1, $2, $3, $4, $5)"  # noqa: S608
    await change.do(statement, one.stream, one.version, one.hash, one.form, pack_value(one.state))


def _of_a_part(sql: str) -> list[str]:
    """The statements of a migration that make the tables of a part, with their triggers and grants."""
    plain = "\n".join(line for line in sql.splitlines() if not line.startswith("--"))
    found = []
    for statement in plain.split(";\n"):
        said = " ".join(statement.split())
        names = [f"{OPEN_PART}.{table}" for table in _MOVED]
        if _MAKES.match(said) and any(f"{name} " in f"{said} ".replace(",", " ").replace("(", " ") for name in names):
            found.append(statement)
    return found
