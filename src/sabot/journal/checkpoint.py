"""A signed checkpoint: a signature over a head and the time, as text that a person can read.

sabot checkpoint
stream table/T1
version 120
hash 9f2c…
epoch 2
at_ms 1767225600000
key 3b1f0c9a5d7e2468
"""

from collections.abc import Callable

from sabot.journal.journal import ReadableJournal, SignedCheckpoint
from sabot.journal.keys import PublicKey, SigningKey
from sabot.journal.parts import PartSeal
from sabot.journal.record import Head


def text_of(head: Head, at_ms: int, key_id: str) -> bytes:
    """The text that is signed."""
    lines = (
        "sabot checkpoint",
        f"stream {head.stream}",
        f"version {head.version}",
        f"hash {head.hash.hex()}",
        f"epoch {head.epoch}",
        f"at_ms {at_ms}",
        f"key {key_id}",
    )
    return "".join(f"{line}\n" for line in lines).encode()


def sign(head: Head, at_ms: int, key: SigningKey) -> SignedCheckpoint:
    return SignedCheckpoint(head, at_ms, key.public.id, key.sign(text_of(head, at_ms, key.public.id)))


def is_signed_by(one: SignedCheckpoint | PartSeal, key: PublicKey) -> bool:
    """Whether a key has signed a checkpoint, or the seal of a part."""
    text = one.text if isinstance(one, PartSeal) else text_of(one.head, one.at_ms, one.key_id)
    return one.key_id == key.id and key.has_signed(one.signature, text)


async def newest_checkpoint(
    journal: ReadableJournal, stream: str, is_wanted: Callable[[SignedCheckpoint], bool] = lambda _: True
) -> SignedCheckpoint | None:
    """The newest checkpoint of a stream, or the newest that is wanted."""
    async for one in journal.newest_checkpoints(stream):
        if is_wanted(one):
            return one
    return None
