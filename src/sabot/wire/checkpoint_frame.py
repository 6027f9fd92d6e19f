"""A signed checkpoint as a frame carries it, and back."""

from sabot.journal.journal import SignedCheckpoint
from sabot.journal.record import Head
from sabot.wire.frames import Checkpoint


def checkpoint_frame(one: SignedCheckpoint) -> Checkpoint:
    head = one.head
    return Checkpoint(
        version=head.version,
        epoch=head.epoch,
        hash=head.hash.hex(),
        at_ms=one.at_ms,
        key_id=one.key_id,
        signature=one.signature.hex(),
    )


def read_checkpoint(one: Checkpoint | None, stream: str) -> SignedCheckpoint | None:
    """What a device holds as proof; what cannot be one proves nothing."""
    if one is None:
        return None
    try:
        head = Head(stream, one.version, bytes.fromhex(one.hash), one.epoch)
        return SignedCheckpoint(head, one.at_ms, one.key_id, bytes.fromhex(one.signature))
    except ValueError:
        return None
