"""Reads a SQLite journal, also while a table writes to it: its open part, and the sealed ones that lie beside it.

Records, keys, checkpoints and derived values that the open part does not hold are looked for in the parts before it.
Each of these must be the one that the part behind it names. Where one is not here, `PartAway` names it.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import apsw
from msgspec.structs import replace

from sabot.journal import sqlite_part_rows as part_rows
from sabot.journal import sqlite_rows as rows
from sabot.journal.journal import Damaged, Derived, Lease, PartAway, SignedCheckpoint, Snapshot, Unusable
from sabot.journal.merging import merged
from sabot.journal.parts import OpeningState, PartAtHand, PartSeal, read_seal
from sabot.journal.reading_gate import ReadingGate
from sabot.journal.record import Head, Record, Stored
from sabot.journal.sqlite_file import reading
from sabot.journal.sqlite_rotation import is_named_as_part, part_path
from sabot.journal.sqlite_start_checks import check_pages

PAGE = 4_000
"""Records read per query: enough to make queries cheap, too few to delay a WAL checkpoint."""

_Found = TypeVar("_Found")
_Row = TypeVar("_Row", Record, Stored)


class SqliteReader:
    """A SQLite journal for reading, also while a table writes to it. It changes nothing."""

    def __init__(self, path: Path, family: Path | None) -> None:
        """`family` is the journal whose parts lie beside it; without it the file is read alone."""
        self.path, self._family = path, family
        self._gate = ReadingGate()

    async def read(self, stream: str, after: int = 0, until: int | None = None) -> AsyncIterator[Record]:
        last = rows.ALL if until is None else until
        async for page in self.pages(_records, stream, after, last):
            for record in page:
                yield record

    def stored(self, stream: str, after: int, until: int) -> AsyncIterator[Sequence[Stored]]:
        return self.pages(_stored, stream, after, until)

    async def head(self, stream: str) -> Head:
        return await self.look(lambda db: rows.head(db, stream))

    async def find(self, stream: str, key: str) -> Record | None:
        reader = self
        while True:
            found, before = await reader.look(lambda db: (rows.find(db, stream, key), _before(db, stream)))
            if found is not None or before is None:
                return found
            reader = await reader._part(before, f"whether it holds the key {key!r} of {stream!r} is asked")

    @property
    def is_written_here(self) -> bool:
        """Whether this process writes to the journal, so that there must be a write-ahead log."""
        return False

    async def streams(self, begin: str = "") -> list[str]:
        return [name for name in await self.look(rows.streams) if name.startswith(begin)]

    async def newest_snapshot(self, stream: str, form: str) -> Snapshot | None:
        return await self.look(lambda db: rows.snapshot(db, stream, form))

    async def opening(self, stream: str) -> OpeningState | None:
        return await self.look(lambda db: part_rows.opening(db, stream))

    async def parts(self, newest: int | None = None) -> list[PartAtHand]:
        found, reader = list[PartAtHand](), self
        while True:
            one = await reader.look(partial(_at_hand, name=reader.path.name))
            if one.seal is None and is_named_as_part(reader.path):
                one = replace(one, broken=f"{one.name} has no seal, though it has the name of a sealed part")
            found.append(one)
            try:
                if one.before is None or len(found) == newest:
                    break
                reader = await reader._part(one.before, "")
            except PartAway:
                break
            except Damaged as damaged:
                found[-1] = replace(one, broken=str(damaged))
                break
        return found[::-1]

    async def derived(self, stream: str, name: str) -> Derived | None:
        async for reader in self._with_names(stream, name, name):
            found = await reader.look(lambda db: rows.derived(db, stream, name))
            if found is not None:
                return found
        return None

    async def derived_between(self, stream: str, first: str, last: str) -> AsyncIterator[Sequence[Derived]]:
        parts = [one async for one in self._with_names(stream, first, last)]
        told = [one.own_derived(stream, first, last) for one in parts]
        async for page in told[0] if len(told) == 1 else merged(told):
            yield page

    async def checkpoints(self, stream: str, after: int = 0, until: int | None = None) -> list[SignedCheckpoint]:
        found, last = list[SignedCheckpoint](), rows.ALL if until is None else until
        for reader, first, end in await self._spans(stream, after, last):
            found += await reader.look(partial(rows.checkpoints, stream=stream, after=first, until=end))
        return found

    async def newest_checkpoints(self, stream: str) -> AsyncIterator[SignedCheckpoint]:
        reader, below = self, rows.ALL
        while True:
            told, lowest = 0, below
            ask = partial(rows.newest_checkpoints, stream=stream, below=below)
            while page := await reader.look(partial(ask, leave_out=told)):
                for one in page:
                    yield one
                told, lowest = told + len(page), page[-1].head.version
            before = await reader.look(lambda db: _before(db, stream))
            try:
                if before is None:
                    return
                reader, below = await reader._part(before, ""), lowest
            except PartAway:
                return

    async def vouched(self, stream: str) -> tuple[int, int]:
        number, newest = await self.look(lambda db: rows.vouched(db, stream))
        if await self.look(lambda db: part_rows.base(db, stream).version):
            number, until = 0, rows.ALL
            for part in reversed(await self.parts()):
                reader = SqliteReader(self.path.with_name(part.name), None)
                begins = part.bases[stream].version if stream in part.bases else 0
                number += len(await reader.look(partial(rows.checkpoints, stream=stream, after=begins, until=until)))
                until = begins
        return number, newest

    async def lease(self, stream: str) -> Lease | None:
        return await self.look(lambda db: rows.lease(db, stream))

    async def check_pages(self) -> None:
        """Check every page and index entry, which start-up omits for streams with a trusted checkpoint."""
        await self.look(lambda db: check_pages(db, self.path))

    async def close(self) -> None:
        """Does nothing: no connection stays open between reads."""

    async def pages(
        self, query: Callable[..., Sequence[_Row]], stream: str, after: int, until: int
    ) -> AsyncIterator[Sequence[_Row]]:
        while after < until:
            try:
                page = await self.look(partial(query, stream=stream, after=after, until=until))
            except part_rows.EarlierPart as earlier:
                for reader, first, end in await self._spans(stream, after, min(until, earlier.base)):
                    async for each in reader.pages(query, stream, first, end):
                        yield each
                after = earlier.base
                continue
            if page:
                yield page
            if len(page) < PAGE:
                return
            after = _version(page[-1])

    async def _spans(self, stream: str, after: int, until: int) -> list[tuple["SqliteReader", int, int]]:
        """Which part holds what of a stretch of records, in order."""
        spans, reader = list[tuple[SqliteReader, int, int]](), self
        while True:
            base, before = await reader.look(lambda db: (part_rows.base(db, stream).version, part_rows.seal_before(db)))
            if until > max(after, base):
                spans.append((reader, max(after, base), until))
            if base <= after or before is None:
                return spans[::-1]
            until = min(until, base)
            reader = await reader._part(before, f"it holds records {after + 1:,} to {until:,} of {stream!r}")

    async def _with_names(self, stream: str, first: str, last: str) -> "AsyncIterator[SqliteReader]":
        """The parts that may hold derived values of these names, the newest first."""
        reader = self
        while True:
            yield reader
            before = await reader.look(lambda db: _looks_back(db, stream, first, last))
            if before is None:
                return
            reader = await reader._part(before, f"what was kept of the past of {stream!r} is asked")

    async def own_derived(self, stream: str, first: str, last: str) -> AsyncIterator[Sequence[Derived]]:
        """The derived values of these names in this part alone."""
        ask = partial(rows.derived_between, stream=stream, first=first, last=last, behind=None)
        while page := await self.look(ask):
            yield page
            if len(page) < rows.PAGE:
                return
            ask = partial(ask, behind=page[-1].name)

    async def _part(self, seal: PartSeal, why: str) -> "SqliteReader":
        """The part with this seal; raises `PartAway` where it is not here, and `Damaged` where another is."""
        named = f"part {seal.number} of the journal"
        if self._family is None:
            raise PartAway(f"{self.path} is read alone, and {named} is asked for: {why}")
        path = part_path(self._family, seal.number)
        if not path.exists():
            raise PartAway(f"{named} is not here ({path}): {why}")
        reader = SqliteReader(path, self._family)
        if await reader.look(part_rows.own_seal) != seal:
            raise Damaged(f"{path} is not the part {seal.number} that the part behind it names")
        return reader

    async def look(self, query: Callable[[apsw.Connection], _Found]) -> _Found:
        """Ask this part, in a thread and with a connection of its own."""

        def ask() -> _Found:
            with self._gate.reading(), reading(self.path, running=self.is_written_here) as db:
                return query(db)

        return await asyncio.to_thread(ask)


def _records(db: apsw.Connection, stream: str, after: int, until: int) -> list[Record]:
    return list(rows.records(db, stream, after, until, PAGE))


def _stored(db: apsw.Connection, stream: str, after: int, until: int) -> Sequence[Stored]:
    return rows.stored(db, stream, after, until, PAGE)


def _version(row: Record | Stored) -> int:
    return row.version if isinstance(row, Record) else row[0]


def _before(db: apsw.Connection, stream: str) -> PartSeal | None:
    """The seal of the part before, if that holds records of the stream."""
    return part_rows.seal_before(db) if part_rows.base(db, stream).version else None


def _looks_back(db: apsw.Connection, stream: str, first: str, last: str) -> PartSeal | None:
    return part_rows.seal_before(db) if part_rows.looks_back(db, stream, first, last) else None


def _at_hand(db: apsw.Connection, name: str) -> PartAtHand:
    try:
        heads = {stream: rows.head(db, stream) for stream in rows.streams(db)}
        _check_ends(db)
    except (Damaged, Unusable) as damaged:
        return part_rows.at_hand(db, name, {}, f"{name}: {damaged}")
    return part_rows.at_hand(db, name, heads)


def _check_ends(db: apsw.Connection) -> None:
    """Read what the next part holds, too, and is read there, and what this one carries from the part before."""
    for seal, begins_here in ((part_rows.own_seal(db), False), (part_rows.seal_before(db), True)):
        said = None if seal is None else read_seal(seal)
        for stream, base in said.begins.items() if said else ():
            until = said.opens[stream].version if begins_here and said and stream in said.opens else rows.ALL
            if not begins_here or part_rows.base(db, stream).version == base.version:
                for _ in rows.records(db, stream, base.version, until):
                    pass
