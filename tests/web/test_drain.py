"""Tables move from one process of a floor to another between coups: nobody is logged out, no coup is void."""

import asyncio
import json
import os
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sabot.audit.verify import Against, verify
from sabot.client.connection import Identity, Settings
from sabot.client.console import Console
from sabot.client.desk import Desk
from sabot.client.robot import Seated
from sabot.client.station import Station
from sabot.floor.records.program_digest import program_digest
from sabot.floor.records.record_codec import read_answer, read_events
from sabot.floor.virtual.robots import Robot
from sabot.journal.journal import Appended, ReadableJournal
from sabot.journal.memory import MemoryJournal
from sabot.journal.opening import open_to_read
from sabot.journal.postgres import PostgresJournal
from sabot.journal.record import FORMAT, Entry, Head, Record, body_of, link_of, start_of
from sabot.table import events as e
from sabot.table.acts import BuyIn, DeviceAct
from sabot.web.identity.vault_postgres import make_tables
from sabot.web.serving.older_processes import older_process, until_older_have_left
from sabot.wire.frames import Answer
from tests.cli.sabot import assert_one_clear_sentence, sabot
from tests.journal.postgres.conftest import (  # noqa: F401  Fixtures.
    Database,
    database,
    migrated_template,
    own_server,
    server_dsn,
)
from tests.runtime.floors import PATIENCE_S, table_for, until
from tests.served.floor_file import staffed_floor, write_floor
from tests.served.process import Process, free_port, get, serving
from tests.served.staff import PINS, Staff

TABLES = tuple(table_for(period_ms=250, name=name) for name in ("T1", "T2"))
NAMES = [one.table for one in TABLES]
STATIONS = ("A1", "A2")
NO_WAGERS = "CROWN 11.4"
"""A coup for which nobody wagers is void at any process."""


class Noted(Station):
    """A station that keeps the record's key of everything that was acknowledged to it."""

    def __init__(self, table: str, url: str, identity: Identity, settings: Settings) -> None:
        super().__init__(url, identity, settings)
        self.table = table
        self.acknowledged: list[str] = []

    async def ask(self, act: DeviceAct, **rest: Any) -> Answer:
        answer = await super().ask(act, **rest)
        self.acknowledged.append(f"ask/{self.identity.device}/{answer.epoch}/{answer.n}")
        return answer


class Played:
    """Robots at every station of every table, which reach the floor by the addresses of its processes."""

    def __init__(self, urls: tuple[str, ...]) -> None:
        self.urls = urls
        self.stations: list[Noted] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.token = ""
        self.consoles: list[Console] = []

    @property
    def coups(self) -> dict[str, int]:
        return {one.table: one.mirror.coup for one in self.stations}

    async def play_on(self) -> None:
        """Until every table has begun two more coups, and everybody has wagered."""
        before, wagered = self.coups, [len(one.acknowledged) for one in self.stations]
        await until(
            lambda: (
                all(self.coups[table] > coup + 1 for table, coup in before.items())
                and all(len(one.acknowledged) > n for one, n in zip(self.stations, wagered, strict=True))
            )
        )
        for task in self.tasks:
            assert not task.done(), "a robot was turned away"


@asynccontextmanager
async def _robots(urls: tuple[str, ...]) -> AsyncIterator[Played]:
    staff, played = Staff(urls[0]), Played(urls)
    settings = Settings(feed="views", others=urls[1:], open_within_s=PATIENCE_S)
    async with AsyncExitStack() as stack:
        for table in NAMES:
            console = await staff.enrol(f"C-{table}", "console", table)
            identities = [await staff.enrol(f"{name}-{table}", "station", table, station=name) for name in STATIONS]
            played.token = (await Desk(urls[0]).sign_on("D1", PINS["D1"], console.device)).token
            desk = await stack.enter_async_context(Console(urls[0], console, settings, token=played.token))
            await desk.until(lambda desk=desk: desk.mirror.phase != "closed")  # type: ignore[misc]
            for name, identity in zip(STATIONS, identities, strict=True):
                await desk.ask(BuyIn(station=name, cents=100_000_000))
                station = Noted(table, urls[0], identity, settings)
                played.stations.append(await stack.enter_async_context(station))
            played.consoles.append(desk)
        for number, station in enumerate(played.stations):
            robot = Robot(station.name, "banker" if number % 2 else "follower", number)
            played.tasks.append(asyncio.create_task(Seated(robot, station).play()))
        try:
            yield played
        finally:
            for task in played.tasks:
                task.cancel()
            await asyncio.gather(*played.tasks, return_exceptions=True)


async def _drain(config: Path, *words: str) -> Any:
    ran = await asyncio.to_thread(sabot, "serve", "drain", str(config), *words, "--json")
    assert ran.code == 0, ran.error
    return ran.json


async def _assert_sound(journal: ReadableJournal, played: Played) -> None:
    """Everything acknowledged is on record, no coup is void, nobody was closed out, and every act decides the same."""
    for station in played.stations:
        for key in station.acknowledged:
            assert await journal.find(f"table/{station.table}", key) is not None
    for table in NAMES:
        happened: list[e.Event] = []
        async for record in journal.read(f"table/{table}"):
            accepted = read_answer(record).accepted
            happened += () if accepted is msgspec.UNSET else read_events(accepted)
        void = [event for event in happened if isinstance(event, e.CoupVoided) and event.clause != NO_WAGERS]
        left = [event for event in happened if isinstance(event, e.AccountClosed)]
        assert not void, "no coup is void"
        assert not left, "no patron is logged out"
    assert (await verify(journal, Against(program_digest()), lambda *_: None)).problems == []


# Two processes on one database


@pytest.fixture
def configs(tmp_path: Path, database: Database) -> tuple[Path, Path]:  # noqa: F811
    """Two files of one floor in a database, each with a port of its own."""
    asyncio.run(make_tables(database.owner))
    place = database.application.replace("sabot_pit:sabot_pit@", "sabot_pit@")
    (tmp_path / "password").write_text("sabot_pit\n")
    (tmp_path / "password").chmod(0o600)
    server = {"place": place, "password_file": "password"}
    east = staffed_floor(tmp_path, *TABLES, name="east.toml", journal=server, secrets=server, listen=_port())
    west = write_floor(tmp_path, *TABLES, name="west.toml", journal=server, secrets=server, listen=_port())
    return east, west


def _port() -> dict[str, int]:
    return {"port": free_port()}


@pytest.fixture
def another_build(tmp_path: Path) -> dict[str, str]:
    """The environment of a program whose digest is another one."""
    package = tmp_path / "other" / "sabot"
    shutil.copytree(Path(str(resources.files("sabot"))), package, ignore=shutil.ignore_patterns("__pycache__"))
    changed = package / "table" / "rules.py"
    changed.write_text(changed.read_text("utf-8") + "\n# Another build.\n", "utf-8")
    return {**os.environ, "PYTHONPATH": str(package.parent)}


def test_every_table_goes_to_another_build_and_back_under_robots(
    configs: tuple[Path, Path],
    another_build: dict[str, str],
    database: Database,  # noqa: F811
) -> None:
    """Two versions side by side. The older one ends when it has no table any more, and comes back as the newer."""
    with ExitStack() as stack:
        east = stack.enter_context(serving(configs[0]))
        west = stack.enter_context(serving(configs[1], environment=another_build))
        asyncio.run(_there_and_back(configs, east, west, database))


async def _there_and_back(configs: tuple[Path, Path], east: Process, west: Process, database: Database) -> None:  # noqa: F811
    async with _robots((east.url, west.url)) as played:
        await played.play_on()
        one = await _drain(configs[0], "T2", "--to", west.url)
        assert [(step["table"], step["step"]) for step in one["steps"]][-1] == ("T2", "taken")
        await played.play_on()
        assert _owners(east.url) == {"T1": east.url, "T2": west.url}
        whole = await _drain(configs[0], "--to", west.url)
        assert whole["complete"]
        assert await asyncio.to_thread(east.ended) == 0
        await played.play_on()
        await asyncio.to_thread(east.start)
        back = await _drain(configs[1], "T1", "T2", "--to", east.url)
        assert {step["owner"] for step in back["steps"] if step["step"] == "taken"} == {east.url}
        await played.play_on()
        assert _owners(west.url) == {"T1": east.url, "T2": east.url}
        await _still_signed_on(played)
    journal = await open_to_read(database.application)
    try:
        await _assert_sound(journal, played)
        said = [
            msgspec.json.decode(record.entry.answer)["handed_over"]
            async for record in journal.read("table/T1")
            if record.entry.key.startswith("handed_over/")
        ]
        assert [one["to"] for one in said] == [west.url, east.url]
        assert all(one["by"].endswith(socket.gethostname()) for one in said)
    finally:
        await journal.close()


def _owners(url: str) -> dict[str, str]:
    return {name: get(url, f"/api/owner/{name}").json()["owner"] for name in NAMES}


async def _still_signed_on(played: Played) -> None:
    """The dealer's token, given at the first process before any move, counts at whichever serves the table now."""
    console = played.consoles[-1]
    await console.until(lambda: console.in_touch)
    await console.ask(BuyIn(station="A1", cents=2_500, top_up=True), token=played.token)


# One process on a file


def test_a_process_on_a_file_ends_between_coups_and_devices_come_back(tmp_path: Path) -> None:
    config = staffed_floor(tmp_path, *TABLES, listen=_port())
    with serving(config) as process:
        asyncio.run(_restart(config, process))


async def _restart(config: Path, process: Process) -> None:
    async with _robots((process.url,)) as played:
        await played.play_on()
        drained = await _drain(config)
        assert drained["complete"]
        assert {step["step"] for step in drained["steps"]} == {"waits", "released"}
        assert await asyncio.to_thread(process.ended) == 0
        await asyncio.to_thread(process.start)
        await played.play_on()
    assert await asyncio.to_thread(process.stop) == 0
    journal = await open_to_read(str(config.parent / "floor.journal"))
    await _assert_sound(journal, played)


# Orders that are refused


def test_an_order_that_cannot_be_carried_out_is_refused_in_one_sentence(tmp_path: Path) -> None:
    config = staffed_floor(tmp_path, TABLES[0])
    alone = sabot("serve", "drain", str(config))
    assert_one_clear_sentence(alone)
    assert "no process serves this floor here" in alone.error
    with serving(config):
        unknown = sabot("serve", "drain", str(config), "T9")
        assert_one_clear_sentence(unknown)
        assert "there is no table T9" in unknown.error
        single = sabot("serve", "drain", str(config), "T1")
        assert_one_clear_sentence(single)
        assert "drain the whole process" in single.error
        control = config.with_suffix(".control")
        assert control.stat().st_mode & 0o777 == 0o600, "orders are for the program's user alone"
        assert _ordered(control, b'{"drain": {"tables": "all"}}\n')["refused"].startswith("this is no order")
        assert _ordered(control, b"\xff\n")["refused"].startswith("this is no order")
    assert not alone.out


def _ordered(control: Path, order: bytes) -> Any:
    with socket.socket(socket.AF_UNIX) as asking:
        asking.connect(f"/proc/self/fd/{os.open(control.parent, os.O_RDONLY)}/{control.name}")
        asking.sendall(order)
        return json.loads(asking.makefile("rb").readline())


# Programs of different forms


def test_a_program_with_a_newer_form_waits_until_the_older_process_has_let_go() -> None:
    """The house is one stream: what it writes there would end the other in the middle of its coups."""

    async def scene() -> None:
        now = 1_000
        journal = MemoryJournal(lambda: now)
        entry = Entry("by an older program", "", "", 0, msgspec.Raw(b"{}"))
        older = _in_form(start_of("table/T1"), entry, FORMAT - 1)
        await journal.append("table/T1", 0, [older])
        lease = await journal.acquire_lease("table/T1", "east", 2_000)
        assert lease is not None
        assert await older_process(journal, ["T1", "T2"], now) == "east"
        waiting = asyncio.create_task(until_older_have_left(journal, ["T1"], lambda: now, 0.001))
        await asyncio.sleep(0.02)
        assert not waiting.done()
        await journal.release_lease(lease)
        await asyncio.wait_for(waiting, PATIENCE_S)

    asyncio.run(scene())


def test_a_process_that_takes_a_new_table_at_this_moment_keeps_no_other_from_starting(
    database: Database,  # noqa: F811
) -> None:
    """Between the lease and the first record of a table its head is the start of the stream."""

    async def scene() -> None:
        journal = await PostgresJournal.open(database.application)
        lease = await journal.acquire_lease("table/T1", "east", 2_000)
        assert lease is not None
        assert not lease.has_expired(lease.renewed_ms)
        assert await older_process(journal, ["T1"], lease.renewed_ms) == ""
        await journal.close()

    asyncio.run(scene())


def test_a_process_that_is_overtaken_by_a_newer_program_ends_in_one_sentence(
    configs: tuple[Path, Path],
    database: Database,  # noqa: F811
) -> None:
    async def write_newer() -> None:
        journal = await PostgresJournal.open(database.application)
        try:
            while True:
                head = await journal.head("house")
                newer = _in_form(head, Entry("by a newer program", "", "", 0, msgspec.Raw(b"{}")), FORMAT + 1)
                if isinstance(await journal.append("house", head.version, [newer]), Appended):
                    return
        finally:
            await journal.close()

    with serving(configs[0]) as east:
        asyncio.run(write_newer())
        assert east.ended() == 2
        assert "sabot: a newer program has this journal now" in east.log
        assert "Traceback" not in east.log


def _in_form(head: Head, entry: Entry, form: int) -> Record:
    body = body_of(head.epoch, entry, form)
    link = link_of(head.stream, head.version + 1, body, head.hash)
    return Record(head.stream, head.version + 1, head.epoch, entry, head.hash, link, form)
