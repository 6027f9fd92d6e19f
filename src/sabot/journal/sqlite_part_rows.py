"""Reads what a SQLite file says of its place among the parts of a journal."""

import apsw

from sabot.journal.journal import Damaged
from sabot.journal.packing import pack_value, unpack_value
from sabot.journal.parts import NameRange, OpeningState, PartAtHand, PartSeal, mark_of, read_seal
from sabot.journal.record import Head, start_of
from sabot.journal.sqlite_file import PARTS_SINCE


class EarlierPart(Exception):
    """Records that lie in the part before this one, which holds them up to a version."""

    def __init__(self, base: int) -> None:
        self.base = base


def has_parts(db: apsw.Connection) -> bool:
    return int(db.pragma("user_version")) >= PARTS_SINCE


def base(db: apsw.Connection, stream: str) -> Head:
    """The record that the first one of this file follows: the stream's start where it is here from its first record."""
    if has_parts(db):
        for version, epoch, link in db.execute("SELECT version, epoch, hash FROM base WHERE stream = ?", (stream,)):
            return Head(stream, int(version), bytes(link), int(epoch))
    return start_of(stream)


def check_begins(db: apsw.Connection, stream: str, after: int) -> None:
    """Raise `EarlierPart` where the records behind a version begin in the part before."""
    before = base(db, stream).version
    if after < before:
        raise EarlierPart(before)


def seal_before(db: apsw.Connection) -> PartSeal | None:
    """The seal of the part before; nothing in the first part."""
    return _seal(db, "part_before")


def own_seal(db: apsw.Connection) -> PartSeal | None:
    """The seal of this part; nothing in the open one."""
    return _seal(db, "part_seal")


def number_of(db: apsw.Connection) -> int:
    before = seal_before(db)
    return 1 if before is None else before.number + 1


def keep_seal(db: apsw.Connection, table: str, seal: PartSeal) -> None:
    row = (seal.number, seal.text, seal.key_id, seal.signature)
    db.execute(f"INSERT INTO {table} VALUES (1, ?, ?, ?, ?)", row)  # noqa: S608  A name of our own.


def bases(db: apsw.Connection) -> dict[str, Head]:
    if not has_parts(db):
        return {}
    rows = db.execute("SELECT stream, version, hash, epoch FROM base ORDER BY stream")
    return {str(stream): Head(str(stream), int(version), bytes(link), int(e)) for stream, version, link, e in rows}


def openings(db: apsw.Connection, table: str = "opening") -> dict[str, OpeningState]:
    if not has_parts(db):
        return {}
    rows = db.execute(f"SELECT stream, version, hash, form, state FROM {table} ORDER BY stream")  # noqa: S608
    found = (
        OpeningState(str(stream), int(version), bytes(link), int(form), unpack_value(bytes(state)))
        for stream, version, link, form, state in rows
    )
    return {one.stream: one for one in found}


def keep_opening(db: apsw.Connection, table: str, one: OpeningState) -> None:
    row = (one.stream, one.version, one.hash, one.form, pack_value(one.state))
    db.execute(f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?)", row)  # noqa: S608


def opening(db: apsw.Connection, stream: str) -> OpeningState | None:
    """The state that this part opens with, if its digest is the one that the seal of the part before names."""
    found = openings(db).get(stream)
    if found is None:
        return None
    before = seal_before(db)
    said = None if before is None else read_seal(before)
    if said is None or said.opens.get(stream) != mark_of(found):
        raise Damaged(f"the state of {stream!r} that the journal opens with is not the one that was sealed")
    return found


def carried(db: apsw.Connection, table: str = "carried") -> list[NameRange]:
    rows = db.execute(f"SELECT stream, first, last FROM {table} ORDER BY stream, first")  # noqa: S608
    return [NameRange(str(stream), str(first), str(last)) for stream, first, last in rows]


def looks_back(db: apsw.Connection, stream: str, first: str, last: str) -> bool:
    """Whether the parts before may hold derived values of these names that are not here."""
    if not base(db, stream).version:
        return False
    return not any(one.stream == stream and one.first <= first and last <= one.last for one in carried(db))


def drop_earlier(db: apsw.Connection, stream: str) -> None:
    """Let no derived value of the stream in earlier parts count any more."""
    if has_parts(db) and base(db, stream).version:
        db.execute("INSERT INTO carried VALUES (?, '', ?)", (stream, LAST_NAME))


LAST_NAME = chr(0x10FFFF)
"""Behind every name."""


def at_hand(db: apsw.Connection, name: str, heads: dict[str, Head], broken: str | None = None) -> PartAtHand:
    seal = own_seal(db)
    handed = {} if seal is None else openings(db, "next_opening")
    return PartAtHand(name, number_of(db), seal_before(db), seal, bases(db), openings(db), heads, handed, broken)


def _seal(db: apsw.Connection, table: str) -> PartSeal | None:
    if not has_parts(db):
        return None
    for number, text, key_id, signature in db.execute(f"SELECT number, text, key_id, signature FROM {table}"):  # noqa: S608
        return PartSeal(int(number), bytes(text), str(key_id), bytes(signature))
    return None
