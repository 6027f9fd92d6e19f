"""Rotates a journal in a SQLite file: a new file goes on under its name, and the one before is sealed for good.

The steps are such that a process may be killed, or the power fail, behind each of them:

1. `build`: the next part is made whole in a file of its own. Until the seal stands, that file counts for nothing.
2. `rest`: the open part is brought to rest, without a write-ahead log; nobody reads it at that moment.
3. `mark`: the seal and the states that the next part opens with are written into it, in one transaction. From here on
   the rotation is carried to its end, by this process or by the next that opens the journal.
4. `name`: the sealed file gets the name of its part beside the one that it has.
5. `replace`: the next part takes the name of the journal.

All that was acknowledged is in the sealed part, and nothing is acknowledged between 2 and 5.
"""

import os
import re
import time
from collections.abc import Callable
from contextlib import closing, nullcontext, suppress
from pathlib import Path

import apsw

from sabot.journal import sqlite_part_rows as part_rows
from sabot.journal import sqlite_rows as rows
from sabot.journal.anchor import sync_folder
from sabot.journal.file_hold import FileHold
from sabot.journal.journal import Unusable
from sabot.journal.parts import NOTHING, PartSeal, RotationPlan, SealedEnd, first_kept, mark_of, read_seal, seal_text
from sabot.journal.record import Head, start_of
from sabot.journal.sqlite_file import connect, empty, prepare, reading, transaction

QUIET_TRIES, QUIET_S = 20, 0.05
"""How often, and how long apart, it is tried to find the file unread by others. Tables wait meanwhile, and their leases
are not renewed."""
SEAL_WITHIN_MS = 1_000
"""How long a reader of the file at rest may delay the seal."""
READ_ONLY = 0o400


def part_path(path: Path, number: int) -> Path:
    """Where a sealed part of a journal lies."""
    return path.with_name(f"{path.name}.part{number:04}")


def is_named_as_part(path: Path) -> bool:
    return re.fullmatch(r".+\.part\d{4,}", path.name) is not None


def next_path(path: Path) -> Path:
    """Where the next part is made."""
    return path.with_name(f"{path.name}.next")


class PartChange:
    """A rotation under way."""

    def __init__(self, path: Path, db: apsw.Connection, hold: FileHold | None, plan: RotationPlan | None) -> None:
        """Without a plan the rotation that the seal in the file speaks of is carried to its end."""
        self.path, self.db, self.hold = path, db, hold
        self.is_past_return = False
        """Whether the seal stands, so that the rotation can only be carried to its end."""
        found = part_rows.own_seal(db)
        if found is not None:
            self.seal, self.openings = found, part_rows.openings(db, "next_opening")
            self.carried = part_rows.carried(db, "next_carried")
        else:
            assert plan is not None, "a part that is not sealed is rotated by a plan"
            self.openings = {**part_rows.openings(db), **{one.stream: one for one in plan.openings}}
            self.seal = self._sealed(plan)
            # A range of names of which earlier parts may have more is not one that the next part has whole.
            self.carried = [
                one for one in plan.carried if not part_rows.looks_back(db, one.stream, one.first, one.last)
            ]
        check_free(path, self.seal.number)

    @property
    def part(self) -> Path:
        return part_path(self.path, self.seal.number)

    def run(self, steps: "tuple[Callable[[PartChange], None], ...] | None" = None) -> apsw.Connection:
        """Go through the steps; returns the connection to the new part. The old one is closed.

        Where it fails before the seal stands, the old connection is good again.
        """
        try:
            for step in STEPS if steps is None else steps:
                step(self)
        except BaseException:
            if not self.is_past_return:
                prepare(self.db)
                next_path(self.path).unlink(missing_ok=True)
            raise
        return connect(self.path)

    def _sealed(self, plan: RotationPlan) -> PartSeal:
        db, before = self.db, part_rows.seal_before(self.db)
        heads, begins = {}, {}
        for stream in rows.streams(db):
            heads[stream] = head = rows.head(db, stream)
            opening, base = self.openings.get(stream), part_rows.base(db, stream)
            kept = max(base.version, first_kept(head.version, None if opening is None else opening.version))
            if opening is not None and rows.hash_at(db, stream, opening.version) != opening.hash:
                raise Unusable(f"the journal is not rotated: the state of {stream!r} is of another record than it says")
            if kept:
                begins[stream] = base if kept == base.version else _head_at(db, stream, kept)
        number, after = part_rows.number_of(db), NOTHING if before is None else before.digest
        opens = {stream: mark_of(one) for stream, one in self.openings.items()}
        text = seal_text(SealedEnd(number, after, plan.at_ms, heads, begins, opens), plan.key_id)
        return PartSeal(number, text, plan.key_id, plan.sign(text))


def build(change: PartChange) -> None:
    """Make the next part whole, in a file of its own."""
    path = next_path(change.path)
    for one in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        one.unlink(missing_ok=True)
    with closing(empty(path)) as new:
        with transaction(new):
            _fill(new, change)
        new.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    sync_folder(path.parent)


def rest(change: PartChange) -> None:
    """Copy the write-ahead log into the file and do without it; that needs a moment in which nobody reads."""
    change.db.set_busy_timeout(0)
    for _ in range(QUIET_TRIES):
        with suppress(apsw.BusyError):
            if change.db.pragma("journal_mode", "delete") == "delete":
                change.db.set_busy_timeout(SEAL_WITHIN_MS)
                return
        time.sleep(QUIET_S)
    raise Unusable(f"the journal {change.path} is not rotated: it is being read all the time")


def mark(change: PartChange) -> None:
    """Seal the part, and keep in it what the next one opens with; then close it."""
    if part_rows.own_seal(change.db) is None:
        with transaction(change.db):
            part_rows.keep_seal(change.db, "part_seal", change.seal)
            for one in change.openings.values():
                part_rows.keep_opening(change.db, "next_opening", one)
            for names in change.carried:
                row = (names.stream, names.first, names.last)
                change.db.execute("INSERT INTO next_carried VALUES (?, ?, ?)", row)
    change.is_past_return = True
    change.db.close()


def name(change: PartChange) -> None:
    """Give the sealed file the name of its part, too."""
    with suppress(FileExistsError):  # The same file, named before the process was killed.
        os.link(change.path, change.part)
    sync_folder(change.path.parent)


def replace(change: PartChange) -> None:
    """Let the next part take the name of the journal."""
    following = next_path(change.path)
    with nullcontext() if change.hold is None else change.hold.moved(following):
        following.rename(change.path)
    sync_folder(change.path.parent)
    change.part.chmod(READ_ONLY)


STEPS: tuple[Callable[[PartChange], None], ...] = (build, rest, mark, name, replace)


def carry_to_end(path: Path, hold: FileHold | None) -> None:
    """Carry a rotation to its end that a process began, or remove what it made before the seal stood."""
    with reading(path) as db:
        found = part_rows.own_seal(db)
    if found is None:
        next_path(path).unlink(missing_ok=True)
        return
    check_free(path, found.number)
    later = part_path(path, found.number + 1)
    if later.exists():
        raise Unusable(f"{path} is part {found.number} of a journal that goes on in {later}: it is an old copy")
    PartChange(path, connect(path), hold, None).run().close()


def check_free(path: Path, number: int) -> None:
    """Refuse a rotation whose part would take the place of another file."""
    part = part_path(path, number)
    if part.exists() and not part.samefile(path):
        raise Unusable(f"the journal {path} is not rotated: {part} is there already")


def _fill(new: apsw.Connection, change: PartChange) -> None:
    old, said = change.db, read_seal(change.seal)
    assert said is not None, "a seal of this program can be read"
    part_rows.keep_seal(new, "part_before", change.seal)
    for stream in said.heads:
        begins = said.begins.get(stream, start_of(stream))
        if begins.version:
            row = (stream, begins.version, begins.epoch, begins.hash)
            new.execute("INSERT INTO base VALUES (?, ?, ?, ?)", row)
        copy_rows(old, new, "record", 5, "WHERE stream = ? AND version > ? ORDER BY version", stream, begins.version)
        newest = "version > ? OR version = (SELECT max(version) FROM checkpoint WHERE stream = ?)"
        copy_rows(old, new, "checkpoint", 8, f"WHERE stream = ? AND ({newest})", stream, begins.version, stream)
        copy_rows(old, new, "snapshot", 6, "WHERE stream = ? AND version > ?", stream, begins.version)
    for one in change.openings.values():
        part_rows.keep_opening(new, "opening", one)
    copy_rows(old, new, "lease", 6, "")
    for names in change.carried:
        new.execute("INSERT INTO carried VALUES (?, ?, ?)", (names.stream, names.first, names.last))
        which = "WHERE stream = ? AND name BETWEEN ? AND ?"
        copy_rows(old, new, "derived", 5, which, names.stream, names.first, names.last)
    for stream in said.heads:
        if stream not in said.begins:  # It is here whole, so nobody looks for its values further back.
            copy_rows(old, new, "derived", 5, "WHERE stream = ?", stream)
    new.execute("UPDATE tide SET commits = ?", (rows.commits(old),))
    copy_rows(old, new, "dictionary", 2, "")


def copy_rows(
    old: apsw.Connection, new: apsw.Connection, table: str, columns: int, which: str, *values: str | int
) -> None:
    """Copy the rows of a table that has so many columns."""
    marks = ", ".join("?" * columns)
    found = old.execute(f"SELECT * FROM {table} {which}", values)  # noqa: S608  Names and clauses of our own.
    new.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", found)  # noqa: S608


def _head_at(db: apsw.Connection, stream: str, version: int) -> Head:
    for record in rows.records(db, stream, version - 1, version):
        return Head(stream, version, record.hash, record.epoch)
    raise Unusable(f"the journal is not rotated: record {version} of {stream!r} is missing")
