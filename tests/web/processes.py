"""Real `sabot serve` processes: started from a floor's file, spoken to over HTTP and sockets, killed and restarted."""

import asyncio
import contextlib
import json
import re
import signal
import subprocess
import threading
from collections.abc import AsyncIterator, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec

from sabot.client.connection import Identity, Settings
from sabot.client.console import Console
from sabot.client.desk import Desk
from sabot.client.key import DeviceKey
from sabot.client.outcome import NeverRecorded, NotTaken, Refused
from sabot.client.station import Station
from sabot.journal.journal import ReadableJournal
from sabot.table.configuration import Configuration
from sabot.web.floor_file import read_floor_file
from sabot.web.pin import PinHasher
from sabot.web.premises import open_vault
from sabot.web.sessions import set_pin
from sabot.wire.spoken import read_spoken
from tests.cli.sabot import SABOT
from tests.running.floors import PATIENCE_S, table_for

PINS = {"D1": "482913", "GS1": "739164", "CS1": "915372"}
TOKEN = "a-monitoring-token-of-more-than-32-letters"  # noqa: S105  It opens nothing but these tests.
CALM = Settings(feed="views", open_within_s=PATIENCE_S)


def write_floor(folder: Path, *tables: Configuration, name: str = "floor.toml", **top: Any) -> Path:
    """A floor's file with these tables under a quick virtual dealer, and its staff's PINs in the vault."""
    folder.mkdir(exist_ok=True)
    parts = []
    for one in tables or (table_for(period_ms=400),):
        (folder / f"{one.table}.toml").write_text(written(msgspec.to_builtins(one, enc_hook=str)))
        parts.append({"file": f"{one.table}.toml", "dealer": "virtual", "pace": 0.0})
    (folder / "monitoring.token").write_text(TOKEN)
    (folder / "monitoring.token").chmod(0o600)
    file = {
        "floor": "Tests",
        "listen": {"port": 0},
        "monitoring": {"token_file": "monitoring.token"},
        "limits": {"frames_a_second": 1000.0, "frames_at_once": 1000.0},
        "tables": parts,
        **top,
    }
    path = folder / name
    path.write_text(written(file))
    return path


def written(file: dict[str, Any]) -> str:
    """A file in TOML, each key on a line."""
    return "".join(f"{json.dumps(key)} = {_value(value)}\n" for key, value in file.items() if value is not None)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_value(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value)


async def give_pins(path: Path) -> None:
    hasher = PinHasher()
    async with await open_vault(read_floor_file(path)) as vault:
        for person, pin in PINS.items():
            await set_pin(vault, hasher, person, pin)


class Process:
    """One process, its log and its address."""

    def __init__(self, config: Path) -> None:
        self.lines: list[str] = []
        self._listens = threading.Event()
        self.url = ""
        self._process = subprocess.Popen(  # noqa: S603  Our own command.
            [SABOT, "serve", "--config", str(config)], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def _read(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self.lines.append(line)
            with contextlib.suppress(ValueError):
                said = json.loads(line)
                if said.get("event") == "listens":
                    self.url = said["url"]
                    self._listens.set()
        self._listens.set()

    def until_it_listens(self) -> None:
        assert self._listens.wait(PATIENCE_S)
        assert self.url, "".join(self.lines)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        """Ask it to leave; its exit code."""
        self._process.send_signal(signal.SIGTERM)
        code = self._process.wait(PATIENCE_S)
        self._reading.join(PATIENCE_S)
        return code

    def close(self) -> None:
        if self._process.poll() is None:
            self.kill()
        self._reading.join(PATIENCE_S)
        for stream in (self._process.stdout, self._process.stderr):
            assert stream is not None
            stream.close()

    @property
    def log(self) -> str:
        return "".join(self.lines)


@contextlib.contextmanager
def serving(config: Path) -> Iterator[Process]:
    process = Process(config)
    try:
        process.until_it_listens()
        yield process
    finally:
        process.close()


def get(url: str, path: str, **query: Any) -> httpx.Response:
    return httpx.get(f"{url}{path}", params=query, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=PATIENCE_S)


async def until_ready(url: str) -> dict[str, Any]:
    """How the tables stand once every one has an owner."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            answer = await asyncio.to_thread(get, url, "/readyz")
            if answer.status_code == 200:
                tables: dict[str, Any] = answer.json()["tables"]
                return tables
            await asyncio.sleep(0.05)


class Staff:
    """People of the house at a desk, over HTTP."""

    def __init__(self, url: str) -> None:
        self.url, self.desk = url, Desk(url)
        self._token = ""

    async def enrol(self, device: str, kind: str, table: str = "T1", station: str | None = None) -> Identity:
        """Two persons write an invitation, and the device accepts it."""
        key = DeviceKey.make()
        code = await self.invite(device, kind, table, station)
        await self.desk.accept(code, key)
        return Identity(device, key)

    async def token(self) -> str:
        """Of the Casino Supervisor, who signs on once."""
        if not self._token:
            self._token = (await self.desk.sign_on("CS1", PINS["CS1"])).token
        return self._token

    async def invite(self, device: str, kind: str, table: str = "T1", station: str | None = None) -> str:
        token = await self.token()
        second = await self.desk.approve(token, "GS1", PINS["GS1"], "enrol")
        body = {"kind": kind, "device": device, "table": table, "approval": "tests", "station": station}
        headers = {"Authorization": f"Bearer {token}", "Sabot-Second": second.token}
        async with httpx.AsyncClient(timeout=PATIENCE_S) as web:
            answer = await web.post(f"{self.url}/api/invitations", json=body, headers=headers)
        assert answer.status_code == 201, answer.text
        code: str = answer.json()["code"]
        return code

    @contextlib.asynccontextmanager
    async def console(self, identity: Identity, **settings: Any) -> AsyncIterator[Console]:
        """A console with the dealer signed on there."""
        chosen = msgspec.structs.replace(CALM, **settings)
        token = (await self.desk.sign_on("D1", PINS["D1"], identity.device)).token
        async with Console(self.url, identity, chosen, token=token) as console:
            yield console


async def buy_in(console: Console, station: str, cents: int = 1_000_000) -> None:
    await console.until(lambda: console.mirror.phase != "closed")
    await console.ask(read_spoken({"do": "buy_in", "station": station, "cents": cents}))


class Wagered(NamedTuple):
    """An acknowledged wager: its coup, the key of its record, and the record's version."""

    coup: int
    key: str
    version: int


async def wager_in_the_next_coup(station: Station, cents: int) -> Wagered:
    """Place it as soon as wagering is open.

    On a busy machine a coup may be over before the wager is there; then the next one is tried.
    """
    while True:
        await station.until(lambda: station.mirror.phase == "wagering")
        coup = station.mirror.coup
        try:
            line = {"do": "set_wager", "bet": "player", "cents": cents}
            answer = await station.ask(read_spoken(line), coup=coup)
        except (Refused, NeverRecorded, NotTaken):
            await station.until(partial(_is_over, station, coup))
        else:
            return Wagered(coup, f"ask/{station.identity.device}/{answer.epoch}/{answer.n}", answer.version)


def _is_over(station: Station, coup: int) -> bool:
    return station.mirror.coup != coup or station.mirror.phase != "wagering"


async def assert_recorded(journal: ReadableJournal, table: str, wagered: Iterable[Wagered]) -> None:
    """What was acknowledged is in the journal, exactly where the answer said."""
    for one in wagered:
        record = await journal.find(f"table/{table}", one.key)
        assert record is not None
        assert record.version == one.version


def secrets_in(text: str) -> list[str]:
    """PINs and tokens of these tests that stand in a text."""
    return [secret for secret in (*PINS.values(), TOKEN) if re.search(rf"\b{re.escape(secret)}\b", text)]
