"""What an owner asks of the journal, carried out: an effect goes in, the message that answers it comes out."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import msgspec

from sabot.floor.records.recovery import snapshot_at, table_mark
from sabot.floor.records.shelf import SHELVED_TO
from sabot.floor.records.shelf_reading import look_for, put_on_shelf
from sabot.floor.table_owner import effects as do
from sabot.floor.table_owner.messages import (
    Found,
    HeadSeen,
    LookedFor,
    OwnerMessage,
    Renewed,
    SnapshotKept,
    Took,
    Written,
)
from sabot.floor.table_owner.take_over import Taken, take_table
from sabot.journal.journal import Derived, Journal, Lease, PartAway, SignedCheckpoint
from sabot.journal.ownership import StreamNotTaken
from sabot.journal.record import Head
from sabot.table.history.state import KEPT_COUPS

if TYPE_CHECKING:  # A table that signs nothing loads no ciphers and no event loop.
    from sabot.journal.signer import Signer

LEASE_MS = 2_000


class Backing(msgspec.Struct, frozen=True, kw_only=True):
    """What stands behind the tables of a process."""

    journal: Journal
    owner: str
    """The name under which this process owns tables: where devices reach it."""
    build: str
    """The digest of the program."""
    wall_ms: Callable[[], int]
    signer: "Signer | None" = None
    """Without one nothing is signed."""
    anchor: Callable[[Head, SignedCheckpoint | None], Awaitable[object]] | None = None
    """Told of every checkpoint, to keep it somewhere else."""
    lease_ms: int = LEASE_MS
    keeps: int = KEPT_COUPS
    """How many of the newest coups the state of each table keeps."""

    async def renewed(self, lease: Lease) -> Lease | None:
        """The lease renewed, or nothing where another owner has taken it."""
        leases = await self.journal.renew_leases([lease], self.lease_ms)
        return leases[0] if leases else None

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
            return Renewed(effect.errand, await backing.renewed(effect.lease), backing.wall_ms())
        case do.Find() | do.LookAtHead():
            return await _asked_for(effect, stream, journal)
        case do.ReleaseLease():
            await journal.release_lease(effect.lease)
        case do.LookFor() | do.KeepSnapshot():
            return await _at_the_shelf(effect, stream, backing)
    return None


async def _asked_for(effect: do.Find | do.LookAtHead, stream: str, journal: Journal) -> OwnerMessage:
    if isinstance(effect, do.LookAtHead):
        return HeadSeen(effect.errand, await journal.head(stream))
    return Found(effect.errand, effect.connected, await journal.find(stream, effect.key))


async def _at_the_shelf(effect: do.LookFor | do.KeepSnapshot, stream: str, backing: Backing) -> OwnerMessage:
    if isinstance(effect, do.LookFor):
        try:
            return LookedFor(effect.errand, await look_for(backing.journal, stream, effect.version, effect.looking))
        except PartAway as away:
            return LookedFor(effect.errand, None, str(away))
    return await _keep_snapshot(effect, backing)


async def _keep_snapshot(effect: do.KeepSnapshot, backing: Backing) -> SnapshotKept:
    """The shelf first: a table that is read from the snapshot never comes to what fell out before it."""
    journal, head = backing.journal, effect.head
    mark = table_mark(effect.state, effect.lines, effect.at_ms)
    await put_on_shelf(journal, {**effect.fallen, SHELVED_TO: Derived(head.stream, SHELVED_TO, head.version, b"")})
    await journal.save_snapshot(snapshot_at(head, mark))
    return SnapshotKept(effect.errand)


async def _take(effect: do.Take, stream: str, backing: Backing) -> Taken | StreamNotTaken:
    """Take a table with a key that the ring on record knows: what others could not verify is not begun."""
    journal = backing.journal
    why = None if backing.signer is None else await backing.signer.look()
    if why is None:
        return await take_table(journal, stream, backing.owner, backing.lease_ms, effect.held)
    if effect.held is not None:
        await journal.release_lease(effect.held)
    return StreamNotTaken(None, why)


async def vouch_for(head: Head, backing: Backing) -> SignedCheckpoint | None:
    """Sign a head, and keep it elsewhere."""
    checkpoint = None if backing.signer is None else backing.signer.sign(head)
    if checkpoint is not None:
        await backing.journal.save_checkpoint(checkpoint)
    if backing.anchor is not None:
        await backing.anchor(head, checkpoint)
    return checkpoint
