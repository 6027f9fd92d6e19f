"""A process of its own that the floor's benchmark loads: the real server with so many tables, or a bare echo.

    python _floor_server.py echo
    python _floor_server.py floor|apart FOLDER JOURNAL TABLES PERIOD_MS [FIRST_TABLE]

The floor's stations are enrolled under the public keys in FOLDER/keys.json and have an account each. When everything is
ready, one line with the address is printed; the process ends when its standard input does. All tables of a floor open
and close in the same moment, since their dealers began together and keep one pace; with `apart` they are spread evenly
over a coup.
"""

import asyncio
import logging
import os
import sys
from pathlib import Path

import msgspec
import structlog
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.cli.demo_table import CREW, configuration_of
from sabot.floor.table_owner.messages import Asked, Connected
from sabot.floor.virtual.dealer import Manner, Pace
from sabot.house.acts import Enrol
from sabot.house.refusal import HouseRefused
from sabot.house.state import DeviceKind
from sabot.rules import shipped
from sabot.runtime.link import LinkFeed, Published
from sabot.runtime.table_runner import RunningTable
from sabot.table import acts
from sabot.table.configuration import Configuration
from sabot.table.phase import Phase
from sabot.views.audience import Audience
from sabot.web.door.budgets import Budgets
from sabot.web.door.hosts import Hosts
from sabot.web.door.visitors import Visitors
from sabot.web.identity.device_key import fingerprint, from_base64url
from sabot.web.serving.floor_file import (
    Floor,
    FloorFile,
    JournalPart,
    LimitsPart,
    TablePart,
    TableWanted,
    in_folder,
)
from sabot.web.serving.listening import Listening
from sabot.web.serving.process import Premises
from sabot.web.serving.server import Server, bound, run, served, server_config
from sabot.web.socket.fast_websocket import SocketKeeper, directly
from sabot.wire.frames import Answer, Ask, FloorFrame, Hello, Welcome

STATIONS = 50
BROUGHT = 100_000_000
PACE = Pace(card=0, coup=400, shoe=0)


async def echo() -> None:
    """Whatever comes in goes back: the least that the same stack can do."""

    async def answer(websocket: WebSocket) -> None:
        await websocket.accept()
        direct, over = directly(websocket), asyncio.Event()
        direct.take_over(SocketKeeper(direct.write, over.clear, over.set))
        await over.wait()

    app = Starlette(routes=[WebSocketRoute("/ws", answer)])
    listening, knocking = bound(Listening(port=0))
    server = Server(
        server_config(app, listening, None), Hosts(listening.origins(tls=False), listening.port), Visitors(Budgets())
    )
    serving = asyncio.create_task(server.serve(sockets=[knocking]))
    await _stay(f"ws://127.0.0.1:{listening.port}/ws")
    server.should_exit = True
    await serving


async def floor(folder: Path, place: str, tables: range, period_ms: int, *, is_apart: bool) -> None:
    async with served(_floor(folder, place, tables, period_ms), "bench") as serving:
        premises = serving.premises
        for dealer in premises.dealers.values():
            dealer.manner = Manner(PACE)
        await _enrol(premises, msgspec.json.decode((folder / "keys.json").read_bytes()))
        for table in premises.floor.tables.values():
            await _buy_in(table)
        if is_apart:
            await _spread(premises, period_ms + PACE.coup)
        await _stay(serving.url.replace("http", "ws") + "/ws")


def _floor(folder: Path, place: str, tables: range, period_ms: int) -> Floor:
    configurations = [_configuration(f"T{number}", period_ms) for number in tables]
    parts = [TablePart(configuration={}, dealer="virtual") for _ in configurations]
    file = FloorFile(
        floor="a floor under load",
        listen=Listening(port=0),
        journal=JournalPart(place=place),
        tables=tuple(parts),
        limits=LimitsPart(frames_a_second=1e9, frames_at_once=1e9),
    )
    return Floor(in_folder(file, folder), tuple(map(TableWanted, configurations, parts)))


def _configuration(name: str, period_ms: int) -> Configuration:
    stations = [f"A{number}" for number in range(1, STATIONS + 1)]
    made = configuration_of(shipped.rule_set("crown-traditional"), 8, stations, name)
    return msgspec.structs.replace(made, wagering_period_ms=period_ms)


async def _enrol(premises: Premises, keys: dict[str, str]) -> None:
    stamp = Stamp(
        by=CREW.casino_supervisor,
        role=Role.CASINO_SUPERVISOR,
        second=CREW.game_supervisor,
        second_role=Role.GAME_SUPERVISOR,
    )
    for device, key in keys.items():
        table, _, station = device.partition("-")
        mark = fingerprint(from_base64url(key))
        await premises.vault.keep_key(mark, key)
        enrol = Enrol(device=device, kind=DeviceKind.STATION, table=table, station=station, key=mark, approval="bench")
        decision = await premises.floor.house.ask(enrol, stamp)
        assert not isinstance(decision, HouseRefused), decision


async def _buy_in(table: RunningTable) -> None:
    """Sell chips to every patron, once the virtual dealer has opened the table."""
    while table.term is None or table.term.state.dealer is None or table.term.state.phase.value == "closed":
        await asyncio.sleep(0.01)
    cashier = Cashier()
    table.hello(Connected("cashier", Audience.CONSOLE, Hello()), cashier)
    while not cashier.epoch:
        await asyncio.sleep(0.001)
    stamp = Stamp(by=CREW.dealer, role=Role.DEALER)
    for n in range(1, STATIONS + 1):
        ask = Ask(epoch=cashier.epoch, n=n, act=acts.BuyIn(station=f"A{n}", cents=BROUGHT))
        table.receive(Asked("cashier", ask, stamp))
    while cashier.answered < STATIONS:
        await asyncio.sleep(0.001)
    table.gone("cashier", cashier)


async def _spread(premises: Premises, coup_ms: int) -> None:
    """Let each table open its next coup but one later by another share of a coup."""
    dealers = premises.dealers

    async def wait(name: str, late_ms: int) -> None:
        table, dealer = premises.floor.tables[name], dealers[name]
        await _until(table, Phase.WAGERING)
        dealer.manner = Manner(msgspec.structs.replace(PACE, coup=PACE.coup + late_ms))
        await _until(table, Phase.BETWEEN_COUPS)
        await _until(table, Phase.WAGERING)
        dealer.manner = Manner(PACE)

    await asyncio.gather(*(wait(name, place * coup_ms // len(dealers)) for place, name in enumerate(dealers)))


async def _until(table: RunningTable, phase: Phase) -> None:
    while table.term is None or table.term.state.phase is not phase:
        await asyncio.sleep(0.01)


class Cashier:
    feed: LinkFeed = "appends"

    def __init__(self) -> None:
        self.epoch = self.answered = 0

    def tell(self, frame: FloorFrame | Published) -> None:
        if isinstance(frame, Welcome):
            self.epoch = frame.epoch
        elif isinstance(frame, Answer):
            assert frame.accepted, frame
            self.answered += 1

    def end(self, why: str, owner: str = "") -> None:
        raise AssertionError(why, owner)


async def _stay(url: str) -> None:
    sys.stdout.write(f"{msgspec.json.encode({'url': url, 'pid': os.getpid()}).decode()}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    if sys.argv[1] == "echo":
        run(echo())
    else:
        first = int(sys.argv[6]) if len(sys.argv) > 6 else 0
        numbers = range(first, first + int(sys.argv[4]))
        is_apart = sys.argv[1] == "apart"
        run(floor(Path(sys.argv[2]), sys.argv[3], numbers, int(sys.argv[5]), is_apart=is_apart))
