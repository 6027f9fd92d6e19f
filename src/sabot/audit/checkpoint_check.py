"""Checkpoints and anchors: what key holders and other places say about a stream, held against the stream."""

from collections.abc import Collection, Mapping, Sequence

from sabot.audit.chain import Chain
from sabot.audit.problem import Kind, Problem
from sabot.journal.checkpoint import is_signed_by
from sabot.journal.journal import SignedCheckpoint
from sabot.journal.keys import PublicKey
from sabot.journal.record import Head


def check_checkpoints(
    chain: Chain,
    checkpoints: Sequence[SignedCheckpoint],
    trusted: Mapping[str, PublicKey],
    signed: Collection[SignedCheckpoint] = (),
) -> Problem | None:
    """The first checkpoint that a trusted key has not signed, or that vouches for another record than is there.

    Of some the signature is known already to be by the trusted key of that name.
    """
    good = 0
    for checkpoint in checkpoints:
        head = checkpoint.head
        problem = None if checkpoint in signed else _unsigned(checkpoint, trusted)
        problem = problem or compare(chain, head, good, f"key {checkpoint.key_id}")
        if problem is not None:
            return problem
        good = head.version
    return None


def compare(chain: Chain, vouched: Head, good: int, who: str) -> Problem | None:
    """Whether the stream still is what somebody says of it; `good` is the last version that is known to be right."""
    stream, version = vouched.stream, vouched.version
    if version > chain.head.version:
        if chain.problem is not None:
            return None  # The walk stopped before it came there, and has said why.
        why = f"it is missing: {who} vouches for {version} records, and the stream ends with {chain.head.version}"
        return Problem(stream, chain.head.version + 1, Kind.CUT, why)
    if version and chain.hashes[version] != vouched.hash:
        where = f"record {version} is" if good + 1 == version else f"one of the records {good + 1} to {version} is"
        return Problem(stream, good + 1, Kind.CHECKPOINT, f"{where} not the one that {who} vouches for")
    return None


def _unsigned(checkpoint: SignedCheckpoint, trusted: Mapping[str, PublicKey]) -> Problem | None:
    head, key = checkpoint.head, trusted.get(checkpoint.key_id)
    if key is None:
        why = f"its checkpoint is signed with key {checkpoint.key_id}, which is not one of the keys that are trusted"
        return Problem(head.stream, head.version, Kind.SIGNATURE, why)
    if not is_signed_by(checkpoint, key):
        why = f"the signature of its checkpoint is not by key {checkpoint.key_id}"
        return Problem(head.stream, head.version, Kind.SIGNATURE, why)
    return None
