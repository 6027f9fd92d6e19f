"""Compares a stream with its signed checkpoints and its anchor."""

from collections.abc import Collection, Mapping, Sequence

from sabot.audit.chain import Chain
from sabot.audit.problem import Problem, ProblemKind
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
    """The first checkpoint that no trusted key has signed, or that names another record than the stream has.

    Those in `signed` have been found signed by the trusted key of that id already.
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
    """Compare the stream with a head that `who` vouches for; `good` is the last version known to be right."""
    stream, version = vouched.stream, vouched.version
    if version > chain.head.version:
        if chain.problem is not None:
            return None  # The walk stopped earlier, at the problem that it found.
        why = f"it is missing: {who} vouches for {version} records, and the stream ends with {chain.head.version}"
        return Problem(stream, chain.head.version + 1, ProblemKind.CUT, why)
    if version and chain.hashes[version] != vouched.hash:
        where = f"record {version} is" if good + 1 == version else f"one of the records {good + 1} to {version} is"
        return Problem(stream, good + 1, ProblemKind.CHECKPOINT, f"{where} not the one that {who} vouches for")
    return None


def _unsigned(checkpoint: SignedCheckpoint, trusted: Mapping[str, PublicKey]) -> Problem | None:
    head, key = checkpoint.head, trusted.get(checkpoint.key_id)
    if key is None:
        why = f"its checkpoint is signed with key {checkpoint.key_id}, which is not one of the keys that are trusted"
        return Problem(head.stream, head.version, ProblemKind.SIGNATURE, why)
    if not is_signed_by(checkpoint, key):
        why = f"the signature of its checkpoint is not by key {checkpoint.key_id}"
        return Problem(head.stream, head.version, ProblemKind.SIGNATURE, why)
    return None
