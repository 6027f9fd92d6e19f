"""The HTTP interface of a floor: signing on, commands to the house, and enrolling a device.

Requests are rare, so the standard library's client in a thread is enough.
"""

import asyncio
import http.client
import ssl
from collections.abc import Mapping
from typing import Any, Literal, TypeVar
from urllib.parse import quote, urlsplit

import msgspec

from sabot.client.key import DeviceKey
from sabot.client.outcome import CommandRefused, FrameNotTaken
from sabot.house.state import DeviceKind
from sabot.table.refusal import Refused

WITHIN_S = 15.0
SECOND = "Sabot-Second"
"""The header with the token of a second person's approval."""
T = TypeVar("T")


class StaffToken(msgspec.Struct, frozen=True, kw_only=True):
    token: str
    person: str
    roles: tuple[str, ...]
    expires_ms: int


class Approved(msgspec.Struct, frozen=True, kw_only=True):
    token: str
    expires_ms: int


class AskedToEnrol(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    code: str
    """Shown on the device, for two persons to read."""
    expires_ms: int


class Enrolment(msgspec.Struct, frozen=True, kw_only=True):
    status: Literal["waiting", "enrolled", "refused"]
    device: str = ""


class Enrolled(msgspec.Struct, frozen=True, kw_only=True):
    device: str
    kind: DeviceKind
    table: str
    station: str = ""


class _Challenge(msgspec.Struct, frozen=True, kw_only=True):
    nonce: str
    floor: str


class _No(msgspec.Struct, frozen=True):
    code: str
    text: str
    clause: str = ""


class Desk:
    def __init__(self, url: str, tls: ssl.SSLContext | None = None) -> None:
        self._parts, self._tls = urlsplit(url), tls
        if self._parts.scheme not in ("http", "https") or self._parts.hostname is None:
            raise ValueError(f"{url} is no address of a floor: https://host:port")

    # Staff

    async def sign_on(self, person: str, pin: str, device: str = "", key: DeviceKey | None = None) -> StaffToken:
        """`device` is the console or desk at which the person signs on, which proves its key; the token is valid there
        alone. A desk that the floor's file lists by its address needs no key."""
        body = {"person": person, "pin": pin, "device": device}
        if key is not None:
            given = _read(await self._ask("POST", "/api/challenge"), _Challenge)
            body |= {"nonce": given.nonce, "signature": key.prove(given.floor, given.nonce)}
        return _read(await self._ask("POST", "/api/sign-on", body=body), StaffToken)

    async def sign_off(self, token: str) -> None:
        await self._ask("POST", "/api/sign-off", token=token)

    async def approve(self, token: str, person: str, pin: str, act: str) -> Approved:
        """A second person approves one act of the signed-on person, named by its verb."""
        body = {"person": person, "pin": pin, "act": act}
        return _read(await self._ask("POST", "/api/approvals", body=body, token=token), Approved)

    async def house(self, command: Mapping[str, Any], token: str, second: str = "") -> Any:
        """Give the house a command, whose verb is under `do`."""
        return msgspec.json.decode(await self._ask("POST", "/api/house", body=command, token=token, second=second))

    # Devices

    async def accept(self, invitation: str, key: DeviceKey) -> Enrolled:
        """Enrol at once by an invitation."""
        path = f"/api/invitations/{quote(invitation, safe='')}"
        return _read(await self._ask("POST", path, body={"key": key.public}), Enrolled)

    async def ask_to_enrol(self, kind: DeviceKind, key: DeviceKey) -> AskedToEnrol:
        return _read(await self._ask("POST", "/api/enrolments", body={"kind": kind, "key": key.public}), AskedToEnrol)

    async def enrolment(self, identity: str) -> Enrolment:
        return _read(await self._ask("GET", f"/api/enrolments/{quote(identity, safe='')}"), Enrolment)

    async def until_enrolled(self, identity: str, every_s: float = 2.0) -> str:
        """Wait until two persons have read the code; the device's name, or nothing if they refused it."""
        while (enrolment := await self.enrolment(identity)).status == "waiting":
            await asyncio.sleep(every_s)
        return enrolment.device

    # HTTP

    async def _ask(
        self,
        method: str,
        path: str,
        *,
        body: Mapping[str, Any] | None = None,
        token: str = "",
        second: str = "",
    ) -> bytes:
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if second:
            headers[SECOND] = second
        content = None if body is None else msgspec.json.encode(body)
        status, said = await asyncio.to_thread(self._carry, method, path, headers, content)
        if status >= http.client.BAD_REQUEST:
            raise _refusal(status, said)
        return said

    def _carry(self, method: str, path: str, headers: dict[str, str], content: bytes | None) -> tuple[int, bytes]:
        host, port = self._parts.hostname or "", self._parts.port
        connection = (
            http.client.HTTPSConnection(host, port, timeout=WITHIN_S, context=self._tls)
            if self._parts.scheme == "https"
            else http.client.HTTPConnection(host, port, timeout=WITHIN_S)
        )
        try:
            connection.request(method, path, content, headers)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()


def _read(said: bytes, kind: type[T]) -> T:
    return msgspec.json.decode(said, type=kind)


def _refusal(status: int, said: bytes) -> Exception:
    try:
        no = msgspec.json.decode(said, type=_No)
    except msgspec.MsgspecError:
        return FrameNotTaken(str(status), f"the floor answered {status}")
    return CommandRefused(Refused(no.code, no.clause, no.text))
