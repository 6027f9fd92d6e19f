"""Becoming the owner of a stream: the lease says who may try, the first record says who is.

From the moment that the record of the taking is in the stream, every append of an earlier owner meets a version that
is taken. Until then the earlier owner may still add, so its stream is read again until the taking stands behind all of
it. The taking also settles what an unknown outcome left open: once it is durable, so is everything before it, and
nothing can come in between any more.
"""

import msgspec

from sabot.journal.journal import Appended, Conflict, Journal, Lease, Outcome
from sabot.journal.record import Entry, Head, Record, head_after

_KEY = "owner_taken/"
_TRIES = 50
"""An owner that is being replaced and still writes gets ahead a few times at most; its clients leave it."""


class OwnerTaken(msgspec.Struct, frozen=True):
    """What the record of a taking says."""

    epoch: int
    owner: str
    before: Lease | None
    """Who held the stream before, with its last sign of life: the evidence of when it died (CROWN 11.14 to 11.16)."""


class _Answer(msgspec.Struct, frozen=True):
    owner_taken: OwnerTaken


class Ownership(msgspec.Struct, frozen=True):
    lease: Lease
    taken: OwnerTaken
    head: Head
    """The record of the taking. What is to be appended next stands behind it and carries its epoch."""


class NotTaken(msgspec.Struct, frozen=True):
    """Somebody else holds the stream, or it could not be made sure that nobody does. Try again later."""

    holder: Lease | None
    why: str


async def take(journal: Journal, stream: str, owner: str, ttl_ms: int) -> Ownership | NotTaken:
    """Try once to become the owner.

    An owner that wants to start over, after an unknown outcome, releases its lease first: it is nobody special. Whoever
    was held up for so long that the lease went to somebody else finds out before writing, and leaves that one alone.
    """
    before = await journal.lease(stream)
    lease = await journal.acquire_lease(stream, owner, ttl_ms)
    if lease is None:
        return NotTaken(await journal.lease(stream), "somebody else holds the stream")
    outcome: Outcome | None = None
    for _ in range(_TRIES):
        head, held = await journal.head(stream), await journal.lease(stream)
        if held is None or (held.owner, held.epoch) != (lease.owner, lease.epoch):
            return NotTaken(held, "somebody else has taken the lease meanwhile")
        [record], taken = _record_of_taking(head, lease, before)
        outcome = await journal.append(stream, record.version - 1, [record])
        if isinstance(outcome, Appended):
            return Ownership(lease, taken, head_after(record))
        if not isinstance(outcome, Conflict):
            break
    await journal.release_lease(lease)
    return NotTaken(await journal.lease(stream), f"the taking could not be recorded: {outcome}")


def taking_of(record: Record) -> OwnerTaken | None:
    """What a record says about a taking, if it is the record of one."""
    if not record.entry.key.startswith(_KEY):
        return None
    return msgspec.json.decode(record.entry.answer, type=_Answer).owner_taken


def _record_of_taking(head: Head, lease: Lease, before: Lease | None) -> tuple[list[Record], OwnerTaken]:
    """The stream's own epoch decides where the lease has counted less, as it has in a journal that was restored."""
    epoch = max(lease.epoch, head.epoch + 1)
    taken = OwnerTaken(epoch, lease.owner, before)
    answer = msgspec.Raw(msgspec.json.encode(_Answer(taken)))
    return head.then(epoch, [Entry(f"{_KEY}{epoch}", lease.owner, "", lease.renewed_ms, answer)]), taken
