"""The database of a served floor is away, with commands under way: every device is back by itself, and each command has
one outcome."""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from sabot.client.station import Station
from sabot.journal.postgres import PostgresJournal
from sabot.web.identity.vault_postgres import make_tables
from tests.journal.postgres.conftest import Database, own_database  # noqa: F401  A fixture.
from tests.journal.postgres.relay import Relay
from tests.journal.postgres.server import PostgresServer
from tests.runtime.floors import PATIENCE_S
from tests.served.floor_file import staffed_floor
from tests.served.process import Process
from tests.web.outages import TABLE, Outage, Tally, assert_to_the_cent, play_through, within

AT_THE_DOOR = ("a device must try again", "a device was turned away")


def killed(server: PostgresServer) -> Outage:
    return Outage(_in_thread(server.kill), _restarted(server), _is_turned_back)


def frozen(server: PostgresServer) -> Outage:
    """Every process of the server stopped, and let go on: nothing is refused, and nothing answered."""
    stopped: list[int] = []

    def stop() -> None:
        stopped.extend(_processes(server))
        _signal(stopped, signal.SIGSTOP)

    return Outage(_in_thread(stop), _in_thread(lambda: _signal(stopped, signal.SIGCONT)), _waits_for_an_answer())


def cut(relay: Relay) -> Outage:
    return Outage(relay.cut_all, relay.mend, _is_turned_back)


def _is_turned_back(process: Process, devices: list[Station]) -> bool:
    tried = sum(process.log.count(words) for words in AT_THE_DOOR)
    return tried >= len(devices) and not any(one.in_touch for one in devices)


def _waits_for_an_answer() -> Callable[[Process, list[Station]], bool]:
    """Longer than a table waits before it tells that the journal does not answer."""
    felt = time.monotonic() + 3
    return lambda _process, _devices: time.monotonic() > felt


def _in_thread(do: Callable[[], object]) -> Callable[[], Awaitable[object]]:
    return lambda: asyncio.to_thread(do)


def _restarted(server: PostgresServer) -> Callable[[], Awaitable[object]]:
    async def start() -> None:
        server.start()  # The server ends with the thread that started it, so not in another one.

    return start


def _signal(processes: list[int], number: int) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)


def _processes(server: PostgresServer) -> list[int]:
    """The main process of the server, and those that it started."""
    main = int((server.folder / "data" / "postmaster.pid").read_text().splitlines()[0])
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    return [main, *(process for process, parent in parents.items() if parent == main)]


async def check(database: Database, tallies: list[Tally]) -> None:
    await assert_to_the_cent(await PostgresJournal.open(database.application), tallies)


def config_for(folder: Path, database: Database, place: str = "") -> Path:
    asyncio.run(make_tables(database.owner))
    (folder / "password").write_text("sabot_pit\n")
    (folder / "password").chmod(0o600)
    own = database.application.replace("sabot_pit:sabot_pit@", "sabot_pit@")
    server = {"place": place or own, "password_file": "password"}
    return staffed_floor(folder, TABLE, journal=server, secrets=server)


@pytest.mark.parametrize("fault", [killed, frozen])
@pytest.mark.parametrize("lasts_s", [0, pytest.param(180, marks=pytest.mark.whole)])
def test_devices_come_back_by_themselves_after_the_database_was_away(
    tmp_path: Path,
    own_server: PostgresServer,
    own_database: Database,  # noqa: F811
    fault: Callable[[PostgresServer], Outage],
    lasts_s: float,
) -> None:
    config = config_for(tmp_path, own_database)
    played = play_through(Process(config), lambda: fault(own_server), lasts_s)
    tallies = asyncio.run(within(PATIENCE_S * 2 + lasts_s, played))
    asyncio.run(check(own_database, tallies))


def test_devices_come_back_by_themselves_after_the_wire_to_the_database_was_cut(
    tmp_path: Path,
    own_server: PostgresServer,
    own_database: Database,  # noqa: F811
) -> None:
    async def test() -> list[Tally]:
        async with Relay(own_server.folder) as relay:
            place = f"postgresql://sabot_pit@127.0.0.1:{relay.port}/{own_database.name}"
            config = await asyncio.to_thread(config_for, tmp_path, own_database, place)
            return await play_through(Process(config), lambda: cut(relay))

    tallies = asyncio.run(within(PATIENCE_S * 2, test()))
    asyncio.run(check(own_database, tallies))
