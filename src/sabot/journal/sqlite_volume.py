"""Where the bytes of a SQLite journal go, counted in the file itself."""

from collections import defaultdict
from pathlib import Path

import apsw

from sabot.journal.packing import unpack
from sabot.journal.sqlite_file import check_header, reading, wal_of
from sabot.journal.volume import JournalVolume, KindVolume

RECORDS, KEYS = "record", "record_key"


def volume_of(path: Path) -> JournalVolume:
    check_header(path)
    wal = wal_of(path)
    with reading(path) as db:
        tables = _tables(db)
        kinds = _kinds(db)
        names, hashes, keys = _columns(db)
        total = int(db.pragma("page_count")) * int(db.pragma("page_size"))
    pages, used = tables.pop(RECORDS, (0, 0))
    bodies = sum(kind.stored_bytes for kind in kinds.values())
    index, index_used = tables.pop(KEYS, (0, 0))
    parts = {
        "bodies of records": bodies,
        "hashes of records": hashes,
        "keys of records": keys,
        "streams and versions of records": names,
        "bookkeeping of SQLite for records": used - bodies - hashes - keys - names,
        "index of keys": index_used,
        "room left in pages of records and keys": pages - used + index - index_used,
        **{name: size for name, (size, _) in sorted(tables.items())},
    }
    parts["free pages"] = total - sum(parts.values())
    parts["write-ahead log"] = wal.stat().st_size if wal.exists() else 0
    return JournalVolume({name: size for name, size in parts.items() if size}, kinds)


def _tables(db: apsw.Connection) -> dict[str, tuple[int, int]]:
    """The bytes of the pages of each table or index, and how many of them are used."""
    rows = db.execute("SELECT name, sum(pgsize), sum(pgsize - unused) FROM dbstat GROUP BY name")
    found: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for name, pages, used in rows:
        table = str(name).removeprefix("sqlite_autoindex_").removesuffix("_1")
        before = found[table]
        found[table] = (before[0] + int(pages), before[1] + int(used))
    return dict(found)


def _columns(db: apsw.Connection) -> tuple[int, int, int]:
    for row in db.execute(
        "SELECT coalesce(sum(length(CAST(stream AS BLOB)) + 3), 0), coalesce(sum(length(hash)), 0),"
        " coalesce(sum(length(CAST(key AS BLOB))), 0) FROM record"
    ):
        names, hashes, keys = row
        return int(names), int(hashes), int(keys)
    return 0, 0, 0


def _kinds(db: apsw.Connection) -> dict[str, KindVolume]:
    found: dict[str, KindVolume] = defaultdict(KindVolume)
    for key, stored in db.execute("SELECT key, body FROM record"):
        body = unpack(bytes(stored))
        _, marked, rest = body.partition(b'"do":"')
        kind = found[rest.partition(b'"')[0].decode() if marked else str(key).partition("/")[0]]
        kind.records += 1
        kind.body_bytes += len(body)
        kind.stored_bytes += len(stored)
    return dict(sorted(found.items(), key=lambda one: -one[1].stored_bytes))
