"""Two processes share the tables of a floor in PostgreSQL: one owner each, taken over when it dies, to the cent."""

import asyncio
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from sabot.client.connection import Identity
from sabot.client.station import Station
from sabot.floor.records.recovery import recover_table
from sabot.journal.keys import admit, new_key, ring_path
from sabot.journal.postgres import PostgresJournal
from sabot.rules.rule_set import Bet
from sabot.table.configuration import Configuration
from sabot.table.state import AnyTable
from sabot.web.identity.vault_postgres import make_tables
from tests.cli.sabot import sabot
from tests.journal.postgres.conftest import (  # noqa: F401  Fixtures.
    Database,
    database,
    migrated_template,
    own_server,
    server_dsn,
)
from tests.runtime.floors import PATIENCE_S, table_for
from tests.served.device import VIEWS
from tests.served.floor_file import staffed_floor, write_floor
from tests.served.process import Process, get, serving, until_ready, until_said
from tests.served.staff import Staff
from tests.web.wagered import Wagered, assert_recorded, buy_in, wager_in_the_next_coup

MINIMUM = table_for().limits[Bet("player")].minimum
TABLES = tuple(table_for(period_ms=600, name=name) for name in ("T1", "T2"))


@pytest.fixture
def configs(tmp_path: Path, database: Database) -> tuple[Path, Path]:  # noqa: F811
    return floor_files(tmp_path, database, *TABLES)


def floor_files(
    tmp_path: Path,
    database: Database,  # noqa: F811
    *tables: Configuration,
    dealer: str = "virtual",
) -> tuple[Path, Path]:
    """Two files of one floor: the journal and the vault, with the shoes, in one database."""
    asyncio.run(make_tables(database.owner))
    place = database.application.replace("sabot_pit:sabot_pit@", "sabot_pit@")
    (tmp_path / "password").write_text("sabot_pit\n")
    (tmp_path / "password").chmod(0o600)
    server = {"place": place, "password_file": "password"}
    east, west = ({**server, "signing_key": f"{name}.key", "anchor": f"{name}.anchor"} for name in ("east", "west"))
    first = staffed_floor(tmp_path, *tables, name="east.toml", dealer=dealer, journal=east, secrets=server)
    second = write_floor(tmp_path, *tables, name="west.toml", dealer=dealer, journal=west, secrets=server)
    return first, second


def test_a_process_takes_no_table_before_the_ring_knows_its_key(
    configs: tuple[Path, Path],
    database: Database,  # noqa: F811
    tmp_path: Path,
) -> None:
    """Each makes a key of its own at its first start; the first founds the ring, the second waits to be admitted."""
    ring = str(tmp_path / "west.key.ring")
    with ExitStack() as stack:
        east = stack.enter_context(serving(configs[0]))
        west = Process(configs[1])
        stack.callback(west.kill)
        west.begin()
        stranger = sabot("keys", "show", ring, "--json").json[-1]["id"]
        answer = get(west.url, "/readyz")
        assert (answer.status_code, answer.json()["signed"]) == (503, True)
        assert f"does not know key {stranger}" in answer.json()["trouble"]
        east.kill()
        assert _owners(west) == {"T1": "", "T2": ""}, "nobody else could verify what it would write"
        assert sabot("keys", "admit", str(tmp_path / "east.key"), ring).code == 0
        patience = time.monotonic() + PATIENCE_S
        while not all(one["served"] for one in until_ready(west.url).values()):
            assert time.monotonic() < patience, west.log
        assert west.log.count(f"does not know key {stranger}") == 1
        trusted = str(tmp_path / "east.key.ring")
        patience = time.monotonic() + PATIENCE_S
        while (live := sabot("journal", "verify", database.application, "--keys", trusted, "--live")).code:
            assert time.monotonic() < patience, live.out
        assert sabot("keys", "rotate", str(tmp_path / "west.key")).code == 0
        until_said(west, "signs with this key from now on")
        assert (west.stop(), "Traceback" in west.log) == (0, False)
    proved = sabot("journal", "verify", database.application, "--keys", trusted, "--json").json
    assert (proved["standing"], proved["unsigned"], proved["problems"]) == ("proved", [], [])


def admit_both(folder: Path) -> None:
    for name in ("east", "west"):
        new_key(folder / f"{name}.key")
    admit(folder / "east.key", ring_path(folder / "west.key"))


def _owners(process: Process) -> dict[str, str]:
    return {name: one["owner"] for name, one in get(process.url, "/readyz").json()["tables"].items()}


def test_a_dead_process_s_tables_are_taken_over_and_no_cent_is_lost(
    configs: tuple[Path, Path],
    database: Database,  # noqa: F811
    tmp_path: Path,
) -> None:
    admit_both(tmp_path)
    with ExitStack() as stack:
        east = stack.enter_context(serving(configs[0]))
        west = stack.enter_context(serving(configs[1]))
        tables = until_ready(west.url)
        assert {name: one["owner"] for name, one in tables.items()} == {"T1": east.url, "T2": east.url}
        assert not any(one["served"] for one in tables.values())
        assert get(west.url, "/api/owner/T1").json() == {"table": "T1", "owner": east.url, "here": False}
        stations = asyncio.run(_play_until_killed(east, west, database, tmp_path / "east.key"))
        asyncio.run(_play_on(west, stations, database))
        assert (west.stop(), "Traceback" in west.log) == (0, False)
    ring = str(tmp_path / "east.key.ring")
    verified = sabot(
        "journal", "verify", database.application, "--keys", ring, "--anchor", str(tmp_path / "west.anchor")
    )
    assert verified.code == 0, verified.out


async def _play_until_killed(
    east: Process,
    west: Process,
    database: Database,  # noqa: F811
    key: Path,
) -> dict[str, Identity]:
    """A station that comes to the wrong process is sent to the owner. Its tables play on while the journal goes on in a
    new part; in the middle of the play the owner dies."""
    staff = Staff(east.url)
    stations = {}
    for table in ("T1", "T2"):
        console = await staff.enrol(f"C-{table}", "console", table)
        stations[table] = await staff.enrol(f"A1-{table}", "station", table, station="A1")
        async with staff.console(console) as desk:
            await buy_in(desk, "A1")
    async with Station(west.url, stations["T1"], VIEWS) as station:
        first = await wager_in_the_next_coup(station, MINIMUM)
        rotated = await asyncio.to_thread(sabot, "journal", "rotate", database.owner, "--key", str(key))
        assert rotated.code == 0, rotated.error
        in_the_new_part = await wager_in_the_next_coup(station, MINIMUM)
        await asyncio.to_thread(east.kill)
        async with asyncio.timeout(PATIENCE_S):
            while not all(one["served"] for one in (await asyncio.to_thread(until_ready, west.url)).values()):
                await asyncio.sleep(0.05)
        second = await wager_in_the_next_coup(station, MINIMUM)
        await _state(database, "T1", first, in_the_new_part, second)
    return stations


async def _play_on(west: Process, stations: dict[str, Identity], database: Database) -> None:  # noqa: F811
    for table, identity in stations.items():
        async with Station(west.url, identity, VIEWS) as station:
            wagered = await wager_in_the_next_coup(station, MINIMUM)
        state = await _state(database, table, wagered)
        assert state.ledger.is_balanced
        assert all(meters.agree_with(state.purse(name)) for name, meters in state.meters.items())


async def _state(database: Database, table: str, *wagered: Wagered) -> AnyTable:  # noqa: F811
    """The table as its records leave it, among which are these."""
    journal = await PostgresJournal.open(database.application)
    try:
        await assert_recorded(journal, table, wagered)
        return (await recover_table(journal, f"table/{table}", "no snapshot")).state
    finally:
        await journal.close()
