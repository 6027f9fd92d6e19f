"""The floor of a soak: its files, its staff and devices, and the process that serves it."""

import asyncio
import contextlib
import os
import signal
import socket
import sys
import urllib.request
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

import msgspec

from sabot.basics.mistake import Mistake
from sabot.cli.demo_table import CREW, configuration_of
from sabot.client.connection import Identity
from sabot.client.key import DeviceKey
from sabot.floor.records.program_digest import program_digest
from sabot.floor.stamper import Giver
from sabot.house.state import DeviceKind
from sabot.journal.keys import new_key
from sabot.journal.opening import adapter_of
from sabot.rules.shipped import rule_set
from sabot.web.identity.enrolments import Granted
from sabot.web.identity.pin import PinHasher, new_pin
from sabot.web.identity.sessions import set_pin
from sabot.web.serving.floor_file import read_floor_file
from sabot.web.serving.process import opened
from sabot.web.serving.toml_text import toml_text

RULES, DECKS = "crown-traditional", 8
PERIOD_MS, SHORTEST_PERIOD_MS = 20_000, 300
DEALER = CREW.dealer
WHO_ENROLS = Giver(CREW.casino_supervisor, CREW.game_supervisor)
INVITED_MS = 60 * 60 * 1000
START_WITHIN_S = 120.0
STOP_WITHIN_S = 60.0
_SERVE = "from sabot.cli import main; main()"


class SoakDevice(msgspec.Struct, frozen=True):
    """A device of the soak, enrolled before the floor is served."""

    identity: Identity
    kind: DeviceKind
    table: str
    station: str = ""


class SoakFloor(msgspec.Struct, frozen=True):
    """What is soaked: a folder with the floor's file, the devices that are enrolled there, and the dealer's PIN."""

    config: Path
    url: str
    journal: str
    pin: str
    devices: tuple[SoakDevice, ...]
    tables: tuple[str, ...]

    def of(self, kind: DeviceKind) -> list[SoakDevice]:
        return [one for one in self.devices if one.kind is kind]


async def prepare(folder: Path, journal: str, tables: int, stations: int, pace: float) -> SoakFloor:
    """Write the floor's file, make its keys, and enrol its devices, before anything is served."""
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / "floor.toml").exists():
        raise Mistake(f"{folder} holds a floor already; choose another --report")
    names = tuple(f"T{number}" for number in range(1, tables + 1))
    places = [f"A{number}" for number in range(1, stations + 1)]
    port = _free_port()
    place = _write(folder, journal, names, places, pace, port)
    url = f"http://127.0.0.1:{port}"
    wanted = read_floor_file(folder / "floor.toml")
    devices = [
        SoakDevice(_made(f"{table}-{name}"), DeviceKind.STATION, table, name) for table in names for name in places
    ]
    devices += [SoakDevice(_made(f"console-{table}"), DeviceKind.CONSOLE, table) for table in names]
    devices += [SoakDevice(_made(f"display-{table}"), DeviceKind.DISPLAY, table) for table in names]
    pin = new_pin()
    async with opened(wanted, program_digest(), url) as premises:
        await set_pin(premises.vault, PinHasher(), DEALER, pin)
        enrolments = premises.identities.enrolments
        for one in devices:
            granted = Granted(device=one.identity.device, table=one.table, approval="soak", station=one.station or None)
            code = await enrolments.invite(one.kind, granted, WHO_ENROLS, INVITED_MS)
            await enrolments.accept(code, one.identity.key.public)
        while not all(table.term for table in premises.floor.tables.values()):
            await asyncio.sleep(0.02)  # What is left in order was taken before.
    return SoakFloor(folder / "floor.toml", url, place, pin, tuple(devices), names)


def _made(device: str) -> Identity:
    return Identity(device, DeviceKey.make())


def _write(folder: Path, journal: str, tables: tuple[str, ...], stations: list[str], pace: float, port: int) -> str:
    """The floor's file with its tables'; returns where its journal is, as `sabot journal` takes it."""
    parts = []
    for table in tables:
        configuration = msgspec.structs.replace(
            configuration_of(rule_set(RULES), DECKS, stations, table),
            wagering_period_ms=max(SHORTEST_PERIOD_MS, round(PERIOD_MS / pace)),
        )
        (folder / f"{table}.toml").write_text(toml_text(msgspec.to_builtins(configuration, enc_hook=str)), "utf-8")
        parts.append({"file": f"{table}.toml", "dealer": "virtual", "pace": 1 / pace, "crew": _crew()})
    if not (folder / "signing.key").exists():
        new_key(folder / "signing.key")
    is_file = not adapter_of(journal).is_shared if journal else True
    server = {} if is_file else _server(folder, journal)
    anchor = {"anchor": "floor.anchor"} if is_file else {}
    file = {
        "floor": "Soak",
        "listen": {"port": port},
        "journal": {**server, **anchor, "signing_key": "signing.key"}
        if server
        else {"place": journal or "floor.journal", **anchor, "signing_key": "signing.key"},
        "secrets": server or {"place": "floor.vault"},
        "tables": parts,
        "log": {"level": "warning", "form": "json"},
    }
    (folder / "floor.toml").write_text(toml_text(file), "utf-8")
    return journal or str(folder / "floor.journal")


def _crew() -> dict[str, str]:
    return {role: getattr(CREW, role) for role in CREW.__struct_fields__}


def _server(folder: Path, address: str) -> dict[str, str]:
    """The place of a database without its password, which goes into a file of its own."""
    parts = urlsplit(address)
    if parts.password is None:
        return {"place": address}
    user, _, host = parts.netloc.rpartition("@")
    path = folder / "password"
    path.touch(0o600)
    path.write_text(unquote(parts.password), "utf-8")
    return {"place": urlunsplit(parts._replace(netloc=f"{user.partition(':')[0]}@{host}")), "password_file": path.name}


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


class ProcessReading(msgspec.Struct, frozen=True):
    """What a process holds at one moment."""

    rss_bytes: int
    descriptors: int
    threads: int


class FloorProcess:
    """`sabot serve` in a process of its own, which is killed, paused and started again."""

    def __init__(self, floor: SoakFloor, log: Path) -> None:
        self._floor, self._log = floor, log
        self._process: asyncio.subprocess.Process | None = None
        self.lives = 0

    async def start(self) -> None:
        """Until it is ready to serve every table."""
        self.lives += 1
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", _SERVE, "serve", "--config", str(self._floor.config)),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=log,
                process_group=0,  # Ctrl-C at the terminal is for the soak, which stops the floor in order.
            )
        async with asyncio.timeout(START_WITHIN_S):
            while not await asyncio.to_thread(self._is_ready):
                if self._process.returncode is not None:
                    raise Mistake(f"the floor ended with code {self._process.returncode}; {self._log} says why")
                await asyncio.sleep(0.05)

    def _is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self._floor.url}/readyz", timeout=5) as answer:  # noqa: S310  Our own floor.
                return int(answer.status) == 200
        except OSError:
            return False

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    async def kill(self) -> None:
        """Any end but an orderly one; a process that is paused is killed as well."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    async def pause(self, seconds: float) -> None:
        self._signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            self._signal(signal.SIGCONT)

    async def stop(self) -> int:
        """Ask it to leave; its exit code."""
        assert self._process is not None
        self._signal(signal.SIGTERM)
        async with asyncio.timeout(STOP_WITHIN_S):
            return await self._process.wait()

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def read(self) -> ProcessReading | None:
        """Of /proc; nothing while it is not there."""
        folder = Path("/proc") / str(self.pid)
        try:
            said = dict(line.split(":", 1) for line in (folder / "status").read_text("ascii").splitlines())
            held = sum(1 for _ in (folder / "fd").iterdir())
            return ProcessReading(int(said["VmRSS"].split()[0]) * 1024, held, int(said["Threads"]))
        except (OSError, KeyError, ValueError):
            return None
