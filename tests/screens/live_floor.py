"""A floor for the pages where the test is the dealer: in this process, on a thread with an event loop of its own.

What a test deals is asked over the wire like everything else, by a person who may.
"""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
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
from tests.runtime.floors import PATIENCE_S, wall_ms
from tests.served.device import EVENTS
from tests.served.open_table import DEALER, console_of
from tests.served.server import Served, listening, opened
from tests.served.staff import CREW, vault_in

Line = dict[str, Any]
"""An act as a console says it, and `by` whom: a member of staff, or the station whose acceptor takes a note."""


class LiveFloor:
    def __init__(self, floor: Served, console: Console) -> None:
        self.url, self._floor, self._console = floor.url, floor, console
        self._loop, self._left = asyncio.get_running_loop(), asyncio.Event()

    @property
    def state(self) -> TableState:
        return self._floor.state

    def deal(self, *lines: Line) -> None:
        """Ask one line after the other; each must be accepted."""
        asyncio.run_coroutine_threadsafe(self._deal(lines), self._loop).result(PATIENCE_S)

    async def _deal(self, lines: tuple[Line, ...]) -> None:
        for line in lines:
            by = line.get("by", DEALER)
            act: DeviceAct = msgspec.convert({name: value for name, value in line.items() if name != "by"}, DeviceAct)
            if by in CREW:
                coup = self.state.coups if self.state.coup is not None else None
                await self._console.ask(act, coup=coup, token=await self._floor.token(by))
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


@contextmanager
def live_floor(configuration: Configuration, folder: Path) -> Iterator[LiveFloor]:
    """A floor with a closed table, whose pages may speak as fast as anywhere."""
    ready: Future[LiveFloor] = Future()

    async def serve() -> None:
        async with (
            vault_in(folder, CREW) as vault,
            opened(vault, MemoryJournal(wall_ms), configuration, limits=SocketLimits()) as premises,
            listening(premises) as url,
        ):
            floor = Served(premises, url)
            async with await console_of(floor) as console:
                ready.set_result(live := LiveFloor(floor, console))
                await live.until_left()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    live = ready.result(PATIENCE_S)
    try:
        yield live
    finally:
        live.leave()
        thread.join()
