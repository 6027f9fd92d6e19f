"""Parts of a journal: a journal that is rotated goes on in a new part, and the one before is sealed for good.

A part begins with a state of every stream and with the newest records of the part before, so that a floor starts from
it alone. Its seal is a text that a person can read, signed with a key of the ring. The next part keeps that text and
its signature, so each part can be proved alone, and names the one before it:

sabot part 3
after 5f0c… (the digest of the seal of part 2, or `nothing`)
at_ms 1767225600000
head 1200 2 9f2c… table/T1 (version, epoch and hash of the last record)
begins 688 2 77ab… table/T1 (the record that the first record of the next part follows)
opens 1190 1 40de… 8a51… table/T1 (the state that the next part opens with: version, form, record, digest of the state)
key 3b1f0c9a5d7e2468
"""

import hashlib
from collections.abc import Callable, Sequence

import msgspec

from sabot.journal.record import Head

CARRIED_RECORDS = 512
"""How many of the newest records of each stream a new part holds, too: an owner that takes a table looks at them."""
NOTHING = "nothing"


class OpeningState(msgspec.Struct, frozen=True):
    """The state of a stream after a record, from which a part is read without the parts before it."""

    stream: str
    version: int
    hash: bytes
    """The hash of the record at that version."""
    form: int
    """The form of the state, which later programs read, too (`floor/records/openings.py`)."""
    state: bytes

    @property
    def digest(self) -> bytes:
        return hashlib.sha256(self.state).digest()


class NameRange(msgspec.Struct, frozen=True):
    """Names of derived values of a stream, of which a new part gets all, so that nobody looks for them further back."""

    stream: str
    first: str
    last: str


class PartSeal(msgspec.Struct, frozen=True):
    """What seals a part: a text about its end, and the signature over it."""

    number: int
    text: bytes
    key_id: str
    signature: bytes

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.text).hexdigest()


class OpeningMark(msgspec.Struct, frozen=True):
    """What a seal says of the state that the next part opens with."""

    version: int
    form: int
    hash: bytes
    digest: bytes


class SealedEnd(msgspec.Struct, frozen=True):
    """What a seal says."""

    number: int
    after: str
    """The digest of the seal before, or `nothing`."""
    at_ms: int
    heads: dict[str, Head]
    begins: dict[str, Head]
    """Behind which record the next part holds each stream; a stream that is not named is carried whole."""
    opens: dict[str, OpeningMark]


class PartAtHand(msgspec.Struct, frozen=True):
    """A part that can be read, as it says of itself."""

    name: str
    number: int
    before: PartSeal | None
    """The seal of the part before, as this part keeps it; nothing in the first."""
    seal: PartSeal | None
    """Its own; nothing in the open one."""
    bases: dict[str, Head]
    openings: dict[str, OpeningState]
    heads: dict[str, Head]
    """Of an open part those of its streams now."""
    next_openings: dict[str, OpeningState] = {}
    """What a sealed part hands on."""
    broken: str | None = None
    """What cannot be read of it, or of the part before, in one sentence."""


class RotationPlan(msgspec.Struct, frozen=True):
    """What a new part opens with, and who signs the seal of the one before."""

    openings: Sequence[OpeningState]
    """A stream without one goes on from the state that the open part began with, or from its first record."""
    carried: Sequence[NameRange]
    key_id: str
    sign: Callable[[bytes], bytes]
    """Signs the text of the seal with that key."""
    at_ms: int


def first_kept(head: int, opening: int | None) -> int:
    """The version behind which a new part holds the records of a stream with this head and opening."""
    return 0 if opening is None else max(0, min(opening - 1, head - CARRIED_RECORDS))


def seal_text(end: SealedEnd, key_id: str) -> bytes:
    lines = [f"sabot part {end.number}", f"after {end.after}", f"at_ms {end.at_ms}"]
    lines += [f"head {_place(one)} {stream}" for stream, one in sorted(end.heads.items())]
    lines += [f"begins {_place(one)} {stream}" for stream, one in sorted(end.begins.items())]
    for stream, mark in sorted(end.opens.items()):
        lines.append(f"opens {mark.version} {mark.form} {mark.hash.hex()} {mark.digest.hex()} {stream}")
    lines.append(f"key {key_id}")
    return "".join(f"{line}\n" for line in lines).encode()


def read_seal(one: PartSeal) -> SealedEnd | None:
    """What a seal says; nothing where its text is not one that `seal_text` writes."""
    heads: dict[str, Head] = {}
    begins: dict[str, Head] = {}
    opens: dict[str, OpeningMark] = {}
    number = at_ms = 0
    after = ""
    try:
        for line in one.text.decode().splitlines():
            match line.split(" ", 1):
                case ["sabot", rest]:
                    number = int(rest.removeprefix("part "))
                case ["after", rest]:
                    after = rest
                case ["at_ms", rest]:
                    at_ms = int(rest)
                case ["head" | "begins" as kind, rest]:
                    version, epoch, link, stream = rest.split(" ", 3)
                    found = Head(stream, int(version), bytes.fromhex(link), int(epoch))
                    (heads if kind == "head" else begins)[stream] = found
                case ["opens", rest]:
                    version, form, link, digest, stream = rest.split(" ", 4)
                    opens[stream] = OpeningMark(int(version), int(form), bytes.fromhex(link), bytes.fromhex(digest))
    except ValueError:
        return None
    end = SealedEnd(number, after, at_ms, heads, begins, opens)
    return end if seal_text(end, one.key_id) == one.text and number == one.number else None


def mark_of(opening: OpeningState) -> OpeningMark:
    return OpeningMark(opening.version, opening.form, opening.hash, opening.digest)


def is_what_it_says(part: PartAtHand) -> str | None:
    """Why a part does not begin as the seal of the part before says, or does not end as its own does; else nothing.

    Who signed the seals is not looked at.
    """
    return part.broken or _wrong_beginning(part) or _wrong_end(part)


def _wrong_beginning(part: PartAtHand) -> str | None:
    if part.before is None:
        return f"{part.name} begins with a state, and no seal says which" if part.bases or part.openings else None
    said = read_seal(part.before)
    if said is None or said.number != part.number - 1:
        return f"the seal of the part before {part.name} is not one"
    if part.bases != said.begins:
        return f"{part.name} does not begin behind the records that the seal of part {said.number} names"
    if {stream: mark_of(one) for stream, one in part.openings.items()} != said.opens:
        return f"{part.name} opens with other states than the seal of part {said.number} names"
    return None


def _wrong_end(part: PartAtHand) -> str | None:
    if part.seal is None:
        return None
    said = read_seal(part.seal)
    if said is None or said.number != part.number:
        return f"the seal of {part.name} is not one"
    if said.after != (NOTHING if part.before is None else part.before.digest):
        return f"the seal of {part.name} names another part before it"
    if said.heads != part.heads:
        return f"{part.name} does not end with the records that its seal names"
    if {stream: mark_of(one) for stream, one in part.next_openings.items()} != said.opens:
        return f"{part.name} hands on other states than its seal names"
    return None


def _place(head: Head) -> str:
    return f"{head.version} {head.epoch} {head.hash.hex()}"
