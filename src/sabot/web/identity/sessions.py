"""Sessions: staff sign on with reference and PIN, and a token then identifies them until the session ends.

A token is random and holds no data. It is bound to where it was issued: at a socket to the enrolment of the console
that has proved its key, over HTTP to the address. A token holds no roles: they are looked up in the house at every act,
so a dismissal takes effect at once.

Wrong PINs are counted by person and place, so that a person whose PIN is guessed at one console signs on at another
(G-118). A wider and slower guard counts a person's wrong PINs everywhere, and one a place's for everybody.
"""

import asyncio
import hashlib
import secrets
from collections.abc import Callable, Mapping
from typing import NamedTuple

import msgspec
import structlog

from sabot.basics.role import Role
from sabot.basics.stamp import clock_stamp
from sabot.house.acts import LockOut
from sabot.house.devices.deciding import TAKE_PINS
from sabot.house.state import DeviceKind
from sabot.runtime.shared_runner import Unreachable
from sabot.web.http.house_access import HouseAccess
from sabot.web.http.refusal import WebCause, refusal
from sabot.web.identity.pin import PinHasher, weakness
from sabot.web.identity.vault import ANY, Approval, Guard, GuessCount, StaffSession, Vault

SECONDS = 1_000
MINUTES = 60 * SECONDS
TOKEN_BYTES = 32
NOBODY = ""
"""Attempts in unknown names are counted together: they take the same work, and add no rows."""

log = structlog.get_logger(__name__)


class StaffSessionTerms(msgspec.Struct, frozen=True):
    """How long sessions and approvals last, and how many wrong PINs lock a person out (G-118)."""

    wrong_pins: int = 5
    """Of one person at one place."""
    wrong_pins_of_a_person: int = 20
    wrong_pins_at_a_place: int = 25
    console_idle_ms: int = 2 * MINUTES
    desk_idle_ms: int = 15 * MINUTES
    longest_ms: int = 12 * 60 * MINUTES
    approval_ms: int = MINUTES


class NewSession(NamedTuple):
    """A session with its token, which is not stored."""

    token: str
    session: StaffSession


class NewApproval(NamedTuple):
    token: str
    approval: Approval


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


class Sessions:
    def __init__(
        self,
        vault: Vault,
        desk: HouseAccess,
        hasher: PinHasher,
        now_ms: Callable[[], int],
        terms: StaffSessionTerms | None = None,
    ) -> None:
        self._vault, self._desk, self._hasher, self._now_ms = vault, desk, hasher, now_ms
        self.terms = terms or StaffSessionTerms()
        self._recording: set[asyncio.Task[None]] = set()

    async def sign_on(self, person: str, pin: str, device: str, address: str, place: str = "") -> NewSession:
        """`device` is the enrolment of the console or desk at which the person signs on, and holds the token alone.

        Wrong PINs count at `place`, which is the device that has proved its key, or an address that needs no proof.
        """
        await self._prove(person, pin, place or device or address, may=not device or self._takes_pins(device))
        token, now = secrets.token_urlsafe(TOKEN_BYTES), self._now_ms()
        session = StaffSession(digest_of(token), person, device, address, now, now, now + self.terms.longest_ms)
        await self._vault.open_session(session)
        log.info("signed on", person=person, device=device, address=address)
        return NewSession(token, session)

    async def at_a_console(self, token: str, device: str) -> StaffSession:
        """The session of a token that came from this console, which has proved its key."""
        return await self._live(token, lambda session: session.device == device, device)

    async def over_http(self, token: str, address: str) -> StaffSession:
        """The session of a token that came with a request from this address."""
        return await self._live(token, lambda session: session.address == address, address)

    async def sign_off(self, session: StaffSession) -> None:
        await self._vault.end_session(session.digest)
        log.info("signed off", person=session.person)

    async def approve(self, first: StaffSession, person: str, pin: str, act: str) -> NewApproval:
        """A second person approves one act of the first, by PIN."""
        if person == first.person:
            raise refusal(WebCause.SAME_PERSON, who=person)
        await self._prove(person, pin, _made_at(first))
        token = secrets.token_urlsafe(TOKEN_BYTES)
        expires = self._now_ms() + self.terms.approval_ms
        approval = Approval(digest_of(token), person, first.digest, act, expires)
        await self._vault.keep_approval(approval)
        return NewApproval(token, approval)

    async def second(self, token: str, first: StaffSession, act: str) -> str:
        """The person whose approval a token stands for, or nothing without a token; a token is valid once."""
        if not token:
            return ""
        approval = await self._vault.take_approval(digest_of(token))
        if (
            approval is None
            or not 0 < approval.expires_ms - self._now_ms() <= 2 * self.terms.approval_ms
            or (approval.session, approval.act) != (first.digest, act)
        ):
            raise refusal(WebCause.APPROVAL_OVER)
        return approval.person

    async def change_pin(self, session: StaffSession, pin: str, new_pin: str) -> None:
        """Change the PIN of the session's person, and end that person's other sessions."""
        await self._prove(session.person, pin, _made_at(session))
        await set_pin(self._vault, self._hasher, session.person, new_pin)
        await self._vault.end_sessions_of(session.person)
        await self._vault.open_session(session)

    async def live(self) -> list[StaffSession]:
        return [session for session in await self._vault.sessions() if not self._is_over(session)]

    async def end(self, session: StaffSession) -> None:
        """End the session of another person; the caller has checked the role."""
        await self._vault.end_session(session.digest)
        log.info("a session was ended", person=session.person)

    async def dismissed(self, person: str) -> None:
        await self._vault.end_sessions_of(person)

    async def revoked(self, device: str) -> None:
        """End the sessions at the enrolment of a device that was revoked; one that has followed keeps its own."""
        known = self._desk.state.devices[device]
        for number in range(1, known.number + known.revoked):
            await self._vault.end_sessions_at(msgspec.structs.replace(known, number=number).enrolment_of(device))

    async def settle(self) -> None:
        """Wait until every lock-out is on record, or cannot be."""
        await asyncio.gather(*self._recording)

    def roles(self, session: StaffSession) -> tuple[Role, ...]:
        return self._desk.state.staff.get(session.person, ())

    def idle_ms(self, session: StaffSession) -> int:
        known = self._desk.state.enrolled(session.device)
        at_a_console = known is not None and known.kind is DeviceKind.CONSOLE
        return self.terms.console_idle_ms if at_a_console else self.terms.desk_idle_ms

    async def _prove(self, person: str, pin: str, place: str, *, may: bool = True) -> None:
        """Check a PIN. An unknown person, one without a PIN and one who is locked out take the same work."""
        house = self._desk.state
        known = bool(house.staff.get(person)) and person not in house.locked_out
        counted = person if known else NOBODY
        here, everywhere, everybody = self._guards(counted, place)
        counts = await self._count(here, everybody, everywhere)
        hashed = await self._vault.pin_of(counted)
        right = await self._hasher.agrees(hashed, pin)
        if may and known and right and hashed is not None and all(count.is_counted for count in counts.values()):
            await self._vault.forget_guesses(person, place)
            if self._hasher.is_outdated(hashed):
                await self._vault.set_pin(person, await self._hasher.hash(pin))
            return
        log.warning("a sign-on was refused", person=person, place=place)
        if known:
            self._lock_out(here, place, counts)
            self._lock_out(everywhere, "", counts)
        if everybody in counts and counts[everybody].until_ms:
            log.error("too many wrong PINs at one place, which takes none for now", place=place)
        raise refusal(WebCause.SIGN_ON_REFUSED)

    def _guards(self, person: str, place: str) -> tuple[Guard, Guard, Guard]:
        series, terms = self._desk.state.unlocks.get(person, 0), self.terms
        return (
            Guard(person, place, series, terms.wrong_pins),
            Guard(person, ANY, series, terms.wrong_pins_of_a_person),
            Guard(ANY, place, 0, terms.wrong_pins_at_a_place),
        )

    async def _count(self, *guards: Guard) -> dict[Guard, GuessCount]:
        """Count an attempt at every guard. Where one has no room the others count nothing: who tries on at a console
        that is locked must not lock the person everywhere."""
        counts: dict[Guard, GuessCount] = {}
        for guard in guards:
            if all(count.is_counted for count in counts.values()):
                counts[guard] = await self._vault.count_guess(guard, self._now_ms())
            else:
                await self._vault.look_at_guesses(guard)
        return counts

    def _lock_out(self, guard: Guard, console: str, counts: Mapping[Guard, GuessCount]) -> None:
        """Have the house record a lock-out. Nobody waits for it, or a name that exists would be answered later."""
        count = counts.get(guard)
        if count is None or not count.until_ms:
            return
        act = LockOut(person=guard.person, failures=count.failures, console=console, until_ms=count.until_ms)
        recording = asyncio.get_running_loop().create_task(self._record(act))
        self._recording.add(recording)
        recording.add_done_callback(self._recording.discard)

    async def _record(self, act: LockOut) -> None:
        try:
            await self._desk.ask(act, clock_stamp())
        except Unreachable as unreachable:
            log.warning("a lock-out is not on record", person=act.person, why=str(unreachable))

    async def _live(self, token: str, belongs: Callable[[StaffSession], bool], seen_at: str) -> StaffSession:
        if not token:
            raise refusal(WebCause.SIGN_ON_FIRST)
        session = await self._vault.session(digest_of(token))
        if session is None:
            raise refusal(WebCause.SESSION_OVER)
        if not belongs(session):
            await self._vault.end_session(session.digest)
            log.error(
                "a token came from another console or address",
                person=session.person,
                made_at=_made_at(session),
                came_from=seen_at,
            )
            raise refusal(WebCause.TOKEN_FROM_ELSEWHERE)
        if self._is_over(session):
            await self._vault.end_session(session.digest)
            raise refusal(WebCause.SESSION_OVER)
        await self._note(session)
        return session

    async def _note(self, session: StaffSession) -> None:
        """Record activity, but only after an eighth of the idle time, to save writes."""
        now = self._now_ms()
        if now - session.seen_ms >= self.idle_ms(session) // 8:
            await self._vault.see_session(session.digest, now)

    def _is_over(self, session: StaffSession) -> bool:
        now = self._now_ms()
        idle = abs(now - session.seen_ms) >= self.idle_ms(session)  # A clock that was ahead leaves nobody signed on.
        gone = bool(session.device) and not self._takes_pins(session.device)
        return idle or gone or now >= session.expires_ms or not self._desk.state.staff.get(session.person)

    def _takes_pins(self, enrolment: str) -> bool:
        known = self._desk.state.enrolled(enrolment)
        return known is not None and known.kind in TAKE_PINS


async def set_pin(vault: Vault, hasher: PinHasher, person: str, pin: str) -> None:
    """Set a person's PIN; one that is easy to guess is refused."""
    why = weakness(pin)
    if why is not None:
        raise refusal(WebCause.WEAK_PIN, why=why)
    await vault.set_pin(person, await hasher.hash(pin))
    await vault.forget_guesses_of(person)


def _made_at(session: StaffSession) -> str:
    return session.device or session.address
