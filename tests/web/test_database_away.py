"""The database of a served floor is away, with commands under way: every device is back by itself, and each command has
one outcome."""

import asyncio
import contextlib
import logging
import os
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from sabot.client.station import Station
from sabot.floor.records.recovery import recover_table
from sabot.journal.postgres import PostgresJournal
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.state import TableState
from sabot.web.identity.vault_postgres import make_tables
from sabot.wire.frames import Answer, Lost
from tests.journal.postgres.conftest import Database, own_database  # noqa: F401  A fixture.
from tests.journal.postgres.relay import Relay
from tests.journal.postgres.server import PostgresServer
from tests.runtime.floors import PATIENCE_S, table_for, until
from tests.served.device import VIEWS
from tests.served.floor_file import staffed_floor
from tests.served.process import Process
from tests.served.staff import Staff
from tests.web.wagered import buy_in, wager_in_the_next_coup

log = logging.getLogger(__name__)
"""`-o log_cli=true --log-cli-level=info` shows the figures."""
TABLE = table_for(period_ms=600)
MINIMUM = TABLE.limits[Bet("player")].minimum
ACCEPTORS = ("A2", "A3")
NOTE = 500
AT_THE_DOOR = ("a device must try again", "a device was turned away")


class Tally:
    """The notes of one acceptor: how many were acknowledged, and how many are said never to be recorded."""

    def __init__(self, acceptor: Station) -> None:
        self.acceptor = acceptor
        self.acknowledged = self.lost = 0
        self.over = False

    async def stack(self) -> None:
        """Note after note, so that one is under way at any moment."""
        while not self.over:
            outcome = await self.acceptor.outcome_of(acts.Note(cents=NOTE))
            if isinstance(outcome, Answer):
                assert outcome.refusal is None
                self.acknowledged += 1
            else:
                assert isinstance(outcome, Lost)
                self.lost += 1


class Outage(NamedTuple):
    begin: Callable[[], Awaitable[object]]
    end: Callable[[], Awaitable[object]]
    is_felt: Callable[[Process, list[Station]], object]
    """Whether the devices have lost the floor, and found no way in."""


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


async def play_through(config: Path, outage: Callable[[], Outage], lasts_s: float = 0) -> list[Tally]:
    """Acceptors take note after note and a station wagers; the database goes away and comes back."""
    process = Process(config)
    try:
        await asyncio.to_thread(process.start)
        async with contextlib.AsyncExitStack() as stack:
            staff = Staff(process.url)
            async with staff.console(await staff.enrol("C", "console")) as console:
                await buy_in(console, "A1")
            devices = [Station(process.url, await staff.enrol("A1", "station", station="A1"), VIEWS)]
            for name in ACCEPTORS:
                identity = await staff.enrol(f"{name}-notes", "note_acceptor", station=name)
                devices.append(Station(process.url, identity, VIEWS))
            for device in devices:
                await stack.enter_async_context(device)
            await wager_in_the_next_coup(devices[0], MINIMUM)
            tallies = [Tally(acceptor) for acceptor in devices[1:]]
            stacking = [asyncio.create_task(tally.stack()) for tally in tallies]
            await until(lambda: all(tally.acknowledged > 3 for tally in tallies))
            away = outage()
            began = time.monotonic()
            await away.begin()
            try:
                await until(lambda: away.is_felt(process, devices))
                await asyncio.sleep(max(0, began + lasts_s - time.monotonic()))
            finally:
                await away.end()
            back = time.monotonic()
            before = [tally.acknowledged for tally in tallies]
            await wager_in_the_next_coup(devices[0], MINIMUM)
            log.info("the next wager was acknowledged %.1f s after the database was back", time.monotonic() - back)
            await until(lambda: all(tally.acknowledged > one for tally, one in zip(tallies, before, strict=True)))
            for tally in tallies:
                tally.over = True
            await asyncio.gather(*stacking)
        assert await asyncio.to_thread(process.stop) == 0
    finally:
        await asyncio.to_thread(process.kill)
    return tallies


async def assert_to_the_cent(database: Database, tallies: list[Tally]) -> None:
    journal = await PostgresJournal.open(database.application)
    try:
        state = (await recover_table(journal, "table/T1", "no snapshot")).state
    finally:
        await journal.close()
    assert isinstance(state, TableState)
    assert state.ledger.is_balanced
    assert [state.purse(name).balance for name in ACCEPTORS] == [tally.acknowledged * NOTE for tally in tallies]


def config_for(folder: Path, database: Database, place: str = "") -> Path:
    asyncio.run(make_tables(database.owner))
    (folder / "password").write_text("sabot_pit\n")
    (folder / "password").chmod(0o600)
    own = database.application.replace("sabot_pit:sabot_pit@", "sabot_pit@")
    server = {"place": place or own, "password_file": "password"}
    return staffed_floor(folder, TABLE, journal=server, secrets=server)


@pytest.mark.parametrize("fault", [killed, frozen])
def test_devices_come_back_by_themselves_after_the_database_was_away(
    tmp_path: Path,
    own_server: PostgresServer,
    own_database: Database,  # noqa: F811
    fault: Callable[[PostgresServer], Outage],
) -> None:
    config = config_for(tmp_path, own_database)
    tallies = asyncio.run(_within(PATIENCE_S * 2, play_through(config, lambda: fault(own_server))))
    asyncio.run(assert_to_the_cent(own_database, tallies))


@pytest.mark.whole
@pytest.mark.parametrize("fault", [killed, frozen])
def test_devices_come_back_by_themselves_after_three_minutes(
    tmp_path: Path,
    own_server: PostgresServer,
    own_database: Database,  # noqa: F811
    fault: Callable[[PostgresServer], Outage],
) -> None:
    config = config_for(tmp_path, own_database)
    tallies = asyncio.run(_within(PATIENCE_S * 6, play_through(config, lambda: fault(own_server), lasts_s=180)))
    asyncio.run(assert_to_the_cent(own_database, tallies))


def test_devices_come_back_by_themselves_after_the_wire_to_the_database_was_cut(
    tmp_path: Path,
    own_server: PostgresServer,
    own_database: Database,  # noqa: F811
) -> None:
    async def test() -> list[Tally]:
        async with Relay(own_server.folder) as relay:
            place = f"postgresql://sabot_pit@127.0.0.1:{relay.port}/{own_database.name}"
            config = await asyncio.to_thread(config_for, tmp_path, own_database, place)
            return await play_through(config, lambda: cut(relay))

    tallies = asyncio.run(_within(PATIENCE_S * 2, test()))
    asyncio.run(assert_to_the_cent(own_database, tallies))


async def _within(seconds: float, test: Awaitable[list[Tally]]) -> list[Tally]:
    async with asyncio.timeout(seconds):
        return await test
