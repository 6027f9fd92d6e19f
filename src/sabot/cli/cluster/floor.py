"""The floor of the drill: two processes that share virtual tables, and robots at every station.

It is set up in the drill's own process, where devices are enrolled and chips are bought. Then two processes of
`sabot serve` run it. A process that ends is started again, as a service manager does it.
"""

import asyncio
import contextlib
import json
import os
import subprocess
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from sabot.cli.cluster.namespaces import SABOT
from sabot.cli.cluster.nodes import Nodes
from sabot.cli.cluster.players import Player
from sabot.cli.demo_table import configuration_of
from sabot.client.connection import Identity
from sabot.client.console import Console
from sabot.client.desk import Desk
from sabot.client.key import DeviceKey
from sabot.floor.records.program_digest import program_digest
from sabot.floor.stamper import Giver
from sabot.house.state import DeviceKind
from sabot.journal.keys import new_key
from sabot.journal.opening import prepare
from sabot.rules import shipped
from sabot.table.acts import BuyIn
from sabot.web.identity.enrolments import Granted
from sabot.web.identity.pin import PinHasher
from sabot.web.identity.sessions import set_pin
from sabot.web.identity.vault_postgres import make_tables
from sabot.web.serving.floor_file import read_floor_file
from sabot.web.serving.logs import set_up_logs
from sabot.web.serving.server import Serving, served

DEALER, PIN = "D1", "713905"
WHO_ENROLS = Giver("CS1", "GS1")
STATIONS = tuple(f"A{number}" for number in range(1, 21))
CHIPS = 100_000_000
PERIOD_MS, PACE = 3_000, 0.1
FIRST_PORT = 18_400
OWNER, PIT = "sabot_owner", "pit"


class DrillFloor:
    def __init__(self, folder: Path, nodes: Nodes, tables: int) -> None:
        self.folder, self._nodes = folder, nodes
        self.tables = [f"T{number}" for number in range(1, tables + 1)]
        self.urls = [f"http://127.0.0.1:{FIRST_PORT + number}" for number in (1, 2)]
        self.restarts = 0
        self.players: list[Player] = []

    async def set_up(self, seed: int) -> None:
        set_up_logs("error", "json")
        self.folder.mkdir(mode=0o700)
        await prepare(self._nodes.with_password(OWNER))
        await make_tables(self._nodes.with_password(OWNER))
        new_key(self.folder / "signing.key")
        for table in self.tables:
            configuration = configuration_of(shipped.rule_set("crown-traditional"), 8, STATIONS, table)
            timed = msgspec.structs.replace(configuration, wagering_period_ms=PERIOD_MS)
            (self.folder / f"{table}.toml").write_text(_toml(msgspec.to_builtins(timed, enc_hook=str)))
        for number in (1, 2):
            (self.folder / f"floor-{number}.toml").write_text(_toml(self._file(number)))
        async with served(read_floor_file(self.folder / "floor-1.toml"), program_digest()) as serving:
            await set_pin(serving.premises.vault, PinHasher(), DEALER, PIN)
            for table in self.tables:
                await self._seat(serving, table, seed)

    async def _seat(self, serving: Serving, table: str, seed: int) -> None:
        """Enrol the stations of a table, and have the dealer sell chips to each."""
        for station in STATIONS:
            identity = await _enrolled(serving, DeviceKind.STATION, f"{table}-{station}", table, station)
            self.players.append(Player(self.urls, identity, table, station, seed))
        device = f"{table}-console"
        identity = await _enrolled(serving, DeviceKind.CONSOLE, device, table, None)
        token = (await Desk(serving.url).sign_on(DEALER, PIN, device, identity.key)).token
        async with Console(serving.url, identity, token=token) as console:
            await console.until(lambda: console.shown.phase.phase != "closed")
            for station in STATIONS:
                await console.ask(BuyIn(station=station, cents=CHIPS))

    def _file(self, number: int) -> dict[str, Any]:
        """The file of one process: it serves every second table, and stands by for the others."""
        database = {"place": self._nodes.address(PIT), "password_file": str(self._nodes.password_file(PIT))}
        return {
            "floor": "Drill",
            "address": self.urls[number - 1],
            "listen": {"port": FIRST_PORT + number},
            "journal": {**database, "signing_key": "signing.key", "anchor": f"anchor-{number}"},
            "secrets": database,
            "log": {"form": "json", "level": "info"},
            "tables": [
                {"file": f"{table}.toml", "dealer": "virtual", "pace": PACE, "stand_by": place % 2 != number - 1}
                for place, table in enumerate(self.tables)
            ],
        }

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Both processes with their keeper, and everybody at play."""
        tasks = [asyncio.create_task(self._keep(number)) for number in (1, 2)]
        tasks += [asyncio.create_task(player.play()) for player in self.players]
        try:
            yield
        finally:
            for task in reversed(tasks):
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep(self, number: int) -> None:
        command = [*SABOT, "serve", "--config", str(self.folder / f"floor-{number}.toml")]
        with (self.folder / f"floor-{number}.log").open("ab") as log:
            while True:
                process = await asyncio.create_subprocess_exec(
                    *command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=dict(os.environ)
                )
                try:
                    await process.wait()
                except asyncio.CancelledError:
                    process.terminate()
                    await process.wait()
                    raise
                self.restarts += 1
                await asyncio.sleep(1.0)


async def _enrolled(serving: Serving, kind: DeviceKind, device: str, table: str, station: str | None) -> Identity:
    granted = Granted(device=device, table=table, approval="drill", station=station)
    key = DeviceKey.make()
    code = await serving.premises.identities.enrolments.invite(kind, granted, WHO_ENROLS)
    await Desk(serving.url).accept(code, key)
    return Identity(device, key)


def _toml(file: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(key)} = {_value(value)}\n" for key, value in file.items() if value is not None)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_value(one)}" for key, one in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value)
