"""A floor for the pages where the test is the dealer: in this process, on a thread with an event loop of its own.

What a test deals is asked over the wire like everything else, by a person who may.
"""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from sabot.client.console import Console
from sabot.client.station import Station
from sabot.journal.memory import MemoryJournal
from sabot.table.acts import DeviceAct
from sabot.table.configuration import Configuration
from sabot.table.state import TableState
from sabot.web.socket.socket import SocketLimits
from tests.runtime.floors import PATIENCE_S, Clocks
from tests.served.device import EVENTS
from tests.served.open_table import DEALER, console_of
from tests.served.server import Served, listening, opened
from tests.served.staff import CREW, vault_in

Line = dict[str, Any]
"""An act as a console says it, `by` whom (a member of staff, or the station whose acceptor takes a note), and
`at_table` which table, where it is not the first."""


class LiveFloor:
    def __init__(self, floor: Served, consoles: dict[str, Console], clocks: Clocks) -> None:
        self.url, self._floor, self._consoles, self._clocks = floor.url, floor, consoles, clocks
        self._loop, self._left = asyncio.get_running_loop(), asyncio.Event()

    @property
    def state(self) -> TableState:
        return self.state_of("T1")

    def state_of(self, table: str) -> TableState:
        term = self._floor.floor.tables[table].term
        assert term is not None
        return term.state

    def let_pass(self, ms: int) -> None:
        """Time that nobody waits for; screens hear of it with the next that happens."""
        self._clocks.ahead_ms += ms

    def invite_to(self, device: str, places: dict[str, str]) -> str:
        """The code of an invitation for a station at several tables, which the operator allows."""
        return asyncio.run_coroutine_threadsafe(self._invite_to(device, places), self._loop).result(PATIENCE_S)

    async def _invite_to(self, device: str, places: dict[str, str]) -> str:
        await self._floor.allow_several_tables()
        further = {table: station for table, station in places.items() if table != "T1"}
        return await self._floor.invite(device, "station", places["T1"], places=further)

    def revoke(self, device: str) -> None:
        asyncio.run_coroutine_threadsafe(self._floor.revoke(device), self._loop).result(PATIENCE_S)

    def deal(self, *lines: Line) -> None:
        """Ask one line after the other; each must be accepted."""
        asyncio.run_coroutine_threadsafe(self._deal(lines), self._loop).result(PATIENCE_S)

    async def _deal(self, lines: tuple[Line, ...]) -> None:
        for line in lines:
            by, at = line.get("by", DEALER), line.get("at_table", "T1")
            said = {name: value for name, value in line.items() if name not in ("by", "at_table")}
            act: DeviceAct = msgspec.convert(said, DeviceAct)
            if by in CREW:
                state, console = self.state_of(at), self._consoles[at]
                coup = state.coups if state.coup is not None else None
                await console.ask(act, coup=coup, token=await self._floor.token(by, console.identity.device))
            else:
                await self._take_in(by, act)

    async def _take_in(self, station: str, note: DeviceAct) -> None:
        identity = await self._floor.enrol(f"{station}-notes", "note_acceptor", station)
        async with Station(self.url, identity, EVENTS) as acceptor:
            await acceptor.ask(note)

    def leave(self) -> None:
        self._loop.call_soon_threadsafe(self._left.set)

    async def until_left(self) -> None:
        await self._left.wait()


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


def at_table(table: str, *lines: Line) -> tuple[Line, ...]:
    return tuple({**line, "at_table": table} for line in lines)


@contextmanager
def live_floor(configuration: Configuration, folder: Path, *others: Configuration) -> Iterator[LiveFloor]:
    """A floor with a closed table, or several, whose pages may speak as fast as anywhere."""
    ready: Future[LiveFloor] = Future()
    clocks = Clocks()
    journal = MemoryJournal(clocks.wall_ms)

    async def serve() -> None:
        async with (
            vault_in(folder, CREW) as vault,
            opened(vault, journal, configuration, *others, limits=SocketLimits(), clocks=clocks) as premises,
            listening(premises) as url,
            AsyncExitStack() as stack,
        ):
            floor = Served(premises, url)
            consoles = {}
            for table in premises.floor.tables:
                consoles[table] = await stack.enter_async_context(await console_of(floor, table=table))
            ready.set_result(live := LiveFloor(floor, consoles, clocks))
            await live.until_left()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    live = ready.result(PATIENCE_S)
    try:
        yield live
    finally:
        live.leave()
        thread.join()
