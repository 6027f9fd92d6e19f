"""A floor behind real sockets for the pages: one table in a journal, served from a thread with its own event loop.

A test is the dealer: it asks what a console would. Devices prove their keys as they do everywhere; an invitation is the
name of the device that it is for.
"""

import asyncio
import secrets
import socket
import threading
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import uvicorn
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from sabot.floor.audience import Audience
from sabot.journal.memory import MemoryJournal
from sabot.rules.role import Role
from sabot.running.floor import RunningFloor
from sabot.running.table import RunningTable
from sabot.table import commands as c
from sabot.table.configuration import Configuration
from sabot.table.decide import RULES
from sabot.table.refusal import Refused
from sabot.table.state import TableState
from sabot.web.door import Known, TurnedAway
from sabot.web.pages import page_routes
from sabot.web.socket import Limits, Socket
from sabot.wire.frames import Ask, proof_text
from sabot.wire.spoken import TABLE_KINDS, fields_of
from tests.running.floors import Seat, running, until, wall_ms

ROLES = {"D1": Role.DEALER, "GS1": Role.GAME_SUPERVISOR, "CS1": Role.CASINO_SUPERVISOR}
VERBS = {str(kind.__struct_config__.tag): kind for kind in RULES}


class TestDoor:
    """Knows devices by the key that they brought with their invitation."""

    __test__ = False
    floor = "a floor for tests"

    def __init__(self) -> None:
        self.keys: dict[str, EllipticCurvePublicKey] = {}

    async def accept(self, request: Request) -> JSONResponse:
        device, body = request.path_params["code"], await request.json()
        key = load_der_public_key(_bytes(body["key"]))
        assert isinstance(key, EllipticCurvePublicKey)
        self.keys[device] = key
        return JSONResponse({"device": device})

    async def admit(self, device: str, nonce: str, signature: str) -> Known:
        raw = _bytes(signature)
        both = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
        try:
            self.keys[device].verify(encode_dss_signature(*both), proof_text(self.floor, nonce), ECDSA(SHA256()))
        except (KeyError, InvalidSignature):
            raise TurnedAway("the floor does not know this device") from None
        kind = "display" if device == "display" else "station"
        return Known(device, kind, "T1", device if kind == "station" else "")

    async def stamp(self, known: Known, ask: Ask, table: RunningTable) -> c.Command | Refused:
        kind = TABLE_KINDS[type(ask.command)]
        return stamped(kind, table, by=known.station, role=Role.STATION, **fields_of(ask.command))


def stamped(kind: type[Any], table: RunningTable, **fields: Any) -> c.Command:
    assert table.tenure is not None
    own = {"station": fields["by"], "salts": {name: secrets.token_hex(16) for name in table.tenure.state.stations}}
    own = {name: value for name, value in own.items() if name in kind.__struct_fields__}
    command: c.Command = msgspec.convert({**own, "at_ms": 0, **fields, "do": kind.__struct_config__.tag}, kind)
    return command


class LiveFloor:
    def __init__(self, address: str, loop: asyncio.AbstractEventLoop, floor: RunningFloor) -> None:
        self.address, self._loop, self._floor = address, loop, floor
        self._console: Seat | None = None

    @property
    def state(self) -> TableState:
        tenure = self._floor.tables["T1"].tenure
        assert tenure is not None
        return tenure.state

    def deal(self, *lines: dict[str, Any]) -> None:
        """Ask as the console does, one line after the other; each must be accepted."""
        asyncio.run_coroutine_threadsafe(self._deal(lines), self._loop).result(60)

    async def _deal(self, lines: tuple[dict[str, Any], ...]) -> None:
        table = self._floor.tables["T1"]
        if self._console is None:
            await until(lambda: table.tenure is not None)
            self._console = Seat(table, "console", Audience.CONSOLE)
            await self._console.hello()
        for line in lines:
            by = line.get("by", "D1")
            words = {name: value for name, value in line.items() if name != "do"}
            command = stamped(VERBS[line["do"]], table, **{"by": by, "role": ROLES[by], **words})
            answer = await self._console.answer(command, self.state.coups if self.state.coup is not None else None)
            assert answer.accepted, (line, answer)


SHOE = (
    {"do": "sign_on"},
    {"do": "sign_on", "by": "GS1"},
    {"do": "open_table"},
    {"do": "check_cards", "by": "GS1", "cards": 416},
    {"do": "new_shoe"},
    {"do": "cut", "by": "GS1", "at": 200},
    {"do": "burn"},
)


def coup(*cards: str) -> tuple[dict[str, Any], ...]:
    """A coup from the close on."""
    return ({"do": "close"}, *({"do": "card", "card": card} for card in cards), {"do": "confirm"})


@contextmanager
def live_floor(configuration: Configuration) -> Iterator[LiveFloor]:
    listening = socket.create_server(("127.0.0.1", 0))
    ready: list[LiveFloor] = []
    started, ended = threading.Event(), threading.Event()

    async def serve() -> None:
        async with running(MemoryJournal(wall_ms), configuration) as floor:
            door = TestDoor()

            async def endpoint(websocket: WebSocket) -> None:
                await Socket(websocket, floor, door, Limits()).serve()

            routes = [
                *page_routes(),
                Route("/api/invitations/{code}", door.accept, methods=["POST"]),
                WebSocketRoute("/ws", endpoint),
            ]
            config = uvicorn.Config(Starlette(routes=routes), log_level="warning", ws="websockets-sansio")
            server = uvicorn.Server(config)
            serving = asyncio.create_task(server.serve(sockets=[listening]))
            await until(lambda: server.started)
            port = listening.getsockname()[1]
            ready.append(LiveFloor(f"http://127.0.0.1:{port}", asyncio.get_running_loop(), floor))
            started.set()
            while not ended.is_set():
                await asyncio.sleep(0.05)
            server.should_exit = True
            await serving

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert started.wait(60)
    try:
        yield ready[0]
    finally:
        ended.set()
        thread.join()


def _bytes(written: str) -> bytes:
    return urlsafe_b64decode(written + "=" * (-len(written) % 4))
