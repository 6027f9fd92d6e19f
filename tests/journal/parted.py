"""Journals of several parts, for tests: rotated with a key of their own."""

from collections.abc import Sequence
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.journal.journal import Appended, Journal
from sabot.journal.keys import SigningKey
from sabot.journal.parts import NameRange, OpeningState, PartSeal, RotationPlan
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
