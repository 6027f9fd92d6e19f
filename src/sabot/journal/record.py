"""A record: one decided command with its answer, chained by hash to the record before it.

The journal handles bytes, keys and versions; the meaning of an answer is defined in `floor/records`.
"""

import hashlib
from collections.abc import Iterable, Sequence
from operator import is_

import msgspec

FORMAT = 3
"""The form of the records that this program writes. It is hashed with the body, so that forms cannot be confused.

It rises with every release whose records an earlier program would read or decide otherwise: a new act, event or field,
or another decision on the same act. `floor/records/older_forms.py` says what each form changed.
"""
OLDEST = 2
"""The oldest form that this program reads: the records of release 0.1.0."""
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError)


class Entry(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One command: who gave it, when it was received, and everything that it caused."""

    key: str
    """The command's key, unique in its stream, by which a repeated command is recognised."""
    actor: str
    second_actor: str
    """Who approved it, where two persons are required; otherwise empty."""
    at_ms: int
    """When the owner received it."""
    answer: msgspec.Raw
    """The command and its outcome as JSON: accepted with events, or refused."""


Stored = tuple[int, str, bytes, bytes | None, bytes]
"""A record as stored: version, key, body, the hash before it where that is stored, and its own hash."""


class Record(msgspec.Struct, frozen=True, gc=False):
    stream: str
    version: int
    """From 1, without gaps."""
    epoch: int
    """The number of the owner; it never falls."""
    entry: Entry
    previous: bytes
    hash: bytes
    form: int = FORMAT
    """The form of the program that wrote it."""

    @property
    def body(self) -> bytes:
        return body_of(self.epoch, self.entry, self.form)


class Head(msgspec.Struct, frozen=True, gc=False):
    """The end of a stream: what is needed to append to it, or to notice that its tail was cut off."""

    stream: str
    version: int
    hash: bytes
    epoch: int = 0

    def then(self, epoch: int, entries: Iterable[Entry]) -> "ChainedRecords":
        """These entries as records that follow this head."""
        records, bodies, version, previous = list[Record](), list[bytes](), self.version, self.hash
        for entry in entries:
            version += 1
            body = body_of(epoch, entry)
            link = link_of(self.stream, version, body, previous)
            records.append(Record(self.stream, version, epoch, entry, previous, link))
            bodies.append(body)
            previous = link
        return ChainedRecords(records, bodies)


class ChainedRecords(list[Record]):
    """Records that were chained here, with their bodies, so that neither need be worked out again to be written."""

    def __init__(self, records: Sequence[Record], bodies: Sequence[bytes]) -> None:
        super().__init__(records)
        self._chained = tuple(records)
        self.bodies = bodies

    @property
    def is_whole(self) -> bool:
        """Whether it holds what it was made with: a list may be changed."""
        return len(self) == len(self._chained) and all(map(is_, self, self._chained))


def start_of(stream: str) -> Head:
    """The head of an empty stream."""
    return Head(stream, 0, hashlib.sha256(b"sabot stream " + stream.encode()).digest())


def head_after(record: Record) -> Head:
    return Head(record.stream, record.version, record.hash, record.epoch)


def link_of(stream: str, version: int, body: bytes, previous: bytes) -> bytes:
    """A record's hash: over stream, version, body and the hash of the record before it."""
    place = f"{stream}\0{version}\0".encode()
    return hashlib.sha256(b"".join((previous, len(place).to_bytes(4, "big"), place, body))).digest()


def body_of(epoch: int, entry: Entry, form: int = FORMAT) -> bytes:
    return _ENCODER.encode((form, epoch, entry))


def read_body(body: bytes) -> tuple[int, int, Entry]:
    """The form, the epoch and the entry of a stored body; raises `UnknownForm` where this program cannot read it.

    The answer inside it is left as it is written, so that it must be text is asked of the whole body.
    """
    try:
        body.decode()
        form, epoch, entry = _DECODER.decode(body)
    except _UNREADABLE as error:
        _check_form(_form_of(body))
        raise UnknownForm(f"a record's body cannot be read: {error}") from None
    _check_form(form)
    return form, epoch, entry


def are_plain(bodies: Sequence[bytes], keys: Sequence[str], epoch: int) -> bool:
    """Whether all of these bodies are exactly what `body_of` makes of them, with these keys and this epoch.

    They are read and written together, which is faster, as lines: where no body has a line break in it, the lines are
    the bodies one by one. False says nothing of a single one.
    """
    text = b"\n".join((*bodies, b""))
    try:
        text.decode()
        read = _DECODER.decode_lines(text)
    except _UNREADABLE:
        return False
    if len(read) != len(bodies) or text.count(b"\n") != len(bodies) or _ENCODER.encode_lines(read) != text:
        return False
    told = {(form, found) for form, found, _ in read}
    is_known = all(found == epoch and OLDEST <= form <= FORMAT for form, found in told)
    return is_known and [entry.key for _, _, entry in read] == keys


def _check_form(form: int) -> None:
    if form > FORMAT:
        raise NewerForm(f"a newer program wrote it: it has form {form}, and this program knows none above {FORMAT}")
    if form < OLDEST:
        raise UnknownForm(f"a record has form {form}, and this program knows none below {OLDEST}")


def _form_of(body: bytes) -> int:
    """The form alone: of a body in a newer form nothing else is known."""
    try:
        return msgspec.json.decode(_PARTS.decode(body)[0], type=int)
    except (*_UNREADABLE, IndexError):
        return FORMAT


class UnknownForm(Exception):
    """A record that this program cannot read."""


class NewerForm(UnknownForm):
    """A record of a newer program. Nothing may be written behind it: this program does not know what it means."""


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(tuple[int, int, Entry])
_PARTS = msgspec.json.Decoder(list[msgspec.Raw])


class Misplaced(Exception):
    """Records that do not fit their place: a bug in the caller, raised before anything is written."""


def check_place(stream: str, expected_version: int, records: Sequence[Record]) -> Sequence[bytes]:
    """Raise `Misplaced` unless the records follow one another behind the version, in this stream, each key once.

    Returns their bodies, which are needed for storing. Of records that `Head.then` has chained only the first is looked
    at, and the keys.
    """
    if len(records) > 1 and len({record.entry.key for record in records}) < len(records):
        raise Misplaced(f"a key stands twice among the records for {stream!r} behind version {expected_version}")
    if type(records) is ChainedRecords and records.is_whole:
        for record in records[:1]:
            _check_named(record, stream, expected_version + 1)
        return records.bodies
    bodies, previous = list[bytes](), None
    for version, record in enumerate(records, expected_version + 1):
        _check_named(record, stream, version)
        if previous is not None and record.previous != previous:
            raise Misplaced(f"record {version} of {stream!r} is not chained to the one before it")
        body = record.body
        if record.hash != link_of(stream, version, body, record.previous):
            raise Misplaced(f"record {version} of {stream!r} does not carry the hash of its content")
        bodies.append(body)
        previous = record.hash
    return bodies


def _check_named(record: Record, stream: str, version: int) -> None:
    if record.stream != stream or record.version != version:
        raise Misplaced(f"record {record.version} of {record.stream!r} is put at {version} of {stream!r}")
