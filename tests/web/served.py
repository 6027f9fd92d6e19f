"""A floor behind real sockets, with enrolled devices: what every test of the wire stands on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from argon2 import PasswordHasher
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket
from websockets.asyncio.client import ClientConnection, connect

from sabot.client.key import DeviceKey
from sabot.floor.authority import Signed
from sabot.house.commands import Revoke
from sabot.house.refusal import Refused
from sabot.journal.journal import Journal
from sabot.rules.role import Role
from sabot.running.floor import RunningFloor
from sabot.table.configuration import Configuration
from sabot.web.enrolments import Granted
from sabot.web.entrance import Entrance, FloorDesk
from sabot.web.identities import Identities
from sabot.web.pin import PinHasher
from sabot.web.rates import Rates
from sabot.web.sessions import set_pin
from sabot.web.socket import Limits, Socket
from sabot.web.vault_sqlite import open_vault
from tests.running.floors import backing, until, wall_ms

CHEAP = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
PINS = {"D1": "713905", "GS1": "260418", "CS1": "905137"}
SUPERVISORS = Signed("CS1", "GS1")


class Served:
    """A floor that listens."""

    def __init__(self, floor: RunningFloor, identities: Identities, port: int) -> None:
        self.floor, self.identities = floor, identities
        self.url = f"ws://127.0.0.1:{port}/ws"
        self.keys: dict[str, DeviceKey] = {}

    async def enrol(self, device: str, kind: str = "station", table: str = "T1", station: str | None = None) -> None:
        key = self.keys[device] = DeviceKey.make()
        granted = Granted(device=device, table=table, approval=f"test {device}", station=station)
        code = await self.identities.enrolments.invite(kind, granted, SUPERVISORS)
        await self.identities.enrolments.accept(code, key.public)

    async def revoke(self, device: str) -> None:
        command = Revoke(by="CS1", role=Role.CASINO_SUPERVISOR, at_ms=0, device=device, reason="a test")
        assert not isinstance(await self.floor.desk.ask(command), Refused)

    @asynccontextmanager
    async def connected(self, device: str) -> AsyncIterator["Wire"]:
        """A device that has proved its key."""
        async with connect(self.url, compression=None, max_size=None) as socket:
            wire = Wire(socket, device)
            challenge = await wire.frame("challenge")
            proof = self.keys[device].prove(challenge["floor"], challenge["nonce"])
            await wire.send(type="prove", device=device, signature=proof)
            await wire.frame("ready")
            yield wire

    async def token(self, person: str, device: str) -> str:
        """What a person who signs on at a console gets."""
        return (await self.identities.sessions.sign_on(person, PINS[person], device, "127.0.0.1")).token


class Wire:
    """One device's end of a socket, with every frame that it heard."""

    def __init__(self, socket: ClientConnection, device: str) -> None:
        self.socket, self.device = socket, device
        self.heard: list[dict[str, Any]] = []
        self.epoch = self.n = 0

    async def send(self, **frame: Any) -> None:
        await self.socket.send(msgspec.json.encode(frame).decode())

    async def next(self) -> dict[str, Any]:
        frame: dict[str, Any] = msgspec.json.decode(await self.socket.recv())
        self.heard.append(frame)
        return frame

    async def frame(self, *kinds: str) -> dict[str, Any]:
        """The next frame of these kinds; others in between are only kept."""
        async with asyncio.timeout(60):
            while True:
                frame = await self.next()
                if frame["type"] in kinds:
                    return frame

    async def hello(self, **fields: Any) -> dict[str, Any]:
        await self.send(type="hello", **fields)
        welcome = await self.frame("welcome")
        self.epoch, self.n = welcome["epoch"], welcome.get("last", 0)
        return welcome

    async def ask(self, coup: int | None = None, *, token: str = "", second: str = "", **command: Any) -> int:
        """Ask, without waiting for the answer; the number that it will carry."""
        self.n += 1
        tokens = {name: value for name, value in (("token", token), ("second", second)) if value}
        await self.send(type="ask", epoch=self.epoch, n=self.n, coup=coup, command=command, **tokens)
        return self.n

    async def answer(self, coup: int | None = None, **command: Any) -> dict[str, Any]:
        n = await self.ask(coup, **command)
        while True:
            frame = await self.frame("answer", "trouble", "resynchronise", "bye")
            if frame.get("n", n) == n:
                return frame


@asynccontextmanager
async def served(
    journal: Journal, folder: Path, *tables: Configuration, limits: Limits | None = None
) -> AsyncIterator[Served]:
    """A floor with its tables taken and its staff's PINs set."""
    floor = RunningFloor(backing(journal), tables)
    await floor.start()
    vault = open_vault(folder / "vault")
    hasher = PinHasher(CHEAP)
    for person, pin in PINS.items():
        await set_pin(vault, hasher, person, pin)
    identities = Identities(vault, FloorDesk(floor), hasher, wall_ms, "a floor of tests")
    identities.on_revoked.append(lambda device: floor.disconnect(device, "this device was revoked"))
    floor.desk.listen(identities.listen)
    entrance, rates = Entrance(floor, identities), Rates((limits or Limits()).rate)

    async def socket(websocket: WebSocket) -> None:
        await Socket(websocket, floor, entrance, rates).serve()

    app = Starlette(routes=[WebSocketRoute("/ws", socket)])
    config = uvicorn.Config(
        app, port=0, ws="websockets-sansio", ws_per_message_deflate=False, ws_max_size=4096, log_config=None
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    try:
        await until(lambda: server.started and all(table.tenure for table in floor.tables.values()))
        yield Served(floor, identities, server.servers[0].sockets[0].getsockname()[1])
    finally:
        await floor.stop()
        server.should_exit = True
        await serving
        await identities.settle()
        await vault.__aexit__(None, None, None)
