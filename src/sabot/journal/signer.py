"""Signs heads with the key of this process, as long as the ring on record knows it."""

import asyncio
from collections.abc import Callable

from sabot.journal.checkpoint import is_signed_by, newest_checkpoint, sign
from sabot.journal.journal import Journal, SignedCheckpoint, Unknown
from sabot.journal.key_ring import RecordedRing
from sabot.journal.keys import SigningKey
from sabot.journal.record import Head

TRIES = 20
"""Other processes may enter their keys at the same time."""


class Signer:
    def __init__(self, journal: Journal, key: SigningKey, owner: str, wall_ms: Callable[[], int]) -> None:
        self.key = key
        self.ring = RecordedRing()
        self.why_not: str | None = "the ring on record has not been read yet"
        """Why nothing may be signed and no table taken, in one sentence."""
        self._journal, self._owner, self._wall_ms = journal, owner, wall_ms
        self._turn = asyncio.Lock()

    async def look(self) -> str | None:
        """Read the ring on record, and enter our key where a key of the ring vouches for it; gives `why_not`."""
        async with self._turn:
            self.why_not = await self._entered(self.key)
        return self.why_not

    async def take_up(self, key: SigningKey) -> str | None:
        """Sign with this key from now on, if the ring knows it; otherwise stay with the one before, and say why."""
        async with self._turn:
            why = await self._entered(key)
            if why is None:
                self.key, self.why_not = key, None
        return why

    def sign(self, head: Head) -> SignedCheckpoint | None:
        return None if self.why_not is not None else sign(head, self._wall_ms(), self.key)

    def knows(self, checkpoint: SignedCheckpoint) -> bool:
        """Whether a key of the ring has signed it."""
        key = self.ring.known.get(checkpoint.key_id)
        return key is not None and is_signed_by(checkpoint, key)

    async def _entered(self, key: SigningKey) -> str | None:
        """Have the ring know a key; gives the reason where it may not."""
        for _ in range(TRIES):
            await self.ring.read_on(self._journal)
            if self.ring.known.get(key.public.id) == key.public:
                return None
            keys = self.ring.leads_to(key.ring)
            if key.public not in [one.key for one in keys]:
                return (
                    f"the ring on record, which key {next(iter(self.ring.known))} founded, does not know key "
                    f"{key.public.id}: let one of its keys vouch for it with `sabot keys admit`"
                )
            why = None if self.ring.known else await self._signed_before(key)
            if why is not None:
                return why
            outcome = await self.ring.enter(self._journal, keys, self._owner, self._wall_ms())
            if isinstance(outcome, Unknown):
                break
        return f"key {key.public.id} could not be entered in the ring on record"

    async def _signed_before(self, key: SigningKey) -> str | None:
        """A journal that was signed before it had a ring: one of the keys that signed it founds the ring.

        Where several did that do not know each other, the others are admitted to the ring afterwards.
        """
        known, strange = {one.key.id for one in key.ring}, None
        for stream in await self._journal.streams():
            newest = await newest_checkpoint(self._journal, stream)
            if newest is not None and newest.key_id in known:
                return None
            if newest is not None:
                strange = (
                    f"{stream} is signed with key {newest.key_id}, which never vouched for key {key.public.id}: "
                    "give its own key, or one that `sabot keys rotate` or `sabot keys admit` made from it"
                )
        return strange
