"""Taking a stream: the lease permits the attempt, and the record `owner_taken` makes the owner.

Once that record is in the stream, every append of an earlier owner fails on its version. Until then the earlier owner
may still append, so the head is read again until the record follows all of that. The record also settles an unknown
outcome: once it is durable, so is everything before it, and nothing can come in between any more.
"""

import msgspec

from sabot.journal.journal import Appended, AppendOutcome, Conflict, Journal, Lease
from sabot.journal.record import Entry, Head, Record, head_after

_KEY = "owner_taken/"
_TRIES = 50
"""An earlier owner that still writes can be ahead a few times; then its clients have left it."""


class OwnerTaken(msgspec.Struct, frozen=True):
    """The content of the record of a taking."""

    epoch: int
    owner: str
    before: Lease | None
    """The earlier owner's lease with its last sign of life: the time of the failure (CROWN 11.14 to 11.16)."""


class _Answer(msgspec.Struct, frozen=True):
    owner_taken: OwnerTaken


class Ownership(msgspec.Struct, frozen=True):
    lease: Lease
    taken: OwnerTaken
    head: Head
    """The record of the taking. The next append follows it, with its epoch."""


class StreamNotTaken(msgspec.Struct, frozen=True):
    """Another owner holds the stream, or the taking could not be recorded. Try again later."""

    holder: Lease | None
    why: str


async def take(journal: Journal, stream: str, owner: str, ttl_ms: int) -> Ownership | StreamNotTaken:
    """Try once to become the owner.

    An owner that starts over after an unknown outcome releases its lease first. A caller that was delayed until its
    lease went to another owner notices that before writing, and gives up.
    """
    before = await journal.lease(stream)
    lease = await journal.acquire_lease(stream, owner, ttl_ms)
    if lease is None:
        return StreamNotTaken(await journal.lease(stream), "another owner holds the stream")
    outcome: AppendOutcome | None = None
    for _ in range(_TRIES):
        head, held = await journal.head(stream), await journal.lease(stream)
        if held is None or (held.owner, held.epoch) != (lease.owner, lease.epoch):
            return StreamNotTaken(held, "another owner has taken the lease meanwhile")
        [record], taken = _record_of_taking(head, lease, before)
        outcome = await journal.append(stream, record.version - 1, [record])
        if isinstance(outcome, Appended):
            return Ownership(lease, taken, head_after(record))
        if not isinstance(outcome, Conflict):
            break
    await journal.release_lease(lease)
    return StreamNotTaken(await journal.lease(stream), f"the taking could not be recorded: {outcome}")


def taking_of(record: Record) -> OwnerTaken | None:
    """The taking that a record holds, if it holds one."""
    if not record.entry.key.startswith(_KEY):
        return None
    return msgspec.json.decode(record.entry.answer, type=_Answer).owner_taken


def _record_of_taking(head: Head, lease: Lease, before: Lease | None) -> tuple[list[Record], OwnerTaken]:
    """The epoch follows the stream's own where the lease's is lower, as in a restored journal, which has no leases."""
    epoch = max(lease.epoch, head.epoch + 1)
    taken = OwnerTaken(epoch, lease.owner, before)
    answer = msgspec.Raw(msgspec.json.encode(_Answer(taken)))
    return head.then(epoch, [Entry(f"{_KEY}{epoch}", lease.owner, "", lease.renewed_ms, answer)]), taken
