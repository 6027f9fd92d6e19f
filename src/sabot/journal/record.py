"""A record: one command that reached a decision, with its answer, chained to the record before it.

The journal knows bytes, keys and versions; what an answer means is for the rooms that write and read it.
"""

import hashlib
from collections.abc import Iterable

import msgspec

FORMAT = 1
"""The form of a record's body. It is part of what is hashed, so no reader can mistake one form for another."""


class Entry(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What an owner has to say about one command: who gave it, when it came in, and all that it caused."""

    key: str
    """The command's key, unique in its stream: a repeat of the command is recognised by it for ever."""
    actor: str
    second_actor: str
    """Who approved it, where two persons are due; otherwise empty."""
    at_ms: int
    """When the owner received it."""
    answer: msgspec.Raw
    """The command and its outcome as JSON: accepted with events, or refused."""


Stored = tuple[int, str, bytes, bytes | None, bytes]
"""A record as it lies there: version, key, body, the hash before it where that is stored, and its own hash."""


class Record(msgspec.Struct, frozen=True, gc=False):
    stream: str
    version: int
    """Counts the records of a stream from 1, without a gap."""
    epoch: int
    """Counts the owners of a stream; it never falls."""
    entry: Entry
    previous: bytes
    hash: bytes

    @property
    def body(self) -> bytes:
        return body_of(self.epoch, self.entry)


class Head(msgspec.Struct, frozen=True, gc=False):
    """Where a stream ends: all that is needed to add to it, or to tell that it has been cut."""

    stream: str
    version: int
    hash: bytes
    epoch: int = 0

    def then(self, epoch: int, entries: Iterable[Entry]) -> list[Record]:
        """The records that put these entries behind this head."""
        records, version, previous = [], self.version, self.hash
        for entry in entries:
            version += 1
            link = link_of(self.stream, version, body_of(epoch, entry), previous)
            records.append(Record(self.stream, version, epoch, entry, previous, link))
            previous = link
        return records


def start_of(stream: str) -> Head:
    """The head of a stream in which nothing is recorded yet."""
    return Head(stream, 0, hashlib.sha256(b"sabot stream " + stream.encode()).digest())


def head_after(record: Record) -> Head:
    return Head(record.stream, record.version, record.hash, record.epoch)


def link_of(stream: str, version: int, body: bytes, previous: bytes) -> bytes:
    """A record's hash: over its place, its body and the hash of the record before it."""
    place = f"{stream}\0{version}\0".encode()
    return hashlib.sha256(b"".join((previous, len(place).to_bytes(4, "big"), place, body))).digest()


def body_of(epoch: int, entry: Entry) -> bytes:
    return _ENCODER.encode((FORMAT, epoch, entry))


def read_body(body: bytes) -> tuple[int, Entry]:
    """The epoch and the entry of a stored body; raises `UnknownForm` for a body that a newer program wrote."""
    try:
        form, epoch, entry = _DECODER.decode(body)
    except msgspec.DecodeError as error:
        raise UnknownForm(f"a record's body cannot be read: {error}") from None
    if form != FORMAT:
        raise UnknownForm(f"a record has form {form}, and this program knows form {FORMAT}")
    return epoch, entry


class UnknownForm(Exception):
    """A record that this program cannot read."""


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(tuple[int, int, Entry])
