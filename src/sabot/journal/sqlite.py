"""A journal in one SQLite file: the default, and enough for a table or a pit.

One thread writes, with one connection; each read opens a short connection of its own. The file is held for the life of
the process that writes to it (`file_hold`): another one would decide on a house that it has read long ago. Where two
write all the same, the version in every append keeps them apart.

After a failure of the disk nothing is written until the file was opened anew and holds all that was acknowledged.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import apsw
import msgspec

from sabot.journal import sqlite_part_rows as part_rows
from sabot.journal import sqlite_rows as rows
from sabot.journal.anchor import Anchor, Anchoring, AnchorKeeper, check_not_lost, read_anchor
from sabot.journal.disk_room import DEFAULT_ROOM, MEGABYTE, Ballast, DiskRoom, disk_free
from sabot.journal.file_hold import FileHold
from sabot.journal.journal import (
    Appended,
    AppendOutcome,
    Conflict,
    Damaged,
    Derived,
    Lease,
    SignedCheckpoint,
    Snapshot,
    Unknown,
    Unusable,
)
from sabot.journal.packing import pack
from sabot.journal.parts import PartSeal, RotationPlan
from sabot.journal.record import Head, Record, check_place, head_after
from sabot.journal.sqlite_connection import Keeping, connected, reopened
from sabot.journal.sqlite_file import check_header, check_library, close_to_others, create
from sabot.journal.sqlite_reader import SqliteReader
from sabot.journal.sqlite_rotation import PartChange, carry_to_end, is_named_as_part
from sabot.journal.sqlite_start_checks import (
    CheckpointTrust,
    StartReport,
    check_disk,
    measure_sync,
    room_warning,
    sync_warning,
    trust_nobody,
    verify,
)
from sabot.journal.sqlite_writer import NotCommitted, RecordRow, Writer, insert_records
from sabot.journal.steady_clock import steady, wall_ms


class SqliteJournal(SqliteReader):
    def __init__(
        self,
        path: Path,
        writer: Writer,
        now_ms: Callable[[], int] = wall_ms,
        report: StartReport | None = None,
        keeping: Keeping | None = None,
        room: DiskRoom = DEFAULT_ROOM,
    ) -> None:
        super().__init__(path, path)
        self._writer, self._now_ms, self._room = writer, now_ms, room
        self._keeping = keeping or Keeping(path, Ballast(ballast_of(path), room), None)
        self._heads = _Heads()
        self.report = report
        """What the start-up checks found; nothing where they were not run."""

    @property
    def is_written_here(self) -> bool:
        return not self._keeping.is_rotating

    @property
    def trouble(self) -> str | None:
        """Why nothing more is written, or why the anchor is not raised, in one sentence, if there is trouble."""
        return self._writer.trouble

    @property
    def is_lost(self) -> bool:
        return self._writer.is_lost

    def shortage(self) -> str | None:
        """What is short, if there is too little disk to begin a new coup; a coup under way is finished in any case.

        Where there is room enough, some of it is set aside for that.
        """
        try:
            free = disk_free(self.path.parent)
        except OSError as error:
            return f"the disk of the journal does not tell its room: {error.strerror}"
        self._keeping.ballast.lay(free)
        if free >= self._room.to_accept:
            return None
        return (
            f"the disk of the journal is nearly full: {free // MEGABYTE} MB are free,"
            f" and {self._room.to_accept // MEGABYTE} MB are needed to begin"
        )

    def append(self, stream: str, expected_version: int, records: Sequence[Record]) -> "asyncio.Future[AppendOutcome]":
        bodies = check_place(stream, expected_version, records)
        batch = [
            (stream, record.version, record.entry.key, pack(body), record.hash)
            for record, body in zip(records, bodies, strict=True)
        ]
        previous = records[0].previous if records else None
        last = head_after(records[-1]) if records else None

        def follows(head: Head) -> bool:
            return head.version == expected_version and (previous is None or head.hash == previous)

        def insert(db: apsw.Connection) -> AppendOutcome:
            head = self._heads.of(db, stream, self._writer)
            if not follows(head):
                head = self._heads.read(db, stream)  # Another process may have written.
                if not follows(head):
                    return Conflict(head.version)
            if not self._writer.is_careful:
                self._writer.puts(batch)
            elif not _inserted(db, batch):
                return Conflict(head.version, _repeated(db, stream, records))
            if last is not None:
                self._heads.move(last)
                self._writer.anchors(last)
            return Appended(expected_version + len(records))

        return self._writer.begin(insert, _unknown, appends=True)

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        row = (*msgspec.structs.astuple(snapshot), rows.seal_of(snapshot))
        await self._do("INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?, ?, ?)", row)

    async def drop_snapshots(self, stream: str) -> None:
        await self._do("DELETE FROM snapshot WHERE stream = ?", (stream,))

    async def keep(self, values: Sequence[Derived]) -> None:
        await self._writer.do(lambda db: rows.keep_derived(db, values))

    async def drop_derived(self, stream: str) -> None:
        def drop(db: apsw.Connection) -> None:
            db.execute("DELETE FROM derived WHERE stream = ?", (stream,))
            part_rows.drop_earlier(db, stream)

        await self._writer.do(drop)

    async def save_checkpoint(self, checkpoint: SignedCheckpoint) -> None:
        head = checkpoint.head
        signed = (checkpoint.at_ms, checkpoint.key_id, checkpoint.signature, rows.seal_of(checkpoint))
        row = (head.stream, head.version, head.hash, head.epoch, *signed)

        def insert(db: apsw.Connection) -> None:
            db.execute("INSERT INTO checkpoint VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", row)
            self._writer.anchors(checkpoint)

        await self._writer.do(insert)

    async def acquire_lease(self, stream: str, owner: str, ttl_ms: int) -> Lease | None:
        def acquire(db: apsw.Connection) -> Lease | None:
            now, held = self._now_ms(), rows.lease(db, stream)
            if held is not None and not held.has_expired(now):
                return None
            lease = Lease(stream, owner, (held.epoch if held else 0) + 1, now + ttl_ms, now)
            _keep(db, lease)
            return lease

        return await self._writer.do(acquire)

    async def renew_leases(self, leases: Sequence[Lease], ttl_ms: int) -> list[Lease]:
        def renew(db: apsw.Connection) -> list[Lease]:
            now = self._now_ms()
            renewed = [
                msgspec.structs.replace(lease, expires_ms=now + ttl_ms, renewed_ms=now)
                for lease in leases
                if _is_held(db, lease)
            ]
            for lease in renewed:
                _keep(db, lease)
            return renewed

        return await self._writer.do(renew)

    async def release_lease(self, lease: Lease) -> None:
        def release(db: apsw.Connection) -> None:
            if _is_held(db, lease):
                _keep(db, msgspec.structs.replace(lease, expires_ms=self._now_ms()))

        await self._writer.do(release)

    async def rotate(self, plan: RotationPlan) -> PartSeal:
        """Seal the open part, and go on in a new one; what is asked meanwhile waits, and is written there.

        Raises `Unusable` where that cannot be done now; the journal then goes on as it is.
        """

        def change(db: apsw.Connection) -> tuple[PartSeal, apsw.Connection]:
            rotation = PartChange(self.path, db, self._keeping.hold, plan)
            with self._gate.shut():
                self._keeping.is_rotating = True
                try:
                    fresh = rotation.run()
                finally:
                    self._keeping.is_rotating = rotation.is_past_return
                self._keeping.is_rotating = False
            return rotation.seal, fresh

        return await self._writer.exchange(change)

    async def close(self) -> None:
        await self._writer.close()
        if self._keeping.hold is not None:
            self._keeping.hold.release()
            self._keeping.ballast.give_up()

    async def _do(self, sql: str, row: tuple[str | int | bytes, ...]) -> None:
        def execute(db: apsw.Connection) -> None:
            db.execute(sql, row)

        await self._writer.do(execute)


def open_read_only(path: Path) -> SqliteReader:
    """Open a journal for reading. It changes nothing, and does not delay the writer."""
    check_library(apsw.sqlite_lib_version())
    check_header(path)
    return SqliteReader(path, None if is_named_as_part(path) else path)


async def open_sqlite(
    path: Path,
    *,
    trusts: CheckpointTrust = trust_nobody,
    anchoring: Anchoring | None = None,
    room: DiskRoom = DEFAULT_ROOM,
    now_ms: Callable[[], int] | None = None,
    alone: bool = True,
) -> SqliteJournal:
    """Open a journal for writing, or make a new one, after all start-up checks have passed.

    Otherwise raise `Unusable`, with no byte changed. `trusts` says which checkpoints and seals are signed by a
    trusted key. With `alone` the file is held, so that no other process opens it for writing.
    """
    return await asyncio.to_thread(_open, path, trusts, anchoring, room, now_ms or steady(), alone)


def ballast_of(path: Path) -> Path:
    """The file that sets room aside beside a journal."""
    return path.with_name(path.name + "-ballast")


def _open(
    path: Path,
    trusts: CheckpointTrust,
    anchoring: Anchoring | None,
    room: DiskRoom,
    now_ms: Callable[[], int],
    alone: bool,  # noqa: FBT001  Called by one function, in the order of its own arguments.
) -> SqliteJournal:
    check_library(apsw.sqlite_lib_version())
    anchor = (anchoring and read_anchor(anchoring.path)) or Anchor()
    if is_named_as_part(path):
        raise Unusable(f"{path} is a sealed part of a journal, to which nothing is written any more")
    check_not_lost(path, anchor)
    if path.exists():
        check_header(path)
    free = check_disk(path, room)
    hold: FileHold | None = None
    try:
        if not path.exists():
            create(path)
        hold = FileHold(path, "the journal") if alone else None
        verified = verify(path, anchor, trusts)
        carry_to_end(path, hold)
        keeper = AnchorKeeper(anchoring, verified.heads.values()) if anchoring else None
        sync_us = measure_sync(path.parent)
        keeping = Keeping(path, Ballast(ballast_of(path), room), hold)
        was_open = close_to_others(path)
        writer = Writer(connected(path), keeper, reopen=partial(reopened, keeping))
    except BaseException as error:
        if hold is not None:
            hold.release()
        if isinstance(error, Damaged | apsw.Error | OSError):
            raise Unusable(f"the journal {path} is not opened: {error}") from None
        raise
    report = StartReport(
        str(path),
        len(verified.heads),
        verified.records,
        verified.from_checkpoints,
        free,
        sync_us,
        tuple(filter(None, [sync_warning(sync_us), room_warning(free, room), was_open])),
    )
    return SqliteJournal(path, writer, now_ms, report, keeping, room)


class _Heads:
    """The writer's cache of heads, dropped after a batch that was taken back and when the file is opened anew.

    What another process has written since is not in it. Then an append behind the cached head is refused by the primary
    key, and one behind the true head does not follow the cached one, which is read again.
    """

    def __init__(self) -> None:
        self._known: dict[str, Head] = {}
        self._as_of = (0, 0)

    def of(self, db: apsw.Connection, stream: str, writer: Writer) -> Head:
        """The head of a stream. To be called inside a write transaction, which keeps other processes from appending."""
        as_of = writer.opened, writer.undone
        if as_of != self._as_of:
            self._known.clear()
            self._as_of = as_of
        return self._known.get(stream) or self.read(db, stream)

    def read(self, db: apsw.Connection, stream: str) -> Head:
        head = self._known[stream] = rows.head(db, stream)
        return head

    def move(self, head: Head) -> None:
        self._known[head.stream] = head


def _unknown(failure: NotCommitted) -> AppendOutcome:
    return Unknown(str(failure))


def _inserted(db: apsw.Connection, batch: Sequence[RecordRow]) -> bool:
    """Whether all records were written; where a key is repeated, none of them is."""
    db.execute("SAVEPOINT append")
    try:
        insert_records(db, batch)
    except apsw.ConstraintError:
        db.execute("ROLLBACK TO append; RELEASE append")
        return False
    db.execute("RELEASE append")
    return True


def _repeated(db: apsw.Connection, stream: str, records: Sequence[Record]) -> tuple[str, int]:
    """The first key among these that the stream holds already, and its version; the index found one."""
    found = ((record.entry.key, rows.version_of(db, stream, record.entry.key)) for record in records)
    return next((key, version) for key, version in found if version is not None)


def _keep(db: apsw.Connection, lease: Lease) -> None:
    row = (*msgspec.structs.astuple(lease), rows.seal_of(lease))
    db.execute("INSERT OR REPLACE INTO lease VALUES (?, ?, ?, ?, ?, ?)", row)


def _is_held(db: apsw.Connection, lease: Lease) -> bool:
    held = rows.lease(db, lease.stream)
    return held is not None and (held.owner, held.epoch) == (lease.owner, lease.epoch)
