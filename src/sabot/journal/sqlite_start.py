"""What is looked at before a SQLite journal is opened for writing. Nothing is changed until all of it is found good."""

import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import apsw
import msgspec

from sabot.journal import sqlite_rows as rows
from sabot.journal.anchor import Anchor, sync
from sabot.journal.journal import Damaged, SignedCheckpoint, Unusable
from sabot.journal.record import Head, head_after, start_of
from sabot.journal.sqlite_file import check_schema, reading

MEGABYTE = 2**20
HONEST_SYNC_US = 20
"""No disk stores anything in less time than this; what says so is a cache that forgets when the power fails."""

Trust = Callable[[SignedCheckpoint], bool]
"""Whether a checkpoint is signed by a key that counts."""


class Room(msgspec.Struct, frozen=True):
    """How much disk there must be. A table that is played around the clock writes about 124 megabytes a day."""

    to_start: int = 64 * MEGABYTE
    """Below this a journal is not opened."""
    to_accept: int = 256 * MEGABYTE
    """Below this no new coup should be opened: what has begun can still be brought to its end."""


DEFAULT_ROOM = Room()


class StartReport(msgspec.Struct, frozen=True):
    """What the start-up checks found, for the operator's log."""

    path: str
    streams: int
    records_verified: int
    verified_from_checkpoints: int
    """How many streams were verified from a signed checkpoint on; the others were verified from their start."""
    disk_free: int
    sync_us: float
    warnings: tuple[str, ...]


def check_disk(path: Path, room: Room) -> int:
    """Refuse a place that cannot be written to or is nearly full; returns how much is free."""
    folder = path.parent
    if not folder.is_dir():
        raise Unusable(f"there is no folder {folder} for the journal")
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise Unusable(f"the journal {path} lies on a disk or in a folder that cannot be written to")
    free = disk_free(path)
    if free < room.to_start:
        raise Unusable(
            f"the disk of the journal {path} is full: {free // MEGABYTE} MB are free,"
            f" and {room.to_start // MEGABYTE} MB are needed to start"
        )
    return free


def disk_free(path: Path) -> int:
    return shutil.disk_usage(path.parent).free


def measure_sync(folder: Path) -> float:
    """How many microseconds the disk takes to store a page durably: the median of a few tries."""
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


def room_warning(free: int, room: Room) -> str | None:
    if free >= room.to_accept:
        return None
    return f"only {free // MEGABYTE} MB of disk are free: no new coup should be opened"


class Verified(msgspec.Struct, frozen=True):
    heads: dict[str, Head]
    records: int
    from_checkpoints: int


def verify(path: Path, anchor: Anchor, trusts: Trust) -> Verified:
    """Prove every stream from its last trusted checkpoint, or from its start, and hold its head against the anchor.

    Where any stream is proved from its start, the file is short or not vouched for, and its pages and its index are
    proved too. Raises `Damaged`.
    """
    with reading(path) as db:
        check_schema(db, path)
        starts = {stream: _proved_start(db, stream, trusts) for stream in rows.streams(db)}
        if not all(start.version for start in starts.values()):
            check_pages(db, path)
        heads, count = {}, 0
        for stream, start in starts.items():
            heads[stream] = _verify_stream(db, stream, start)
            count += heads[stream].version - start.version
        for head in (*anchor.heads.values(), *(checkpoint.head for checkpoint in anchor.checkpoints.values())):
            _hold_head(db, head, "the anchor")
        if rows.commits(db) < anchor.commits:
            raise Damaged(
                "leases or snapshots that the anchor knows of are lost, for instance with a part of the -wal file"
            )
        return Verified(heads, count, sum(start.version > 0 for start in starts.values()))


def check_pages(db: apsw.Connection, path: Path) -> None:
    """Let SQLite look at every page and at every entry of every index."""
    for (finding,) in db.execute("PRAGMA integrity_check(1)"):
        if finding != "ok":
            raise Damaged(f"the journal {path} is damaged: {str(finding).splitlines()[-1]}")


def _proved_start(db: apsw.Connection, stream: str, trusts: Trust) -> Head:
    for checkpoint in rows.newest_checkpoints(db, stream):
        if trusts(checkpoint):
            _hold_head(db, checkpoint.head, "its last signed checkpoint")
            return checkpoint.head
    return start_of(stream)


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


def _hold_head(db: apsw.Connection, head: Head, witness: str) -> None:
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
