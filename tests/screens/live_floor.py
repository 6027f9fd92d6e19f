"""A floor behind real sockets for the pages: one table in a journal, served from a thread with its own event loop.

A test is the dealer: it asks what a console would. Devices are invited, and prove their keys, as they do everywhere.
"""

import asyncio
import secrets
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from sabot.floor.audience import Audience
from sabot.floor.authority import Signed
from sabot.house import commands as house
from sabot.journal.memory import MemoryJournal
from sabot.rules.role import Role
from sabot.running.floor import RunningFloor
from sabot.running.table import RunningTable
from sabot.table import commands as c
from sabot.table.configuration import Configuration
from sabot.table.decide import RULES
from sabot.table.state import TableState
from sabot.web.enrolments import Granted
from sabot.web.entrance import Entrance, FloorDesk
from sabot.web.identities import Identities
from sabot.web.identity_routes import IdentityRoutes
from sabot.web.operation import Gate
from sabot.web.pages import page_routes
from sabot.web.pin import PinHasher
from sabot.web.protection import Protection
from sabot.web.rates import Rates
from sabot.web.socket import Limits, Socket
from sabot.web.vault import Vault
from sabot.web.vault_sqlite import SqliteStore
from tests.running.floors import Seat, running, until, wall_ms

ROLES = {"D1": Role.DEALER, "GS1": Role.GAME_SUPERVISOR, "CS1": Role.CASINO_SUPERVISOR}
Line = dict[str, Any]
"""A command as a console says it, and `by` whom."""
VERBS = {str(kind.__struct_config__.tag): kind for kind in RULES}


def stamped(kind: type[Any], table: RunningTable, **fields: Any) -> c.Command:
    assert table.tenure is not None
    own = {"station": fields["by"], "salts": {name: secrets.token_hex(16) for name in table.tenure.state.stations}}
    own = {name: value for name, value in own.items() if name in kind.__struct_fields__}
    command: c.Command = msgspec.convert({**own, "at_ms": 0, **fields, "do": kind.__struct_config__.tag}, kind)
    return command


class LiveFloor:
    def __init__(
        self, address: str, loop: asyncio.AbstractEventLoop, floor: RunningFloor, identities: Identities
    ) -> None:
        self.address, self._loop, self._floor, self._identities = address, loop, floor, identities
        self._console: Seat | None = None

    @property
    def state(self) -> TableState:
        tenure = self._floor.tables["T1"].tenure
        assert tenure is not None
        return tenure.state

    def invitation(self, kind: str, station: str | None = None) -> str:
        """The address of a page with an invitation in it, which two persons wrote."""
        granted = Granted(
            device=f"{kind}-{station}" if station else kind, table="T1", approval="a test", station=station
        )
        inviting = self._identities.enrolments.invite(kind, granted, Signed("TE1", "CS1"))
        code = asyncio.run_coroutine_threadsafe(inviting, self._loop).result(60)
        return f"{self.address}/{kind}#invitation={code}"

    def deal(self, *lines: Line) -> None:
        """Ask as the console does, one line after the other; each must be accepted."""
        asyncio.run_coroutine_threadsafe(self._deal(lines), self._loop).result(60)

    async def _deal(self, lines: tuple[Line, ...]) -> None:
        table = self._floor.tables["T1"]
        if self._console is None:
            await until(lambda: table.tenure is not None)
            self._console = Seat(table, "console", Audience.CONSOLE)
            await self._console.hello()
        for line in lines:
            by = line.get("by", "D1")
            words = {name: value for name, value in line.items() if name != "do"}
            command = stamped(VERBS[line["do"]], table, **{"by": by, "role": ROLES.get(by, Role.STATION), **words})
            answer = await self._console.answer(command, self.state.coups if self.state.coup is not None else None)
            assert answer.accepted, (line, answer)


SHOE: tuple[Line, ...] = (
    {"do": "sign_on"},
    {"do": "sign_on", "by": "GS1"},
    {"do": "open_table"},
    {"do": "check_cards", "by": "GS1", "cards": 416},
    {"do": "new_shoe"},
    {"do": "cut", "by": "GS1", "at": 200},
    {"do": "burn"},
)


def coup(*cards: str) -> tuple[Line, ...]:
    """A coup from the close on."""
    return ({"do": "close"}, *({"do": "card", "card": card} for card in cards), {"do": "confirm"})


async def _appoint(floor: RunningFloor) -> None:
    for person, role in (("TE1", Role.TECHNICIAN), ("CS1", Role.CASINO_SUPERVISOR)):
        await floor.desk.ask(
            house.Appoint(by="operator", role=Role.OPERATOR, at_ms=wall_ms(), person=person, roles=(role,))
        )


@contextmanager
def live_floor(configuration: Configuration, folder: Path) -> Iterator[LiveFloor]:
    listening = socket.create_server(("127.0.0.1", 0))
    ready: list[LiveFloor] = []
    started, ended = threading.Event(), threading.Event()

    async def serve() -> None:
        async with running(MemoryJournal(wall_ms), configuration) as floor:
            await _appoint(floor)
            store = SqliteStore(folder / "vault")
            identities = Identities(Vault(store), FloorDesk(floor), PinHasher(), wall_ms, "a floor for tests")
            entrance, rates = Entrance(floor, identities), Rates(Limits().rate)

            async def endpoint(websocket: WebSocket) -> None:
                await Socket(websocket, floor, entrance, rates).serve()

            address = f"http://127.0.0.1:{listening.getsockname()[1]}"
            gate = Gate(identities.sessions, wall_ms)
            routes = [
                *page_routes(),
                *gate.routes(IdentityRoutes(identities).operations()),
                WebSocketRoute("/ws", endpoint),
            ]
            app = Protection(Starlette(routes=routes), [address], tls=False)
            config = uvicorn.Config(app, log_config=None, ws="websockets-sansio")
            server = uvicorn.Server(config)
            serving = asyncio.create_task(server.serve(sockets=[listening]))
            await until(lambda: server.started)
            ready.append(LiveFloor(address, asyncio.get_running_loop(), floor, identities))
            started.set()
            while not ended.is_set():
                await asyncio.sleep(0.05)
            server.should_exit = True
            await serving
            await store.close()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert started.wait(60)
    try:
        yield ready[0]
    finally:
        ended.set()
        thread.join()
