"""The checks before a SQLite journal is opened for writing. They change nothing in it."""

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import apsw
import msgspec

from sabot.journal import sqlite_part_rows as part_rows
from sabot.journal import sqlite_rows as rows
from sabot.journal.anchor import Anchor, check_not_lost, sync
from sabot.journal.disk_room import MEGABYTE, DiskRoom, disk_free
from sabot.journal.journal import Damaged, SignedCheckpoint, Unusable
from sabot.journal.parts import PartSeal, is_what_it_says
from sabot.journal.record import Head, head_after
from sabot.journal.sqlite_file import check_schema, reading

HONEST_SYNC_US = 20
"""No disk stores durably in less time; a quicker sync ends in a cache that a loss of power empties."""

CheckpointTrust = Callable[[SignedCheckpoint | PartSeal], bool]
"""Whether a checkpoint, or the seal of a part, is signed by a trusted key."""


def trust_nobody(_signed: SignedCheckpoint | PartSeal) -> bool:
    """Trusts no key: every record is verified from the start, and the seal of the part before is taken as it is."""
    return False


class StartReport(msgspec.Struct, frozen=True):
    """The findings of the start-up checks, for the operator's log."""

    path: str
    streams: int
    records_verified: int
    verified_from_checkpoints: int
    """The number of streams verified from a signed checkpoint on; the others were verified from their start."""
    disk_free: int
    sync_us: float
    warnings: tuple[str, ...]


def check_disk(path: Path, room: DiskRoom) -> int:
    """Refuse a folder that cannot be written to, or a disk that is nearly full; returns the free bytes."""
    folder = path.parent
    if not folder.is_dir():
        raise Unusable(f"there is no folder {folder} for the journal")
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise Unusable(f"the journal {path} lies on a disk or in a folder that cannot be written to")
    free = disk_free(folder)
    if free < room.to_start:
        raise Unusable(
            f"the disk of the journal {path} is full: {free // MEGABYTE} MB are free,"
            f" and {room.to_start // MEGABYTE} MB are needed to start"
        )
    return free


def measure_sync(folder: Path) -> float:
    """The time to write and sync a page, in microseconds: the median of nine."""
    taken = []
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        for _ in range(9):
            started = time.perf_counter()
            file.write(bytes(4_096))
            sync(file.fileno())
            taken.append((time.perf_counter() - started) * 1e6)
    return statistics.median(taken)


def sync_warning(sync_us: float) -> str | None:
    if sync_us >= HONEST_SYNC_US:
        return None
    return f"the disk claims to store durably in {sync_us:.0f} µs: records may not survive a loss of power"


def room_warning(free: int, room: DiskRoom) -> str | None:
    if free >= room.to_accept:
        return None
    return f"only {free // MEGABYTE} MB of disk are free: no new coup should be opened"


class VerifiedStreams(msgspec.Struct, frozen=True):
    heads: dict[str, Head]
    records: int
    from_checkpoints: int


def verify(path: Path, anchor: Anchor, trusts: CheckpointTrust) -> VerifiedStreams:
    """Verify every stream from its last trusted checkpoint, or from its start, and compare the heads with the anchor.

    Where any stream is verified from its start, all pages and index entries are checked as well. Raises `Damaged`.
    """
    with reading(path) as db:
        check_schema(db, path)
        _check_beginning(db, path, trusts)
        starts = {stream: _proved_start(db, stream, trusts) for stream in rows.streams(db)}
        if not all(start.version for start in starts.values()):
            check_pages(db, path)
        heads, count = {}, 0
        for stream, start in starts.items():
            heads[stream] = _verify_stream(db, stream, start)
            count += heads[stream].version - start.version
        _hold_anchor(db, anchor, is_whole=trusts is trust_nobody)
        return VerifiedStreams(heads, count, sum(start.version > 0 for start in starts.values()))


def check_anchor(path: Path, anchor: Anchor) -> None:
    """Compare a journal with its anchor as a start does. Raises `Unusable` or `Damaged` where something is lost."""
    check_not_lost(path, anchor)
    if path.exists():
        with reading(path) as db:
            _hold_anchor(db, anchor, is_whole=False)


def _hold_anchor(db: apsw.Connection, anchor: Anchor, *, is_whole: bool) -> None:
    """Hold a journal against all heads and commits of its anchor; unless it must be whole, a head may be in a part that
    is away."""
    for head in (*anchor.heads.values(), *(checkpoint.head for checkpoint in anchor.checkpoints.values())):
        if is_whole or head.version >= part_rows.base(db, head.stream).version:
            hold_head(db, head, "the anchor")
    if rows.commits(db) < anchor.commits:
        raise Damaged(
            "leases or snapshots that the anchor knows of are lost, for instance with a part of the -wal file"
        )


def _check_beginning(db: apsw.Connection, path: Path, trusts: CheckpointTrust) -> None:
    """The open part begins as the seal of the part before says, and a trusted key has signed that."""
    if not part_rows.has_parts(db):
        return
    heads = {} if part_rows.own_seal(db) is None else {stream: rows.head(db, stream) for stream in rows.streams(db)}
    part = part_rows.at_hand(db, path.name, heads)
    wrong = is_what_it_says(part)
    if wrong is not None:
        raise Damaged(wrong)
    if part.before is not None and trusts is not trust_nobody and not trusts(part.before):
        raise Damaged(f"the seal of part {part.before.number}, from which it goes on, is not signed by a trusted key")


def check_pages(db: apsw.Connection, path: Path) -> None:
    """Run SQLite's integrity check over all pages and indexes."""
    for (finding,) in db.execute("PRAGMA integrity_check(1)"):
        if finding != "ok":
            raise Damaged(f"the journal {path} is damaged: {str(finding).splitlines()[-1]}")


def _proved_start(db: apsw.Connection, stream: str, trusts: CheckpointTrust) -> Head:
    seen = 0
    while some := rows.newest_checkpoints(db, stream, seen):
        for checkpoint in some:
            if trusts(checkpoint):
                hold_head(db, checkpoint.head, "its last signed checkpoint")
                return checkpoint.head
        seen += len(some)
    return part_rows.base(db, stream)


def _verify_stream(db: apsw.Connection, stream: str, start: Head) -> Head:
    last = start
    for record in rows.records(db, stream, start.version):
        if record.epoch < last.epoch:
            raise Damaged(f"record {record.version} of {stream!r} is of an owner who had been replaced before it")
        last = head_after(record)
    unindexed = rows.unindexed(db, stream, start.version)
    if unindexed is not None:
        raise Damaged(f"record {unindexed} of {stream!r} is missing from the index of keys")
    return last


def hold_head(db: apsw.Connection, head: Head, witness: str) -> None:
    if head.version == 0:
        return
    version = rows.last_version(db, head.stream)
    if version < head.version:
        raise Damaged(
            f"the journal ends at record {version} of {head.stream!r}, but {witness} knows of record {head.version}:"
            " acknowledged records are lost, for instance with a missing -wal file"
        )
    if rows.hash_at(db, head.stream, head.version) != head.hash:
        raise Damaged(f"record {head.version} of {head.stream!r} is not the one that {witness} knows")
