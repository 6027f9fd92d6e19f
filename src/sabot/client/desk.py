"""The floor's desk over HTTP: signing on, the house's commands, and enrolling a device.

These are a few requests in a device's life, so the standard library does, in a thread of its own.
"""

import asyncio
import http.client
import ssl
from collections.abc import Mapping
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import msgspec

from sabot.client.key import DeviceKey
from sabot.client.outcome import NotTaken, Refused
from sabot.table.refusal import Refused as Refusal

WITHIN_S = 15.0
SECOND = "Sabot-Second"
"""The header with the token of whoever approves."""
T = TypeVar("T")


class SignedOn(msgspec.Struct, frozen=True, kw_only=True):
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
    """To be shown on the device, for two persons to read."""
    expires_ms: int


class Enrolment(msgspec.Struct, frozen=True, kw_only=True):
    status: str
    """waiting, enrolled or refused."""
    device: str = ""


class Enrolled(msgspec.Struct, frozen=True, kw_only=True):
    device: str
    kind: str
    table: str
    station: str = ""


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

    async def sign_on(self, person: str, pin: str, device: str = "") -> SignedOn:
        """`device` is the console that it happens at; the token is then good there alone."""
        body = {"person": person, "pin": pin, "device": device}
        return _read(await self._ask("POST", "/api/sign-on", body=body), SignedOn)

    async def sign_off(self, token: str) -> None:
        await self._ask("POST", "/api/sign-off", token=token)

    async def approve(self, token: str, person: str, pin: str, act: str) -> Approved:
        """A second person approves one act of whoever is signed on, named by its verb."""
        body = {"person": person, "pin": pin, "act": act}
        return _read(await self._ask("POST", "/api/approvals", body=body, token=token), Approved)

    async def house(self, command: Mapping[str, Any], token: str, second: str = "") -> Any:
        """Ask something of the house; the command has its verb under `do`."""
        return msgspec.json.decode(await self._ask("POST", "/api/house", body=command, token=token, second=second))

    # Devices

    async def accept(self, invitation: str, key: DeviceKey) -> Enrolled:
        """Enrol at once, by an invitation."""
        path = f"/api/invitations/{quote(invitation, safe='')}"
        return _read(await self._ask("POST", path, body={"key": key.public}), Enrolled)

    async def ask_to_enrol(self, kind: str, key: DeviceKey) -> AskedToEnrol:
        return _read(await self._ask("POST", "/api/enrolments", body={"kind": kind, "key": key.public}), AskedToEnrol)

    async def enrolment(self, identity: str) -> Enrolment:
        return _read(await self._ask("GET", f"/api/enrolments/{quote(identity, safe='')}"), Enrolment)

    async def until_enrolled(self, identity: str, every_s: float = 2.0) -> str:
        """Wait for two persons to read the code; the name that they gave the device, or nothing if they refused it."""
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
        return NotTaken(str(status), f"the floor answered {status}")
    return Refused(Refusal(no.code, no.clause, no.text))
