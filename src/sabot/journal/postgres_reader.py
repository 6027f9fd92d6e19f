"""Reads a journal in PostgreSQL over its parts: the open one in the schema `sabot`, each sealed one in its own.

What the open part does not hold is looked for in the parts before it, each of which must be the one that the part
behind it names. Where one is not here, `PartAway` names it. A rotation may come between two statements; since a part
only ever begins later than it did before, what was not found is looked for once more, further back.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final

import asyncpg
from msgspec.structs import replace

from sabot.journal.journal import Damaged, Derived, PartAway, SignedCheckpoint, Unusable
from sabot.journal.merging import merged
from sabot.journal.packing import unpack_all
from sabot.journal.parts import NameRange, OpeningState, PartAtHand, PartSeal, mark_of, read_seal
from sabot.journal.postgres_rows import (
    OPEN_PART,
    read_base,
    read_derived,
    read_opening,
    read_part_seal,
    read_record,
    schema_of,
)
from sabot.journal.record import Head, Record, Stored, head_after, start_of

PAGE = 2_000
"""Records read per query. No connection is held between two pages."""
MOST_VERSIONS: Final = 2**63 - 1
LAST_NAME = chr(0x10FFFF)
"""Behind every name."""

_COLUMNS: Final = "stream, version, key, body, previous, hash"
_READ: Final = f"""
SELECT {_COLUMNS} FROM sabot.record WHERE stream = $1 AND version > $2 AND version <= $3 ORDER BY version LIMIT {PAGE}
"""  # noqa: S608  Our own words only, as in the others below.
_READ_FROM: Final = f"""
SELECT {_COLUMNS} FROM sabot.record WHERE stream = $1 AND version >= $2 AND version <= $3 ORDER BY version LIMIT {PAGE}
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
_VOUCHED: Final = """
SELECT count(*) AS number, max(version) AS newest FROM sabot.checkpoint
 WHERE stream = $1 AND version > $2 AND version <= $3
"""
_NEXT_STREAM: Final = "SELECT stream FROM sabot.record WHERE stream > $1 ORDER BY stream LIMIT 1"
_FROM_NAME: Final = f"""
SELECT stream, name, version, value FROM sabot.derived
 WHERE stream = $1 AND name >= $2 AND name <= $3 ORDER BY name LIMIT {PAGE}
"""  # noqa: S608
_BEHIND_NAME: Final = f"""
SELECT stream, name, version, value FROM sabot.derived
 WHERE stream = $1 AND name > $2 AND name <= $3 ORDER BY name LIMIT {PAGE}
"""  # noqa: S608
_BASE: Final = "SELECT stream, version, hash, epoch FROM sabot.base"
_OPENING: Final = "SELECT stream, version, hash, form, state FROM sabot.opening"
_NEXT_OPENING: Final = "SELECT stream, version, hash, form, state FROM sabot.next_opening ORDER BY stream"
_SEAL_BEFORE: Final = "SELECT number, text, key_id, signature FROM sabot.part_before"
_OWN_SEAL: Final = "SELECT number, text, key_id, signature FROM sabot.part_seal"

Asks = Callable[..., Awaitable[list[asyncpg.Record]]]
"""Sends a statement with its values, and returns the rows."""


class PostgresReader:
    """The journal as one of its parts tells it, with the parts before it behind it."""

    def __init__(self, asks: Asks, schema: str = OPEN_PART) -> None:
        self._asks, self.schema = asks, schema

    async def rows(self, statement: str, *values: object) -> list[asyncpg.Record]:
        return await self._asks(statement.replace(f"{OPEN_PART}.", f"{self.schema}."), *values)

    async def read(self, stream: str, after: int = 0, until: int | None = None) -> AsyncIterator[Record]:
        last = MOST_VERSIONS if until is None else until
        previous, known = await self._begun(stream, after, last)
        async for page in self.pages(stream, after, last, known):
            for row in page:
                if row["version"] != after + 1:
                    raise Damaged(f"record {after + 1} of {stream!r} is missing")
                record = read_record(row, previous)
                yield record
                after, previous = record.version, record.hash

    async def _begun(self, stream: str, after: int, until: int) -> tuple[bytes | None, Sequence[asyncpg.Record] | None]:
        """The hash of a record, and the first page behind it where one statement gives both.

        A process that follows what others write looks ten times a second, and mostly finds nothing behind its place.
        """
        rows = await self.rows(_READ_FROM, stream, after, until) if after else []
        if rows and rows[0]["version"] == after:
            return bytes(rows[0]["hash"]), rows[1:]
        return await self.hash_at(stream, after), None

    async def stored(self, stream: str, after: int, until: int) -> AsyncIterator[Sequence[Stored]]:
        async for page in self.pages(stream, after, until):
            bodies = unpack_all([row["body"] for row in page])
            yield [
                (version, key, body, previous or None, link)
                for (_, version, key, _, previous, link), body in zip(page, bodies, strict=True)
            ]

    async def pages(
        self, stream: str, after: int, until: int, known: Sequence[asyncpg.Record] | None = None
    ) -> AsyncIterator[Sequence[asyncpg.Record]]:
        """`known` are the first rows, where they were read with the record before them."""
        if known is not None:
            if known:
                yield known
            if len(known) < PAGE - 1:
                return
            after = known[-1]["version"]
        while after < until:
            page = await self.rows(_READ, stream, after, until)
            if not page or page[0]["version"] != after + 1:
                base = await self.base(stream)
                if base.version > after:
                    last = min(until, base.version)
                    earlier = await self.earlier(f"it holds records {after + 1:,} to {last:,} of {stream!r}")
                    async for each in earlier.pages(stream, after, last):
                        yield each
                    after = last
                    continue
            if page:
                yield page
            if len(page) < PAGE:
                return
            after = page[-1]["version"]

    async def head(self, stream: str) -> Head:
        rows = await self.rows(_LAST, stream)
        return head_after(read_record(rows[0], await self._hash_before(rows[0]))) if rows else start_of(stream)

    async def find(self, stream: str, key: str) -> Record | None:
        rows = await self.rows(_FIND, stream, key)
        if rows:
            return read_record(rows[0], await self._hash_before(rows[0]))
        if not (await self.base(stream)).version:
            return None
        return await (await self.earlier(f"whether it holds the key {key!r} of {stream!r} is asked")).find(stream, key)

    async def hash_at(self, stream: str, version: int) -> bytes | None:
        """The hash of a record; nothing where it is not there, which the record behind it then shows."""
        rows = await self.rows(_HASH_AT, stream, version)
        if rows:
            return bytes(rows[0]["hash"])
        base = await self.base(stream)
        if version == base.version:
            return base.hash
        if version > base.version:
            return None
        why = f"it holds records {version + 1:,} to {base.version:,} of {stream!r}"
        return await (await self.earlier(why)).hash_at(stream, version)

    async def _hash_before(self, row: asyncpg.Record) -> bytes | None:
        if row["hash_before"] is not None:
            return bytes(row["hash_before"])
        base = await self.base(row["stream"])
        return base.hash if row["version"] == base.version + 1 else None

    async def streams(self, begin: str = "") -> list[str]:
        """The names, found with one index look-up for each that the database sorts behind how they begin."""
        found = [begin]
        while rows := await self.rows(_NEXT_STREAM, found[-1]):
            found.append(rows[0]["stream"])
        return sorted(name for name in found[1:] if name.startswith(begin))

    async def derived(self, stream: str, name: str) -> Derived | None:
        rows = await self.rows(
            "SELECT stream, name, version, value FROM sabot.derived WHERE stream = $1 AND name = $2",
            *(stream, name.encode()),
        )
        if rows:
            return read_derived(rows[0])
        if not await self.looks_back(stream, name, name):
            return None
        return await (await self.earlier(_of_the_past(stream))).derived(stream, name)

    async def derived_between(self, stream: str, first: str, last: str) -> AsyncIterator[Sequence[Derived]]:
        told, reader = [self.own_derived(stream, first, last)], self
        while await reader.looks_back(stream, first, last):
            reader = await reader.earlier(_of_the_past(stream))
            told.append(reader.own_derived(stream, first, last))
        async for page in told[0] if len(told) == 1 else merged(told):
            yield page

    async def own_derived(self, stream: str, first: str, last: str) -> AsyncIterator[Sequence[Derived]]:
        """The derived values of these names in this part alone."""
        statement, start = _FROM_NAME, first.encode()
        while rows := await self.rows(statement, stream, start, last.encode()):
            yield list(map(read_derived, rows))
            statement, start = _BEHIND_NAME, rows[-1]["name"]

    async def checkpoints(self, stream: str, after: int = 0, until: int | None = None) -> list[SignedCheckpoint]:
        last, base = MOST_VERSIONS if until is None else until, (await self.base(stream)).version
        found = list[SignedCheckpoint]()
        if base > after:
            why = f"it holds records {after + 1:,} to {min(last, base):,} of {stream!r}"
            found += await (await self.earlier(why)).checkpoints(stream, after, min(last, base))
        rows = await self.rows(_CHECKPOINTS, stream, max(after, base), last)
        return found + [SignedCheckpoint(Head(*row[:4]), *row[4:]) for row in map(tuple, rows)]

    async def newest_checkpoints(self, stream: str) -> AsyncIterator[SignedCheckpoint]:
        reader, below = self, MOST_VERSIONS
        while True:
            told, lowest = 0, below
            while rows := await reader.rows(_NEWEST_CHECKPOINTS, stream, told):
                for row in map(tuple, rows):
                    if row[1] < below:
                        yield SignedCheckpoint(Head(*row[:4]), *row[4:])
                        lowest = row[1]
                told += len(rows)
            try:
                if not (await reader.base(stream)).version:
                    return
                reader, below = await reader.earlier(""), lowest
            except PartAway:
                return

    async def vouched(self, stream: str) -> tuple[int, int]:
        number, newest, until, reader = 0, 0, MOST_VERSIONS, self
        while True:
            base = (await reader.base(stream)).version
            (row,) = await reader.rows(_VOUCHED, stream, base, until)
            number, newest = number + row["number"], max(newest, row["newest"] or 0)
            try:
                if not base:
                    return number, newest
                reader, until = await reader.earlier(""), base
            except PartAway:
                return number, newest

    async def base(self, stream: str) -> Head:
        """The record that the first one of this part follows: the stream's start where it is here from its first."""
        rows = await self.rows(f"{_BASE} WHERE stream = $1", stream)
        return read_base(rows[0]) if rows else start_of(stream)

    async def opening(self, stream: str) -> OpeningState | None:
        """The state that this part opens with, if its digest is the one that the seal of the part before names."""
        rows = await self.rows(f"{_OPENING} WHERE stream = $1", stream)
        if not rows:
            return None
        found, before = read_opening(rows[0]), await self.seal_before()
        said = None if before is None else read_seal(before)
        if said is None or said.opens.get(stream) != mark_of(found):
            raise Damaged(f"the state of {stream!r} that the journal opens with is not the one that was sealed")
        return found

    async def bases(self) -> dict[str, Head]:
        return {row["stream"]: read_base(row) for row in await self.rows(f"{_BASE} ORDER BY stream")}

    async def openings(self) -> dict[str, OpeningState]:
        return {row["stream"]: read_opening(row) for row in await self.rows(f"{_OPENING} ORDER BY stream")}

    async def carried(self, stream: str) -> list[NameRange]:
        rows = await self.rows("SELECT first, last FROM sabot.carried WHERE stream = $1", stream)
        return [NameRange(stream, row["first"].decode(), row["last"].decode()) for row in rows]

    async def looks_back(self, stream: str, first: str, last: str) -> bool:
        """Whether the parts before may hold derived values of these names that are not here."""
        if not (await self.base(stream)).version:
            return False
        return not any(one.first <= first and last <= one.last for one in await self.carried(stream))

    async def seal_before(self) -> PartSeal | None:
        rows = await self.rows(_SEAL_BEFORE)
        return read_part_seal(rows[0]) if rows else None

    async def own_seal(self) -> PartSeal | None:
        if self.schema == OPEN_PART:
            return None
        rows = await self.rows(_OWN_SEAL)
        return read_part_seal(rows[0]) if rows else None

    async def earlier(self, why: str) -> "PostgresReader":
        """The part before; raises `PartAway` where it is not here, and `Damaged` where another is."""
        seal = await self.seal_before()
        if seal is None:
            raise Damaged(f"{self.schema} begins behind records, and no seal says which")
        reader, named = PostgresReader(self._asks, schema_of(seal.number)), f"part {seal.number} of the journal"
        if not (await self._asks("SELECT to_regclass($1) IS NOT NULL", f"{reader.schema}.part_seal"))[0][0]:
            raise PartAway(f"{named} is not here (schema {reader.schema}): {why}")
        if await reader.own_seal() != seal:
            raise Damaged(f"schema {reader.schema} is not the part {seal.number} that the part behind it names")
        return reader

    async def parts(self, newest: int | None = None) -> list[PartAtHand]:
        """None where the journal was never rotated."""
        found, reader = list[PartAtHand](), self
        if await self.seal_before() is None and self.schema == OPEN_PART:
            return found
        while True:
            one = await reader.at_hand()
            found.append(one)
            try:
                if one.before is None or len(found) == newest:
                    break
                reader = await reader.earlier("")
            except PartAway:
                break
            except Damaged as damaged:
                found[-1] = replace(one, broken=str(damaged))
                break
        return found[::-1]

    async def at_hand(self) -> PartAtHand:
        before, seal = await self.seal_before(), await self.own_seal()
        rows = [] if seal is None else await self.rows(_NEXT_OPENING)
        heads, broken = dict[str, Head](), None
        try:
            heads = {stream: await self.head(stream) for stream in await self.streams()}
            await self._check_ends(before, seal)
        except (Damaged, Unusable) as damaged:
            heads, broken = {}, f"{self.schema}: {damaged}"
        return PartAtHand(
            self.schema,
            1 if before is None else before.number + 1,
            before,
            seal,
            await self.bases(),
            await self.openings(),
            heads,
            {row["stream"]: read_opening(row) for row in rows},
            broken,
        )

    async def _check_ends(self, before: PartSeal | None, seal: PartSeal | None) -> None:
        """Read what the next part holds, too, and is read there, and what this one carries from the part before."""
        bases = await self.bases()
        for one, begins_here in ((seal, False), (before, True)):
            said = None if one is None else read_seal(one)
            for stream, base in said.begins.items() if said else ():
                until = said.opens[stream].version if begins_here and said and stream in said.opens else None
                if not begins_here or bases.get(stream) == base:
                    async for _ in self.read(stream, base.version, until):
                        pass


def _of_the_past(stream: str) -> str:
    return f"what was kept of the past of {stream!r} is asked"
