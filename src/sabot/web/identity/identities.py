"""The identities of a floor: sessions and enrolments, and which sessions end with a dismissal or a revocation."""

import asyncio
from collections.abc import Callable, Iterable

import structlog

from sabot.basics.stamp import operator_stamp
from sabot.house.acts import Unlock
from sabot.house.events import DeviceRevoked, HouseEvent, PersonDismissed
from sabot.web.http.house_access import HouseAccess
from sabot.web.identity.enrolments import Enrolments
from sabot.web.identity.pin import PinHasher
from sabot.web.identity.services import Services
from sabot.web.identity.sessions import Sessions, StaffSessionTerms
from sabot.web.identity.vault import Unavailable, Vault

log = structlog.get_logger(__name__)


class Identities:
    """Sessions of staff and keys of devices, over one vault and one house."""

    def __init__(
        self,
        vault: Vault,
        desk: HouseAccess,
        hasher: PinHasher,
        now_ms: Callable[[], int],
        floor: str,
        terms: StaffSessionTerms | None = None,
    ) -> None:
        self.desk, self.now_ms = desk, now_ms
        self.sessions = Sessions(vault, desk, hasher, now_ms, terms)
        self.services = Services(desk, now_ms)
        self.enrolments = Enrolments(vault, desk, now_ms, floor)
        self._vault = vault
        self._hearing: set[asyncio.Task[None]] = set()

    async def hear(self, events: Iterable[HouseEvent]) -> None:
        """End the sessions that events of the house end, whichever process decided them."""
        for event in events:
            if isinstance(event, PersonDismissed):
                await self.sessions.dismissed(event.person)
            elif isinstance(event, DeviceRevoked):
                await self.sessions.revoked(event.device)

    def listen(self, events: Iterable[HouseEvent]) -> None:
        """The same from code that cannot wait. A failure is harmless: every act is checked against the house."""
        hearing = asyncio.get_running_loop().create_task(self._hear_quietly(tuple(events)))
        self._hearing.add(hearing)
        hearing.add_done_callback(self._hearing.discard)

    async def settle(self) -> None:
        """Wait until all events have been handled, which must be before the vault is closed."""
        await asyncio.gather(*self._hearing)
        await self.sessions.settle()
        await self.services.settle()

    async def _hear_quietly(self, events: tuple[HouseEvent, ...]) -> None:
        try:
            await self.hear(events)
        except Unavailable as unavailable:
            log.warning("sessions could not be ended", why=unavailable.why)

    async def carry_unlockings(self) -> None:
        """Put on record who was unlocked from the machine itself, and why; the vault has let them try already."""
        for one in await self._vault.take_unlockings(self.now_ms()):
            house = self.desk.state
            if one.person in house.locked_out or one.person in house.locked_at:
                await self.desk.ask(Unlock(person=one.person, reason=one.reason), operator_stamp())
            else:
                log.info("nobody was locked out", person=one.person, reason=one.reason)
            await self._vault.settle_unlocking(one)

    async def sweep(self) -> None:
        """Delete what has expired."""
        await self._vault.sweep(self.now_ms())
