"""Enrolments: how a device becomes one of the floor's, and how it shows at every connection that it is the one.

A device makes its key, asks, and shows a code. Two persons stand before it, one of them types the code, and the house
enrols the key's fingerprint. The code ties the screen that they look at to the key that asked: somebody else's request
shows another code. For a demo or a training room two persons may write an invitation beforehand, good for one device.
"""

import secrets
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from sabot.floor.authority import Signed, stamp_for_the_house
from sabot.house.commands import Reference
from sabot.house.refusal import Refused as HouseRefused
from sabot.house.state import Device
from sabot.table.refusal import Refused
from sabot.web.http.house_desk import HouseDesk
from sabot.web.http.refusal import Cause, passed_on, refusal
from sabot.web.identity.device_key import (
    BadDeviceKey,
    fingerprint,
    from_base64url,
    is_signed,
    read_public_key,
    to_base64url,
)
from sabot.web.identity.sessions import MINUTES, digest_of
from sabot.web.identity.vault import Enrolment, Vault
from sabot.wire.frames import proof_text

LETTERS = "34679ACDEFHJKMNPRTWXY"
"""No two of them look or sound alike."""
CODE_LENGTH = 8
ID_BYTES = 16
NONCE_BYTES = 32
WAITING_MS = 10 * MINUTES
INVITED_MS = 60 * MINUTES
MOST_TRIES = 3
MOST_WAITING = 100
MOST_WAITING_FROM_ONE_PLACE = 10


class Granted(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What two persons say of a device when they enrol it."""

    device: Reference
    table: str
    approval: str
    """The reference of its approval."""
    station: Reference | None = None
    remote: bool = False


class Invitation(Granted, frozen=True, forbid_unknown_fields=True, kw_only=True):
    kind: str
    by: str
    second: str


class Asked(NamedTuple):
    """A device's request, and the one time that its code is seen."""

    code: str
    enrolment: Enrolment


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def read_code(typed: str) -> str:
    """A code as people type it: small letters, blanks and dashes do not matter."""
    return typed.upper().replace("-", "").replace(" ", "")


class Enrolments:
    def __init__(self, vault: Vault, desk: HouseDesk, now_ms: Callable[[], int], floor: str) -> None:
        self._vault, self._desk, self._now_ms, self.floor = vault, desk, now_ms, floor

    async def ask(self, kind: str, key: str, address: str) -> Asked:
        """A device asks to be enrolled; nobody is told its code but the device."""
        public_key = _read(key)
        waiting = await self.waiting()
        if (
            len(waiting) >= MOST_WAITING
            or sum(one.address == address for one in waiting) >= MOST_WAITING_FROM_ONE_PLACE
        ):
            raise refusal(Cause.TOO_MANY_WAIT)
        identity, code = secrets.token_urlsafe(ID_BYTES), new_code()
        expires = self._now_ms() + WAITING_MS
        enrolment = Enrolment(identity, kind, to_base64url(public_key), digest_of(identity + code), address, expires)
        await self._vault.ask_to_enrol(enrolment)
        return Asked(code, enrolment)

    async def waiting(self) -> list[Enrolment]:
        return await self._vault.waiting(self._now_ms())

    async def look(self, identity: str) -> Enrolment:
        """How it stands with a request; its id is known to the device that asked and to those who enrol."""
        found = await self._vault.enrolment(identity)
        if found is None or (found.status == "waiting" and found.expires_ms <= self._now_ms()):
            raise refusal(Cause.UNKNOWN_ENROLMENT)
        return found

    async def grant(self, identity: str, code: str, granted: Granted, signed: Signed) -> Device:
        """Two persons enrol the device whose code they read; too many wrong codes settle the matter against it."""
        found = await self.look(identity)
        tries = await self._vault.try_code(identity)
        if not tries:
            raise refusal(Cause.UNKNOWN_ENROLMENT)
        if not secrets.compare_digest(digest_of(identity + read_code(code)), found.code):
            if tries >= MOST_TRIES:
                await self._vault.settle_enrolment(identity, "refused")
            raise refusal(Cause.WRONG_CODE)
        device = await self._enrol(found.kind, from_base64url(found.public_key), granted, signed)
        await self._vault.settle_enrolment(identity, "enrolled", granted.device)
        return device

    async def turn_away(self, identity: str) -> None:
        if not await self._vault.settle_enrolment(identity, "refused"):
            raise refusal(Cause.UNKNOWN_ENROLMENT)

    async def invite(self, kind: str, granted: Granted, signed: Signed, lasts_ms: int = INVITED_MS) -> str:
        """A code that enrols one device at once, in the name of the two who wrote the invitation."""
        code = new_code() + new_code()
        said = {name: getattr(granted, name) for name in Granted.__struct_fields__}
        words = Invitation(kind=kind, by=signed.person, second=signed.second, **said)
        await self._vault.keep_invitation(
            digest_of(code), msgspec.json.encode(words).decode(), self._now_ms() + lasts_ms
        )
        return code

    async def accept(self, code: str, key: str) -> tuple[str, Device]:
        """Enrol whoever brings an invitation; whether those two may is asked now, not when they wrote it."""
        public_key = _read(key)
        words = await self._vault.take_invitation(digest_of(read_code(code)), self._now_ms())
        if words is None:
            raise refusal(Cause.UNKNOWN_INVITATION)
        invitation = msgspec.json.decode(words, type=Invitation)
        signed = Signed(invitation.by, invitation.second)
        return invitation.device, await self._enrol(invitation.kind, public_key, invitation, signed)

    def challenge(self) -> str:
        """What a device must sign; drawn for one connection, and good for no other."""
        return secrets.token_urlsafe(NONCE_BYTES)

    async def prove(self, device: str, nonce: str, signature: str) -> Device:
        """The device as it was enrolled, once it has signed the challenge with its key."""
        known = self._desk.state.devices.get(device)
        key = await self._vault.key(known.key) if known is not None and not known.revoked else None
        if known is None or key is None or not is_signed(from_base64url(key), proof_text(self.floor, nonce), signature):
            raise refusal(Cause.PROOF_FAILED)
        return known

    async def _enrol(self, kind: str, public_key: bytes, granted: Granted, signed: Signed) -> Device:
        mark = fingerprint(public_key)
        line: dict[str, Any] = {"do": "enrol", "kind": kind, "key": mark, "device": granted.device}
        line |= {"table": granted.table, "approval": granted.approval, "remote": granted.remote}
        if granted.station is not None:
            line["station"] = granted.station
        command = stamp_for_the_house(line, signed, self._desk.state, self._desk.signed_on, self._now_ms())
        if isinstance(command, Refused):
            raise passed_on(command)
        await self._vault.keep_key(mark, to_base64url(public_key))  # First: an enrolled key that nobody has is no use.
        decision = await self._desk.ask(command)
        if isinstance(decision, HouseRefused):
            raise passed_on(decision)
        return self._desk.state.devices[granted.device]


def _read(key: str) -> bytes:
    try:
        return read_public_key(key)
    except BadDeviceKey as bad:
        raise refusal(Cause.BAD_KEY, why=bad) from None
