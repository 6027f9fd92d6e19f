"""Enrolments: how a device is admitted to a floor, and how it proves its identity at every connection.

A device makes its key, asks, and shows a code. Two persons stand before it, one of them types the code, and the house
enrols the key's fingerprint. The code ties the screen before them to the key that asked: the request of another device
has another code. For a demo or a training room two persons may write an invitation in advance, valid for one device.
"""

import secrets
from collections.abc import Callable, Mapping
from typing import NamedTuple

import msgspec

from sabot.basics.act import Reference
from sabot.basics.mistake import told_of
from sabot.floor.stamper import Giver, stamp_for_house
from sabot.house.acts import Enrol, FurtherPlaces
from sabot.house.refusal import HouseRefused
from sabot.house.state import DeviceKind, EnrolledDevice
from sabot.table.configuration import Configuration
from sabot.table.refusal import Refused
from sabot.web.http.house_access import HouseAccess
from sabot.web.http.refusal import WebCause, passed_on, refusal
from sabot.web.identity.challenges import Challenges
from sabot.web.identity.device_key import (
    BadPublicKey,
    fingerprint,
    from_base64url,
    is_signed,
    new_public_key,
    read_public_key,
    to_base64url,
)
from sabot.web.identity.places import place_at
from sabot.web.identity.sessions import MINUTES, digest_of
from sabot.web.identity.vault import EnrolmentRequest, EnrolmentStatus, Vault
from sabot.web.identity.waiting_list import giving_way, newest_of_each
from sabot.wire.frames import proof_text

LETTERS = "34679ACDEFHJKMNPRTWXY"
"""Letters and digits of which no two look or sound alike."""
CODE_LENGTH = 8
ID_BYTES = 16
WAITING_MS = 10 * MINUTES
INVITED_MS = 60 * MINUTES
MOST_TRIES = 3


class Granted(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What two persons state about a device when they enrol it. What they leave out the table's file says."""

    device: Reference | None = None
    table: str = ""
    approval: str = ""
    """The reference of its approval."""
    station: Reference | None = None
    remote: bool = False
    places: FurtherPlaces = {}
    """The stations that it is at further tables, by table, where the house allows that."""


class Invitation(Granted, frozen=True, forbid_unknown_fields=True, kw_only=True):
    kind: DeviceKind
    by: str
    second: str


class NewEnrolment(NamedTuple):
    """A device's request with its code, which is not stored."""

    code: str
    enrolment: EnrolmentRequest


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def read_code(typed: str) -> str:
    """A code as people type it: small letters, blanks and dashes do not matter."""
    return typed.upper().replace("-", "").replace(" ", "")


class Enrolments:
    def __init__(self, vault: Vault, desk: HouseAccess, now_ms: Callable[[], int], floor: str) -> None:
        self._vault, self._desk, self._now_ms, self.floor = vault, desk, now_ms, floor
        self.tables: Mapping[str, Configuration] = {}
        """As their files declare them, where the floor has said so."""
        self.challenges = Challenges(now_ms)
        self._decoy = new_public_key()
        """Checked for a device that is not enrolled, so that the answer takes as long."""

    async def ask(self, kind: DeviceKind, key: str, address: str) -> NewEnrolment:
        """Keep a device's request to be enrolled; only the device is told its code.

        Where there is no room the greediest give way, so nobody who asks often keeps an honest device out.
        """
        public_key = _read(key)
        for gives_way in giving_way(await self._vault.waiting(self._now_ms()), address):
            await self._vault.drop_enrolment(gives_way.id)
        identity, code = secrets.token_urlsafe(ID_BYTES), new_code()
        expires = self._now_ms() + WAITING_MS
        enrolment = EnrolmentRequest(
            identity, kind, to_base64url(public_key), digest_of(identity + code), address, expires
        )
        await self._vault.ask_to_enrol(enrolment)
        return NewEnrolment(code, enrolment)

    async def waiting(self) -> list[EnrolmentRequest]:
        """The devices that wait: of every address the newest first, so that one address fills no page."""
        return newest_of_each(await self._vault.waiting(self._now_ms()))

    async def look(self, identity: str) -> EnrolmentRequest:
        """The request under an id, which the device that asked and the persons who enrol know."""
        found = await self._vault.enrolment(identity)
        if found is None or (found.status is EnrolmentStatus.WAITING and found.expires_ms <= self._now_ms()):
            raise refusal(WebCause.UNKNOWN_ENROLMENT)
        return found

    async def grant(self, identity: str, code: str, granted: Granted, giver: Giver) -> tuple[str, EnrolledDevice]:
        """Two persons enrol the device whose code they read; too many wrong codes settle the matter against it."""
        found = await self.look(identity)
        tries = await self._vault.try_code(identity)
        if not tries:
            raise refusal(WebCause.UNKNOWN_ENROLMENT)
        if not secrets.compare_digest(digest_of(identity + read_code(code)), found.code):
            if tries >= MOST_TRIES:
                await self._vault.settle_enrolment(identity, EnrolmentStatus.REFUSED)
            raise refusal(WebCause.WRONG_CODE)
        granted = self.completed(found.kind, granted)
        name, device = await self._enrol(found.kind, from_base64url(found.public_key), granted, giver)
        await self._vault.settle_enrolment(identity, EnrolmentStatus.ENROLLED, name)
        return name, device

    async def turn_away(self, identity: str) -> None:
        if not await self._vault.settle_enrolment(identity, EnrolmentStatus.REFUSED):
            raise refusal(WebCause.UNKNOWN_ENROLMENT)

    async def turn_away_all(self, address: str) -> None:
        """Every device that asked from an address."""
        for one in await self._vault.waiting(self._now_ms()):
            if one.address == address:
                await self._vault.settle_enrolment(one.id, EnrolmentStatus.REFUSED)

    async def invite(self, kind: DeviceKind, granted: Granted, giver: Giver, lasts_ms: int = INVITED_MS) -> str:
        """A code that enrols one device at once, in the name of the two who wrote the invitation."""
        granted = self.completed(kind, granted)
        said = {name: getattr(granted, name) for name in Granted.__struct_fields__}
        words = Invitation(kind=kind, by=giver.by, second=giver.second, **said)
        return await keep_invitation(self._vault, words, self._now_ms() + lasts_ms)

    def completed(self, kind: DeviceKind, granted: Granted) -> Granted:
        """With name, approval and whether it is remote, where the table's file declares the place and nobody said."""
        configuration = self.tables.get(granted.table)
        place = place_at(configuration, kind, granted.station or granted.device or "") if configuration else None
        if place is None:
            return granted
        return msgspec.structs.replace(
            granted,
            device=granted.device or place.device,
            station=granted.station or place.station or None,
            approval=granted.approval or place.approval,
            remote=granted.remote or place.remote,
        )

    async def look_at_invitation(self, code: str) -> Invitation:
        """What an invitation is for; it stays good."""
        words = await self._vault.invitation(digest_of(read_code(code)), self._now_ms())
        if words is None:
            raise refusal(WebCause.UNKNOWN_INVITATION)
        return msgspec.json.decode(words, type=Invitation)

    async def accept(self, code: str, key: str) -> tuple[str, EnrolledDevice]:
        """Enrol the device that brings an invitation. Whether its two persons may enrol is checked now."""
        public_key = _read(key)
        words = await self._vault.take_invitation(digest_of(read_code(code)), self._now_ms())
        if words is None:
            raise refusal(WebCause.UNKNOWN_INVITATION)
        invitation = msgspec.json.decode(words, type=Invitation)
        giver = Giver(invitation.by, invitation.second)
        return await self._enrol(invitation.kind, public_key, invitation, giver)

    async def prove_over_http(self, device: str, nonce: str, signature: str) -> EnrolledDevice:
        """The same for a challenge that was given over HTTP, which is good once."""
        is_open = self.challenges.is_open(nonce)
        known = await self.prove(device, nonce, signature)
        if not is_open or not self.challenges.is_open(nonce):
            raise refusal(WebCause.PROOF_FAILED)
        self.challenges.use(nonce)
        return known

    async def prove(self, device: str, nonce: str, signature: str) -> EnrolledDevice:
        """The enrolled device that has signed the challenge with its key.

        A name that nobody has, a revoked one and a wrong signature take the same work and get the same answer, so that
        names cannot be probed. Whether the enrolment holds is asked once more when the vault has answered.
        """
        known = self._desk.state.devices.get(device)
        holds = known is not None and not known.revoked
        key = await self._vault.key(known.key if known is not None and holds else "")
        is_right = is_signed(
            self._decoy if key is None else from_base64url(key), proof_text(self.floor, nonce), signature
        )
        if known is None or not holds or key is None or not is_right or self._desk.state.devices.get(device) != known:
            raise refusal(WebCause.PROOF_FAILED)
        return known

    async def _enrol(
        self, kind: DeviceKind, public_key: bytes, granted: Granted, giver: Giver
    ) -> tuple[str, EnrolledDevice]:
        mark = fingerprint(public_key)
        said = {name: getattr(granted, name) for name in Granted.__struct_fields__}
        said = {**said, "kind": kind, "key": mark}
        try:
            act = msgspec.convert(said, Enrol)
        except msgspec.ValidationError as error:
            raise passed_on(Refused("malformed", "", f"enrol: {told_of(error, Enrol, said)}")) from None
        stamp = stamp_for_house(Enrol, giver, self._desk.state)
        await self._vault.keep_key(mark, to_base64url(public_key))  # First: an enrolled key that nobody has is no use.
        decision = await self._desk.ask(act, stamp)
        if isinstance(decision, HouseRefused):
            raise passed_on(decision)
        return act.device, self._desk.state.devices[act.device]


async def keep_invitation(vault: Vault, words: Invitation, expires_ms: int) -> str:
    """The code of an invitation, which is not stored."""
    code = new_code() + new_code()
    await vault.keep_invitation(digest_of(code), msgspec.json.encode(words).decode(), expires_ms)
    return code


def _read(key: str) -> bytes:
    try:
        return read_public_key(key)
    except BadPublicKey as bad:
        raise refusal(WebCause.BAD_KEY, why=bad) from None
