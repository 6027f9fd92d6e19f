"""The vault in a SQLite file of its own, readable by its owner alone: for a floor of one process."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import apsw

from sabot.journal.anchor import OWNER_ONLY
from sabot.journal.file_hold import FileHold
from sabot.journal.journal import Unusable
from sabot.journal.sqlite_file import check_library
from sabot.web.identity.vault import Unavailable, Vault
from sabot.web.identity.vault_tables import FORM, TABLES, check_form

APPLICATION = 0x5AB07A17
"""The application id of the file, which tells a vault from a journal."""
BUSY_MS = 5_000


class SqliteStore:
    """One connection in one thread, which runs statements in order."""

    def __init__(self, path: Path, *, alone: bool = False) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="vault")
        self._path = path
        self._hold: FileHold | None = None
        try:
            if alone:
                self._hold = _held(path)
            self._db: apsw.Connection | None = self._thread.submit(_opened, path).result()
        except BaseException:
            self._let_go()
            raise

    async def fetch(self, statement: str, *values: str | int) -> list[tuple[Any, ...]]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._fetched, statement, values)

    async def close(self) -> None:
        if self._db is not None:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._db.close)
        self._let_go()

    def _let_go(self) -> None:
        self._thread.shutdown()
        if self._hold is not None:
            self._hold.release()

    def _fetched(self, statement: str, values: tuple[str | int, ...]) -> list[tuple[Any, ...]]:
        """After a failure of the disk the file is opened anew with the next statement."""
        try:
            self._db = self._db or _opened(self._path)
            return list(self._db.execute(statement, {str(place): value for place, value in enumerate(values, 1)}))
        except apsw.BusyError as error:
            raise Unavailable(f"the vault cannot be used now: {error}") from error
        except (apsw.IOError, apsw.FullError, apsw.ReadOnlyError, apsw.CantOpenError, Unusable) as error:
            if self._db is not None:
                with suppress(apsw.Error):
                    self._db.close()
            self._db = None
            raise Unavailable(f"the vault cannot be used now: {error}") from error


def open_vault(path: Path, *, alone: bool = False) -> Vault:
    """The vault in a file, which is created if it does not exist.

    With `alone` it is held, so that no other floor is served from it; a command may still set a PIN meanwhile.
    """
    return Vault(SqliteStore(path, alone=alone))


def check_vault(path: Path) -> None:
    """Raise what opening would raise of a file that is there; nothing in it is changed.

    A connection that only reads would leave files beside a vault that nobody has open.
    """
    try:
        _check_mode(path)
        with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as db:
            db.set_busy_timeout(BUSY_MS)
            _check_kind(db, path)
            db.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except apsw.Error as error:
        raise Unusable(f"{path} is not a vault: {error}") from None


def _held(path: Path) -> FileHold:
    try:
        _create_for_owner(path)
    except OSError as error:
        raise Unusable(f"the vault {path} cannot be opened: {error.strerror}") from None
    return FileHold(path, "the vault")


def _opened(path: Path) -> apsw.Connection:
    check_library(apsw.sqlite_lib_version())
    try:
        _create_for_owner(path)
        db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    except (OSError, apsw.CantOpenError) as error:
        why = getattr(error, "strerror", None) or error
        raise Unusable(f"the vault {path} cannot be opened: {why}") from None
    try:
        _prepare(db, path)
    except apsw.Error as error:
        db.close()
        raise Unusable(f"{path} is not a vault: {error}") from None
    except BaseException:
        db.close()
        raise
    return db


def _create_for_owner(path: Path) -> None:
    """Create the empty file for its owner alone; refuse one that others can read."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, OWNER_ONLY))
    _check_mode(path)


def _check_mode(path: Path) -> None:
    mode = path.stat().st_mode & 0o777
    if mode & 0o077:
        raise Unusable(f"the vault {path} can be read by others (mode {mode:o}); chmod 600 {path}")


def _prepare(db: apsw.Connection, path: Path) -> None:
    db.set_busy_timeout(BUSY_MS)
    _check_kind(db, path)
    for name, value in (("trusted_schema", "off"), ("journal_mode", "wal"), ("synchronous", "full")):
        db.pragma(name, value)
    with db:
        db.pragma("application_id", APPLICATION)
        db.pragma("user_version", FORM)
        for table in TABLES:
            db.execute(table.format(whole="INTEGER") + " STRICT")


def _check_kind(db: apsw.Connection, path: Path) -> None:
    application = db.pragma("application_id")
    if application not in (0, APPLICATION) or (application == 0 and db.pragma("schema_version")):
        raise Unusable(f"{path} is a database of another kind, not a vault")
    check_form(int(db.pragma("user_version")), str(path))
