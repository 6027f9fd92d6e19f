"""What is stored packed comes back byte for byte, and hashes do not depend on it."""

import asyncio
import hashlib
from contextlib import closing
from pathlib import Path

import apsw
import msgspec
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from sabot.journal.packing import DICTIONARY, dictionary, pack, pack_value, unpack, unpack_all, unpack_value
from sabot.journal.record import body_of
from sabot.journal.sqlite import open_read_only
from sabot.journal.sqlite_volume import volume_of
from tests.audit import release_journals
from tests.journal.entries import entry
from tests.journal.samples import read
from tests.journal.sqlite_files import written

DIGESTS = {1: "48c76d6a5f29593f0b0eb74198dc33a7f7314eeadd15061997cdc34ef1fb8f19"}
"""Of every dictionary that records were ever packed with."""


@given(st.text(), st.integers(0, 2**40))
def test_every_body_comes_back(text: str, epoch: int) -> None:
    body = body_of(epoch, entry("k", msgspec.json.encode(text).decode()))
    assert unpack(pack(body)) == body
    assert len(pack(body)) <= len(body)
    assert unpack(body) == body


@given(st.lists(st.binary() | st.binary().map(pack) | st.binary().map(lambda body: pack(body * 20) + body)))
def test_many_are_unpacked_like_each_of_them(stored: list[bytes]) -> None:
    assert unpack_all(stored) == [unpack(one) for one in stored]


@given(st.binary())
def test_every_value_comes_back(value: bytes) -> None:
    assert unpack_value(pack_value(value)) == value
    assert len(pack_value(value)) <= len(value) + 1


@given(st.binary())
def test_what_was_never_packed_is_left_as_it_is_or_is_something_else(stored: bytes) -> None:
    """It never raises, and never returns what the hash beside it would take for the body."""
    assert unpack(stored) == stored or stored[0] == DICTIONARY


def test_the_dictionaries_are_never_changed() -> None:
    assert {number: hashlib.sha256(dictionary(number)).hexdigest() for number in range(1, DICTIONARY + 1)} == DIGESTS


def test_a_file_can_be_read_with_the_dictionary_that_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    records = written(path)
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as db:
        [(content,)] = db.execute("SELECT content FROM dictionary WHERE number = 1")
        stored = [bytes(body) for (body,) in db.execute("SELECT body FROM record ORDER BY version")]
    reader = zstandard.ZstdDecompressor(
        dict_data=zstandard.ZstdCompressionDict(content), format=zstandard.FORMAT_ZSTD1_MAGICLESS
    )
    assert all(body[:1] == b"\1" for body in stored)
    assert [reader.decompress(body[1:]) for body in stored] == [record.body for record in records]


def test_the_records_of_a_served_floor_take_less_than_a_third(tmp_path: Path) -> None:
    release_journals.unpack("0.1.0", tmp_path)
    journal = open_read_only(tmp_path / release_journals.FLOOR)
    bodies = [record.body for stream in ("house", "table/DEMO") for record in asyncio.run(read(journal, stream))]
    assert sum(len(pack(body)) for body in bodies) < sum(map(len, bodies)) / 3


def test_the_parts_of_a_file_come_to_its_size(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    records = written(path, 200)
    found = volume_of(path)
    assert sum(found.parts.values()) == path.stat().st_size
    assert all(size > 0 for size in found.parts.values())
    assert found.parts["hashes of records"] == 200 * 32
    [kind] = found.kinds.values()
    assert (kind.records, kind.body_bytes) == (200, sum(len(record.body) for record in records))
    assert found.parts["bodies of records"] == kind.stored_bytes < kind.body_bytes
