"""The identities of a floor that no server serves: a real house and vault, and a clock that the test turns.

HTTP operations are asked without a socket, so that an address may be anybody's.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from sabot.basics.at_once import at_once
from sabot.basics.stamp import Stamp
from sabot.client.key import DeviceKey
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.records.record_codec import HOUSE
from sabot.floor.shared_owner.kinds import HouseDecision
from sabot.house.acts import HouseAct
from sabot.house.state import HouseState
from sabot.table.fixtures import fixture
from sabot.web.http.desks import Desks
from sabot.web.http.identity_routes import IdentityRoutes
from sabot.web.http.openapi import description
from sabot.web.http.operation import Gate, on_http_exception
from sabot.web.http.protection import Protection
from sabot.web.http.refusal import Refusal
from sabot.web.identity.device_key import fingerprint, from_base64url
from sabot.web.identity.identities import Identities
from sabot.web.identity.pin import PinHasher
from sabot.web.identity.vault import Vault
from sabot.web.socket.rates import Rate
from tests.cli.loaded import CHEAP
from tests.house.talking import say_all
from tests.served.device import FLOOR
from tests.served.staff import vault_in

ORIGIN = "http://127.0.0.1:8080"
UNHURRIED = Rate(at_once=10_000, a_minute=600_000)


class Clock:
    def __init__(self) -> None:
        self.now_ms = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now_ms


class LineDesk:
    """The house of a conversation, for the web to ask."""

    def __init__(self, table: LineTable, clock: Clock) -> None:
        self.table, self._clock = table, clock

    @property
    def state(self) -> HouseState:
        return self.table.floor.house

    @property
    def version(self) -> int:
        """How many records the house has."""
        return at_once(self.table.floor.backing.journal.head(HOUSE)).version

    async def ask(self, act: HouseAct, stamp: Stamp) -> HouseDecision:
        return await self.table.floor.ask_house(act, stamp, self._clock())


def mark(key: DeviceKey) -> str:
    """What the house knows a device's key by."""
    return fingerprint(from_base64url(key.public))


class Floor:
    """A house with a table and its staff, whom the vault knows."""

    def __init__(self, vault: Vault) -> None:
        self.clock, self.vault = Clock(), vault
        self.table = LineFloor().enter(fixture("crown"))
        self.desk, self.hasher = LineDesk(self.table, self.clock), PinHasher(CHEAP)
        say_all(self.table, "operator appoint OP1 operator")
        self.identities = Identities(vault, self.desk, self.hasher, self.clock, FLOOR)

    def asked_of_the_vault(self) -> list[str]:
        """Every statement that the vault is asked from now on."""
        asked, store = list[str](), self.vault._store  # noqa: SLF001
        fetch = store.fetch

        async def noted(statement: str, *values: str | int) -> list[tuple[Any, ...]]:
            asked.append(statement)
            return await fetch(statement, *values)

        store.fetch = noted  # type: ignore[method-assign]
        return asked

    def enrol(self, device: str, kind: str, key: str) -> None:
        say_all(self.table, f"TE1 enrol {device} {kind} {key} ATS-1 second=CS1")

    def app(
        self,
        usual: Rate = UNHURRIED,
        guarded: Rate = UNHURRIED,
        *,
        tls: bool = False,
        desks: tuple[str, ...] = ("10.0.0.0/8",),
    ) -> Protection:
        operations = IdentityRoutes(self.identities, Desks(desks), guarded).operations()
        described = description(operations, "Identities", "1")

        async def openapi(request: Request) -> JSONResponse:  # noqa: ARG001  Everybody is told the same.
            return JSONResponse(described)

        gate = Gate(self.identities.sessions, self.identities.services, self.clock, usual, guarded)
        routes = [*gate.routes(operations), Route("/openapi.json", openapi)]
        app = Starlette(routes=routes, exception_handlers={HTTPException: on_http_exception})
        return Protection(app, [ORIGIN], tls=tls)


@asynccontextmanager
async def a_floor(folder: Path) -> AsyncIterator[Floor]:
    async with vault_in(folder) as vault:
        yield Floor(vault)


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
