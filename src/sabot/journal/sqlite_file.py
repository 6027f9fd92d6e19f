"""A journal's SQLite file: its schema, and the connections to it.

The file is opened only through SQLite: under POSIX, a process that closes any descriptor of a file releases all of its
locks on that file, including SQLite's.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import apsw

from sabot.journal.anchor import OWNER_ONLY, sync_folder
from sabot.journal.journal import Damaged, Unusable
from sabot.journal.packing import DICTIONARY, dictionary

APPLICATION = 0x5342_4F54
"""SQLite's application id of our files: the letters SBOT."""

FORMAT = 3
"""The format of the files that this program makes; an older one is brought to it when it is opened for writing."""
PARTS_SINCE = 3
"""The format that has parts."""
OLDEST_FORMAT = 1
"""The oldest format that this program reads: the files of release 0.1.0."""

_FIRST_SCHEMA = (
    """CREATE TABLE record (
  stream TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version > 0),
  key TEXT NOT NULL,
  body BLOB NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (stream, version)
) STRICT, WITHOUT ROWID""",
    "CREATE UNIQUE INDEX record_key ON record (stream, key)",
    """CREATE TABLE checkpoint (
  stream TEXT NOT NULL,
  version INTEGER NOT NULL,
  hash BLOB NOT NULL,
  epoch INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  signature BLOB NOT NULL,
  seal BLOB NOT NULL,
  PRIMARY KEY (stream, version, at_ms, seal)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE snapshot (
  stream TEXT NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  hash BLOB NOT NULL,
  form TEXT NOT NULL,
  state BLOB NOT NULL,
  seal BLOB NOT NULL
) STRICT""",
    """CREATE TABLE lease (
  stream TEXT NOT NULL PRIMARY KEY,
  owner TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL,
  renewed_ms INTEGER NOT NULL,
  seal BLOB NOT NULL
) STRICT""",
    "CREATE TABLE tide (commits INTEGER NOT NULL) STRICT",
    *(
        f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb.upper()} ON {table}"
        f" BEGIN SELECT RAISE(ABORT, 'a {table} is never changed'); END"
        for table in ("record", "checkpoint")
        for verb in ("update", "delete")
    ),
)

_STEPS = {
    2: (
        """CREATE TABLE derived (
  stream TEXT NOT NULL,
  name TEXT NOT NULL,
  version INTEGER NOT NULL,
  value BLOB NOT NULL,
  seal BLOB NOT NULL,
  PRIMARY KEY (stream, name)
) STRICT""",
        "CREATE TABLE dictionary (number INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT",
    ),
    3: (
        *(
            f"CREATE TABLE {table} (only INTEGER PRIMARY KEY CHECK (only = 1), number INTEGER NOT NULL,"
            " text BLOB NOT NULL, key_id TEXT NOT NULL, signature BLOB NOT NULL) STRICT"
            for table in ("part_before", "part_seal")
        ),
        "CREATE TABLE base (stream TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, epoch INTEGER NOT NULL,"
        " hash BLOB NOT NULL) STRICT",
        *(
            f"CREATE TABLE {table} (stream TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, hash BLOB NOT NULL,"
            " form INTEGER NOT NULL, state BLOB NOT NULL) STRICT"
            for table in ("opening", "next_opening")
        ),
        *(
            f"CREATE TABLE {table} (stream TEXT NOT NULL, first TEXT NOT NULL, last TEXT NOT NULL) STRICT"
            for table in ("carried", "next_carried")
        ),
    ),
}
"""What each format adds to the one before it."""

_HEADER_SIZE = 100
_MAGIC = b"SQLite format 3\0"


def check_library(version: str) -> None:
    """Refuse a library in which a WAL checkpoint during a write can lose committed data.

    All versions with a write-ahead log have this bug before 3.51.3, except 3.50.7 and 3.44.6 and later in their series.
    """
    parts = tuple(int(part) for part in version.split("."))
    mended = parts >= (3, 51, 3) or (3, 50, 7) <= parts < (3, 51) or (3, 44, 6) <= parts < (3, 45)
    if not mended:
        raise Unusable(f"SQLite {version} can lose committed records; a journal needs 3.51.3 or newer")


def check_header(path: Path) -> None:
    """Refuse a file that is not a journal of a known format."""
    header = _header(path)
    if len(header) < _HEADER_SIZE or not header.startswith(_MAGIC):
        raise Unusable(f"{path} is not a journal")
    application, form = (int.from_bytes(header[place : place + 4], "big") for place in (68, 60))
    if application != APPLICATION:
        raise Unusable(f"{path} is a database of another application, not a journal")
    if not OLDEST_FORMAT <= form <= FORMAT:
        raise Unusable(f"the journal {path} has format {form}, and this program knows format {FORMAT}")


def schema_of(form: int) -> tuple[str, ...]:
    """The statements that made a file of this format."""
    return (*_FIRST_SCHEMA, *(sql for step in range(OLDEST_FORMAT + 1, form + 1) for sql in _STEPS[step]))


def check_schema(db: apsw.Connection, path: Path) -> None:
    """Refuse a file whose tables, index or triggers are not exactly those of the schema."""
    found = {sql for (sql,) in db.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")}
    form = int(db.pragma("user_version"))
    if not OLDEST_FORMAT <= form <= FORMAT or found != set(schema_of(form)):
        raise Unusable(f"the tables of the journal {path} are not those it was made with")


def create(path: Path) -> None:
    """Make an empty journal atomically, also against a loss of power."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        fresh = Path(folder) / "fresh"
        with closing(empty(fresh)):
            pass
        with suppress(FileExistsError):  # A link, unlike a rename, never replaces an existing file.
            os.link(fresh, path)
    sync_folder(path.parent)


def empty(path: Path) -> apsw.Connection:
    """A connection to a new file with the tables of a journal."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY))  # The -wal file takes its mode.
    db = apsw.Connection(str(path))
    prepare(db)
    with db:
        for sql in schema_of(FORMAT):
            db.execute(sql)
        db.execute("INSERT INTO tide VALUES (0)")
        _keep_dictionary(db)
        db.pragma("application_id", APPLICATION)
        db.pragma("user_version", FORMAT)
    return db


def upgrade(db: apsw.Connection) -> None:
    """Bring a file of an older format to this program's, all or nothing. Records stay as they are."""
    if int(db.pragma("user_version")) == FORMAT:
        return
    with transaction(db):
        for step in range(int(db.pragma("user_version")) + 1, FORMAT + 1):
            for sql in _STEPS[step]:
                db.execute(sql)
            db.pragma("user_version", step)
        _keep_dictionary(db)


def _keep_dictionary(db: apsw.Connection) -> None:
    """Keep the dictionary of packed bodies in the file, so that it can be read for ever, also without this program."""
    db.execute("INSERT OR IGNORE INTO dictionary VALUES (?, ?)", (DICTIONARY, dictionary(DICTIONARY)))


@contextmanager
def transaction(db: apsw.Connection) -> Iterator[None]:
    """A write transaction, which no other process interrupts; nothing of it stays after an exception."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with suppress(apsw.Error):
            db.execute("ROLLBACK")
        raise


def prepare(db: apsw.Connection) -> None:
    """Configure a connection so that what it commits survives a loss of power.

    WAL checkpoints are left to the writer. `fullfsync` is for macOS, where fsync leaves data in the drive's cache.
    """
    db.set_busy_timeout(5_000)
    for name, value in (
        ("trusted_schema", "off"),
        ("journal_mode", "wal"),
        ("synchronous", "full"),
        ("fullfsync", "on"),
        ("checkpoint_fullfsync", "on"),
        ("wal_autocheckpoint", 0),
    ):
        db.pragma(name, value)


def connect(path: Path) -> apsw.Connection:
    """A connection for writing.

    The constraints on versions and lengths of hashes are for others: what is appended here was checked by
    `record.check_place`. With them SQLite keeps a copy of every page that an insert of several records touches, which
    takes three times as long as the insert.
    """
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    prepare(db)
    db.pragma("ignore_check_constraints", True)  # noqa: FBT003  SQLite's own word.
    settings = db.pragma("journal_mode"), db.pragma("synchronous")
    if settings != ("wal", 2):
        db.close()
        raise Unusable(f"the journal {path} cannot be made durable: journal mode and synchronous are {settings}")
    return db


def close_as_it_is(db: apsw.Connection) -> None:
    """Close without copying the write-ahead log into the file, so that nothing more is written to a failing disk."""
    db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    db.close()


@contextmanager
def reading(path: Path, *, running: bool = False) -> Iterator[apsw.Connection]:
    """A short read-only connection, whose errors are raised as `Unusable` or `Damaged`.

    A journal at rest has no write-ahead log, and SQLite would create one on opening; `immutable` prevents that. A
    running journal always has one.
    """
    at_rest = not wal_of(path).exists()
    if at_rest and running:
        raise Damaged(f"the journal {path} is in use and its -wal file is gone")
    uri = f"file:{quote(str(path))}?mode=ro{'&immutable=1' if at_rest else ''}"
    try:
        with closing(apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)) as db:
            db.set_busy_timeout(5_000)
            db.pragma("trusted_schema", "off")
            db.pragma("cell_size_check", "on")
            db.execute("BEGIN")  # One transaction, so that all reads see one moment.
            yield db
    except (apsw.BusyError, apsw.CantOpenError) as error:
        raise Unusable(f"the journal {path} cannot be read now: {error}") from None
    except (apsw.Error, UnicodeDecodeError) as error:
        raise Damaged(f"the journal {path} is damaged: {error}") from None


def close_to_others(path: Path) -> str | None:
    """Take a journal that other users of the machine can read away from them; returns one sentence if it was so.

    It holds ticket numbers, which are worth money. A copy or an older program may have left it open.
    """
    mended = []
    for one in (path, wal_of(path), path.with_name(path.name + "-shm")):
        with suppress(FileNotFoundError):
            mode = one.stat().st_mode & 0o777
            if mode & 0o077:
                one.chmod(mode & 0o700)
                mended.append(f"{mode:o}")
    if not mended:
        return None
    return f"the journal {path} could be used by others (mode {mended[0]}), and is now its owner's alone"


def wal_of(path: Path) -> Path:
    """SQLite's write-ahead log of a file."""
    return path.with_name(path.name + "-wal")


def _header(path: Path) -> bytes:
    if not path.is_file():
        raise Unusable(f"there is no journal at {path}")
    try:
        file = apsw.VFSFile("", str(path), [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0])
    except apsw.CantOpenError:
        raise Unusable(f"{path} cannot be opened for reading") from None
    try:
        return file.xRead(min(_HEADER_SIZE, file.xFileSize()), 0)
    finally:
        file.xClose()
