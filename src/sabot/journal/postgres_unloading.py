"""Writes a sealed part of a journal in PostgreSQL into a file, as a part of a journal in a file is, and drops it.

The file is proved alone before its schema is dropped; the caller sees to that (`cli/journal/unload.py`).
"""

from contextlib import closing
from pathlib import Path

import apsw
import asyncpg

from sabot.journal import sqlite_part_rows as part_rows
from sabot.journal import sqlite_rows
from sabot.journal.anchor import sync_folder
from sabot.journal.journal import Unusable
from sabot.journal.packing import pack
from sabot.journal.parts import PartSeal
from sabot.journal.postgres_connection import connect, sentences
from sabot.journal.postgres_reader import LAST_NAME, MOST_VERSIONS, PostgresReader
from sabot.journal.postgres_rows import schema_of
from sabot.journal.sqlite_file import empty, transaction
from sabot.journal.sqlite_rotation import READ_ONLY, part_path
from sabot.journal.sqlite_writer import insert_records


async def unload(dsn: str, family: Path) -> tuple[PartSeal, Path]:
    """Write the oldest sealed part that is here into a file beside the journal that `family` would be.

    What was read is left as it is. A file that is there already is not replaced.
    """
    link = await connect(dsn)
    try:
        with sentences(dsn):
            reader, seal = await _oldest(link)
            path = part_path(family, seal.number)
            if path.exists():
                raise Unusable(f"{path} is there already; a copy never replaces anything")
            unfinished = path.with_name(f"{path.name}.part")
            unfinished.unlink(missing_ok=True)
            await _write(reader, seal, unfinished)
    finally:
        link.terminate()
    unfinished.chmod(READ_ONLY)
    unfinished.rename(path)
    sync_folder(path.parent)
    return seal, path


async def drop(dsn: str, seal: PartSeal) -> None:
    """Remove the schema of the oldest sealed part, which must be the one with this seal."""
    link = await connect(dsn)
    try:
        with sentences(dsn):
            async with link.transaction():
                _, found = await _oldest(link)
                if found != seal:
                    raise Unusable(f"part {seal.number} is not the oldest part of the journal at this address")
                await link.execute(f"DROP SCHEMA {schema_of(seal.number)} CASCADE")
    finally:
        link.terminate()


async def _oldest(link: "asyncpg.Connection[asyncpg.Record]") -> tuple[PostgresReader, PartSeal]:
    parts = [one for one in await PostgresReader(link.fetch).parts() if one.seal is not None]
    if not parts or parts[0].seal is None:
        raise Unusable("the journal has no sealed part here: rotate it first")
    return PostgresReader(link.fetch, schema_of(parts[0].number)), parts[0].seal


async def _write(reader: PostgresReader, seal: PartSeal, path: Path) -> None:
    with closing(empty(path)) as db:
        with transaction(db):
            await _write_place(reader, seal, db)
            for stream in await reader.streams():
                await _write_stream(reader, stream, db)
        db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        db.pragma("journal_mode", "delete")


async def _write_place(reader: PostgresReader, seal: PartSeal, db: apsw.Connection) -> None:
    part_rows.keep_seal(db, "part_seal", seal)
    before = await reader.seal_before()
    if before is not None:
        part_rows.keep_seal(db, "part_before", before)
    for base in (await reader.bases()).values():
        db.execute("INSERT INTO base VALUES (?, ?, ?, ?)", (base.stream, base.version, base.epoch, base.hash))
    part = await reader.at_hand()
    for table, openings in (("opening", part.openings), ("next_opening", part.next_openings)):
        for one in openings.values():
            part_rows.keep_opening(db, table, one)


async def _write_stream(reader: PostgresReader, stream: str, db: apsw.Connection) -> None:
    base = (await reader.base(stream)).version
    async for page in reader.stored(stream, base, MOST_VERSIONS):
        rows = [(stream, version, key, pack(body), link) for version, key, body, _, link in page]
        insert_records(db, rows)
    async for one in reader.newest_checkpoints(stream):
        head = one.head
        row = (
            stream,
            head.version,
            head.hash,
            head.epoch,
            one.at_ms,
            one.key_id,
            one.signature,
            sqlite_rows.seal_of(one),
        )
        db.execute("INSERT INTO checkpoint VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", row)
    for names in await reader.carried(stream):
        db.execute("INSERT INTO carried VALUES (?, ?, ?)", (stream, names.first, names.last))
    async for values in reader.own_derived(stream, "", LAST_NAME):
        sqlite_rows.keep_derived(db, values)
