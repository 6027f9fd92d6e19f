"""What an owner asks of the journal, carried out: an effect goes in, the message that answers it comes out."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from sabot.floor.records.recovery import snapshot_at
from sabot.floor.table_owner import effects as do
from sabot.floor.table_owner.messages import Found, HeadSeen, OwnerMessage, Renewed, Took, Written
from sabot.floor.table_owner.take_over import Taken, take_table
from sabot.journal.journal import Journal, SignedCheckpoint
from sabot.journal.ownership import StreamNotTaken
from sabot.journal.record import Head

if TYPE_CHECKING:  # A table that signs nothing loads no ciphers and no event loop.
    from sabot.journal.signer import Signer

LEASE_MS = 2_000


class Backing(msgspec.Struct, frozen=True, kw_only=True):
    """What stands behind the tables of a process."""

    journal: Journal
    owner: str
    """The name under which this process owns tables: where devices reach it."""
    build: str
    """The digest of the program; it is also the form of the snapshots."""
    wall_ms: Callable[[], int]
    signer: "Signer | None" = None
    """Without one nothing is signed."""
    anchor: Callable[[Head, SignedCheckpoint | None], None] | None = None
    """Told of every checkpoint, to keep it somewhere else."""
    lease_ms: int = LEASE_MS

    @property
    def why_not(self) -> str | None:
        """Why nothing may be written from here: the ring on record does not know the key that would sign it."""
        return None if self.signer is None else self.signer.why_not


async def carry_out(effect: do.JournalErrand, stream: str, backing: Backing) -> OwnerMessage | None:
    """Ask the journal, and bring the answer back as a message for the owner."""
    journal = backing.journal
    match effect:
        case do.Append():
            return Written(effect.errand, await journal.append(stream, effect.expected_version, effect.records))
        case do.Take():
            return Took(effect.errand, await _take(effect, stream, backing))
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


async def _take(effect: do.Take, stream: str, backing: Backing) -> Taken | StreamNotTaken:
    """Take a table with a key that the ring on record knows: what others could not verify is not begun."""
    journal = backing.journal
    why = None if backing.signer is None else await backing.signer.look()
    if why is None:
        return await take_table(journal, stream, backing.owner, backing.lease_ms, backing.build, effect.held)
    if effect.held is not None:
        await journal.release_lease(effect.held)
    return StreamNotTaken(None, why)


async def vouch_for(head: Head, backing: Backing) -> SignedCheckpoint | None:
    """Sign a head, and keep it elsewhere."""
    checkpoint = None if backing.signer is None else backing.signer.sign(head)
    if checkpoint is not None:
        await backing.journal.save_checkpoint(checkpoint)
    if backing.anchor is not None:
        backing.anchor(head, checkpoint)
    return checkpoint
