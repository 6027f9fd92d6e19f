"""Journals of several parts, for tests: rotated with a key of their own."""

from collections.abc import Sequence
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.journal.checkpoint import is_signed_by
from sabot.journal.journal import Appended, Journal
from sabot.journal.keys import SigningKey
from sabot.journal.parts import NameRange, OpeningState, PartAtHand, PartSeal, RotationPlan, is_what_it_says, read_seal
from sabot.journal.record import Record
from tests.journal.entries import entries

KEY = SigningKey(Ed25519PrivateKey.from_private_bytes(b"the key of tests that rotate it."), ())


def plan(openings: Sequence[OpeningState] = (), carried: Sequence[NameRange] = (), at_ms: int = 1) -> RotationPlan:
    return RotationPlan(openings, carried, KEY.public.id, KEY.sign, at_ms)


async def opening_at(journal: Journal, stream: str, version: int, state: bytes = b"state") -> OpeningState:
    async for record in journal.read(stream, version - 1, version):
        return OpeningState(stream, version, record.hash, 1, state)
    raise AssertionError(f"{stream} has no record {version}")


async def rotated(journal: Journal, *streams: str, carried: Sequence[NameRange] = ()) -> PartSeal:
    """Rotate, with a state at the head of each of these streams."""
    openings = [await opening_at(journal, stream, (await journal.head(stream)).version) for stream in streams]
    return await journal.rotate(plan(openings, carried))


async def more(journal: Journal, stream: str, count: int, epoch: int = 1) -> list[Record]:
    """Append so many records to a stream, a hundred at a time."""
    written: list[Record] = []
    for first in range(0, count, 100):
        head = await journal.head(stream)
        records = head.then(epoch, entries(min(100, count - first), f"k{head.version}-"))
        assert await journal.append(stream, head.version, records) == Appended(records[-1].version)
        written += records
    return written


def part(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.part{number:04}")


async def check_three_parts(journal: Journal) -> Sequence[PartAtHand]:
    """Two sealed parts and the open one: each says what it opens with, and names the seal of the one before."""
    parts = await journal.parts()
    assert [one.number for one in parts] == [1, 2, 3]
    assert [is_what_it_says(one) for one in parts] == [None] * 3
    assert [one.before for one in parts[1:]] == [one.seal for one in parts[:2]]
    for one in parts[:2]:
        assert one.seal is not None
        said = read_seal(one.seal)
        assert said is not None
        assert said.heads == one.heads
        assert is_signed_by(one.seal, KEY.public)
    opening = await journal.opening("t")
    assert opening is not None
    assert (opening.version, opening.state) == (1_600, b"state")
    assert await journal.opening("u") is None
    return parts
