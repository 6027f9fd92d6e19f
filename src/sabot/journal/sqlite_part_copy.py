"""Copies of a rotated SQLite journal: its sealed parts as they are, and the beginning of its open part."""

import os
import shutil
from contextlib import closing
from pathlib import Path

from sabot.journal import sqlite_part_rows as part_rows
from sabot.journal import sqlite_rows as rows
from sabot.journal.anchor import OWNER_ONLY, sync, sync_folder
from sabot.journal.journal import Unusable
from sabot.journal.sqlite_file import empty, reading, transaction
from sabot.journal.sqlite_rotation import READ_ONLY, copy_rows, is_named_as_part, part_path

_BEGINNING = {"part_before": 5, "base": 4, "opening": 5, "carried": 3, "derived": 5, "dictionary": 2}
"""The tables that a part begins with, and how many columns each has."""


def begin_like(source: Path, unfinished: Path, target: Path) -> None:
    """Make a file that begins as the open part of the source does, beside copies of the sealed parts that are there.

    It counts commits on from the source's, so that an anchor which was copied before is not ahead of it. A sealed part
    by itself is copied as a file.
    """
    if is_named_as_part(source):
        raise Unusable(f"{source} is a sealed part, which never changes: copy the file")
    with reading(source) as db:
        before = part_rows.seal_before(db)
        with closing(empty(unfinished)) as new, transaction(new):
            new.execute("UPDATE tide SET commits = ?", (rows.commits(db),))
            for table, columns in _BEGINNING.items() if before is not None else ():
                copy_rows(db, new, table, columns, "")
    if before is None:
        return
    for number in range(1, before.number + 1):
        if part_path(source, number).exists():
            _copy_part(part_path(source, number), part_path(target, number))


def _copy_part(source: Path, target: Path) -> None:
    """Copy a sealed part; one that is there already must be the same."""
    if target.exists():
        if _seal(source) != _seal(target):
            raise Unusable(f"{target} is there already, and is another part than {source}")
        return
    unfinished = target.with_name(f"{target.name}.part")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    with source.open("rb") as read, os.fdopen(descriptor, "wb") as written:
        shutil.copyfileobj(read, written)
        written.flush()
        sync(written.fileno())
    unfinished.chmod(READ_ONLY)
    unfinished.rename(target)
    sync_folder(target.parent)


def _seal(path: Path) -> object:
    with reading(path) as db:
        return part_rows.own_seal(db)
