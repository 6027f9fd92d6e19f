"""A floor to test identities on: a real house and table, a real vault, a clock that the test turns."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from argon2 import PasswordHasher
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from sabot.floor.pit import Pit, PitTable
from sabot.house.commands import Command
from sabot.house.events import HouseEvent
from sabot.house.refusal import Refused
from sabot.house.state import HouseState
from sabot.rules.role import Role
from sabot.table.fixtures import fixture
from sabot.web.device_key import fingerprint, to_base64url
from sabot.web.identities import Identities
from sabot.web.identity_routes import IdentityRoutes
from sabot.web.openapi import description
from sabot.web.operation import Gate, on_http_exception
from sabot.web.pin import PinHasher
from sabot.web.protection import Protection
from sabot.web.rates import Rate
from sabot.web.refusal import Refusal
from sabot.web.sessions import set_pin
from sabot.web.vault import Vault
from sabot.web.vault_sqlite import open_vault
from sabot.wire.frames import proof_text
from tests.house.talking import say_all

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""The same algorithm with next to no work, since a test signs on many times."""
PINS = {"CS1": "482913", "GS1": "730164", "D1": "905527", "TE1": "268041", "OP1": "591830", "CA1": "640297"}
ORIGIN = "http://127.0.0.1:8080"
FLOOR = "test floor"
UNHURRIED = Rate(at_once=10_000, a_minute=600_000)


class Clock:
    def __init__(self) -> None:
        self.now_ms = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now_ms


class PitDesk:
    """The house of a pit, for the web to ask."""

    def __init__(self, table: PitTable) -> None:
        self.table, self.pit = table, table.pit

    @property
    def state(self) -> HouseState:
        return self.pit.house

    @property
    def signed_on(self) -> Mapping[str, Role]:
        return self.table.state.signed_on

    async def ask(self, command: Command) -> tuple[HouseEvent, ...] | Refused:
        return self.pit.ask(command)


class Key:
    """A device's key pair, as a browser makes it."""

    def __init__(self) -> None:
        self._private = generate_private_key(SECP256R1())
        self.spki = self._private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        self.public = to_base64url(self.spki)

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.spki)

    def sign(self, text: bytes) -> str:
        r, s = decode_dss_signature(self._private.sign(text, ECDSA(SHA256())))
        return to_base64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))

    def prove(self, nonce: str, floor: str = FLOOR) -> str:
        return self.sign(proof_text(floor, nonce))


class Floor:
    def __init__(self, vault: Vault) -> None:
        self.clock, self.vault = Clock(), vault
        self.table = Pit(now_ms=self.clock.now_ms).enter(fixture("crown"))
        self.desk, self.hasher = PitDesk(self.table), PinHasher(CHEAP)
        say_all(self.table, "operator appoint OP1 operator")
        self.identities = Identities(vault, self.desk, self.hasher, self.clock, FLOOR)

    async def prepare(self) -> None:
        for person, pin in PINS.items():
            await set_pin(self.vault, self.hasher, person, pin)

    def enrol(self, device: str, kind: str, key: str) -> None:
        say_all(self.table, f"TE1 enrol {device} {kind} {key} ATS-1 second=CS1")

    def app(self, usual: Rate = UNHURRIED, guarded: Rate = UNHURRIED, *, tls: bool = False) -> Protection:
        operations = IdentityRoutes(self.identities).operations()
        described = description(operations, "Identities", "1")

        async def openapi(request: Request) -> JSONResponse:  # noqa: ARG001  Everybody is told the same.
            return JSONResponse(described)

        gate = Gate(self.identities.sessions, self.clock, usual, guarded)
        routes = [*gate.routes(operations), Route("/openapi.json", openapi)]
        app = Starlette(routes=routes, exception_handlers={HTTPException: on_http_exception})
        return Protection(app, [ORIGIN], tls=tls)


@asynccontextmanager
async def a_floor(folder: Path) -> AsyncIterator[Floor]:
    async with open_vault(folder / "vault") as vault:
        floor = Floor(vault)
        await floor.prepare()
        yield floor


def on_a_floor(folder: Path, test: Callable[[Floor], Awaitable[None]]) -> None:
    async def prepared() -> None:
        async with a_floor(folder) as floor:
            await test(floor)

    asyncio.run(prepared())


async def refused(what: Awaitable[object]) -> str:
    """The code of the refusal, which there must be."""
    with pytest.raises(Refusal) as no:
        await what
    assert no.value.text
    return no.value.code


def client(app: Protection, address: str = "10.0.0.1") -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app, client=(address, 5000)), base_url=ORIGIN)
