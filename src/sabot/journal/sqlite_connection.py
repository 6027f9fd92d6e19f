"""The connection of the writer to a SQLite journal: when it is opened, and anew after a failure of the disk."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import apsw

from sabot.journal import sqlite_rows as rows
from sabot.journal.disk_room import Ballast
from sabot.journal.file_hold import FileHold
from sabot.journal.journal import Damaged
from sabot.journal.record import Head
from sabot.journal.sqlite_file import close_as_it_is, connect, upgrade, wal_of
from sabot.journal.sqlite_rotation import carry_to_end
from sabot.journal.sqlite_start_checks import hold_head


def connected(path: Path) -> apsw.Connection:
    """The writer's connection, after everything that can be read was made durable.

    A process that was killed may have left records in the write-ahead log that were never synced. They can be read, so
    they are synced and copied into the file before anything is decided on them. A file of an older format is brought to
    this program's here, after all checks have passed.
    """
    db = connect(path)
    try:
        upgrade(db)
        with suppress(apsw.BusyError):  # Another process has the file open, and has synced what it wrote.
            db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    except apsw.Error:
        close_as_it_is(db)
        raise
    return db


class Keeping:
    """What the writer of a file keeps beside its connection."""

    def __init__(self, path: Path, ballast: Ballast, hold: FileHold | None) -> None:
        self.path, self.ballast, self.hold = path, ballast, hold
        self.is_rotating = False
        """Whether a rotation is under way, in which the file has no write-ahead log for a while."""


def reopened(keeping: Keeping, acknowledged: Mapping[str, Head]) -> apsw.Connection:
    """The writer's connection anew after a failure, once the file is sound again and holds what was acknowledged.

    Room that was set aside is given up for it: what has begun must be brought to its end. What is found behind the last
    acknowledged record was under way when the disk failed; it is read whole, and is durable from now on.
    """
    path = keeping.path
    keeping.ballast.give_up()
    if keeping.is_rotating:
        carry_to_end(path, keeping.hold)
        keeping.is_rotating = False
    elif not wal_of(path).exists():
        raise Damaged(f"the journal {path} is in use and its -wal file is gone")
    db = connect(path)
    try:
        db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        for head in acknowledged.values():
            hold_head(db, head, "this process")
            for _ in rows.records(db, head.stream, head.version):
                pass
    except BaseException:
        close_as_it_is(db)
        raise
    return db
