"""What an owner asks of the journal, carried out: an effect goes in, the message that answers it comes out."""

from collections.abc import Callable

import msgspec

from sabot.floor.records.recovery import snapshot_at
from sabot.floor.table_owner import effects as do
from sabot.floor.table_owner.messages import Found, HeadSeen, OwnerMessage, Renewed, Took, Written
from sabot.floor.table_owner.take_over import take_table
from sabot.journal.checkpoint import sign
from sabot.journal.journal import Journal, SignedCheckpoint
from sabot.journal.keys import SigningKey
from sabot.journal.record import Head

LEASE_MS = 2_000


class Backing(msgspec.Struct, frozen=True, kw_only=True):
    """What stands behind the tables of a process."""

    journal: Journal
    owner: str
    """The name under which this process owns tables: where devices reach it."""
    build: str
    """The digest of the program; it is also the form of the snapshots."""
    wall_ms: Callable[[], int]
    key: SigningKey | None = None
    anchor: Callable[[Head, SignedCheckpoint | None], None] | None = None
    """Told of every checkpoint, to keep it somewhere else."""
    lease_ms: int = LEASE_MS


async def carry_out(effect: do.JournalErrand, stream: str, backing: Backing) -> OwnerMessage | None:
    """Ask the journal, and bring the answer back as a message for the owner."""
    journal = backing.journal
    match effect:
        case do.Append():
            return Written(effect.errand, await journal.append(stream, effect.expected_version, effect.records))
        case do.Take():
            taken = await take_table(journal, stream, backing.owner, backing.lease_ms, backing.build, effect.held)
            return Took(effect.errand, taken)
        case do.Renew():
            leases = await journal.renew_leases([effect.lease], backing.lease_ms)
            return Renewed(effect.errand, leases[0] if leases else None, backing.wall_ms())
        case do.Find():
            return Found(effect.errand, effect.connected, await journal.find(stream, effect.key))
        case do.LookAtHead():
            return HeadSeen(effect.errand, await journal.head(stream))
        case do.ReleaseLease():
            await journal.release_lease(effect.lease)
        case do.KeepSnapshot():
            await journal.save_snapshot(snapshot_at(effect.head, backing.build, effect.mark))
    return None


async def vouch_for(head: Head, backing: Backing) -> SignedCheckpoint | None:
    """Sign a head, and keep it elsewhere."""
    checkpoint = None
    if backing.key is not None:
        checkpoint = sign(head, backing.wall_ms(), backing.key)
        await backing.journal.save_checkpoint(checkpoint)
    if backing.anchor is not None:
        backing.anchor(head, checkpoint)
    return checkpoint
