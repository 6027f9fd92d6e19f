"""Virtual shoes of a floor of several processes lie in its database: any process deals on from the same shoe."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from sabot.audit.fairness import ShoeStanding, fairness
from sabot.basics.mistake import Mistake
from sabot.cli.fair.shoes import evidence_of
from sabot.client.connection import Identity
from sabot.client.console import Console
from sabot.client.outcome import CommandRefused
from sabot.client.robot import Seated
from sabot.client.station import Station
from sabot.floor.records.record_codec import read_answer, read_events
from sabot.floor.virtual.robots import Robot
from sabot.journal.postgres import PostgresJournal
from sabot.runtime.shoe_files import ShoeFiles, ShoeKey
from sabot.table import acts
from sabot.table import events as e
from sabot.web.identity import vault_postgres, vault_sqlite
from sabot.web.identity.vault import Vault
from sabot.web.identity.vault_postgres import make_tables
from sabot.web.identity.vault_shoes import VaultShoes
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
from tests.served.process import Process, serving
from tests.served.staff import PINS, Staff
from tests.web.wagered import buy_in

TABLE = table_for(period_ms=400, stations=1)


@pytest.fixture
def machines(tmp_path: Path, database: Database) -> tuple[Path, Path]:  # noqa: F811
    """The files of two processes on machines of their own, which share the database and the floor's keys."""
    asyncio.run(make_tables(database.owner))
    files = []
    for name, write in (("east", staffed_floor), ("west", write_floor)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "password").write_text("sabot_pit\n")
        (folder / "password").chmod(0o600)
        place = database.application.replace("sabot_pit:sabot_pit@", "sabot_pit@")
        server = {"place": place, "password_file": "password"}
        files.append(write(folder, TABLE, journal={**server, "unsigned": True}, secrets=server))
    return files[0], files[1]


def _share(keys: tuple[str, ...], machines: tuple[Path, Path]) -> None:
    for name in keys:
        shutil.copy2(machines[0].parent / name, machines[1].parent / name)


@pytest.mark.clause("CROWN 11.15(a)", "CROWN 11.15(b)")
def test_a_shoe_is_dealt_on_by_another_process_when_its_own_has_died_and_proves_to_its_end(
    machines: tuple[Path, Path],
    database: Database,  # noqa: F811
) -> None:
    with ExitStack() as stack:
        east = stack.enter_context(serving(machines[0]))
        _share(("floor.key", "draws.key"), machines)
        west = stack.enter_context(serving(machines[1]))
        asyncio.run(_deal_with_both(east, west, database))
        assert "Traceback" not in west.log
        assert "a virtual shoe is lost" not in west.log
    assert not [path for machine in machines for path in (machine.parent / "shoes").glob("*.shoe")]


async def _deal_with_both(east: Process, west: Process, database: Database) -> None:  # noqa: F811
    """A robot plays; in the middle of a shoe its process dies, another deals on, and a supervisor ends the shoe."""
    staff = Staff(east.url)
    console = await staff.enrol("C-T1", "console")
    identity = await staff.enrol("A1", "station")
    async with staff.console(console) as desk:
        await buy_in(desk, "A1")
    settings = msgspec.structs.replace(VIEWS, others=(west.url,))
    async with Station(east.url, identity, settings) as station:
        playing = asyncio.create_task(Seated(Robot("A1", "banker", 1), station).play())
        first = {epoch for epoch, _ in await _until(database, _cards(6))}
        await asyncio.to_thread(east.kill)
        at_kill = len(_cards(0)(await _events(database)))
        await _until(database, _cards(at_kill + 6))
        playing.cancel()
    await _end_the_shoe(west, console)
    dealt = await _until(database, lambda events: [one for one in events if isinstance(one[1], e.ShoeOpened)])
    cards = _cards(0)(dealt)
    assert {event.shoe for _, event in cards} == {1}
    assert first < {epoch for epoch, _ in cards}, "both processes have dealt from it"
    journal = await PostgresJournal.open(database.application)
    try:
        verdict = fairness((await evidence_of(journal, TABLE.table))[0])
    finally:
        await journal.close()
    assert (verdict.standing, verdict.shoe) == (ShoeStanding.PROVED, 1), verdict.sentence


async def _end_the_shoe(west: Process, identity: Identity) -> None:
    token = (await Staff(west.url).desk.sign_on("CS1", PINS["CS1"], identity.device)).token
    async with Console(west.url, identity, VIEWS, token=token) as console, asyncio.timeout(PATIENCE_S):
        await console.ask(acts.SignOn())
        while True:
            try:
                return await _ordered(console)
            except CommandRefused:
                await asyncio.sleep(0.05)  # A coup is under way.


async def _ordered(console: Console) -> None:
    await console.ask(acts.OrderShuffle(reason="the end of the test"))


_Dealt = list[tuple[int, e.Event]]


def _cards(least: int) -> Callable[[_Dealt], list[tuple[int, e.CardDealt]]]:
    """The cards dealt with the epochs of their owners, once there are so many."""

    def found(events: _Dealt) -> list[tuple[int, e.CardDealt]]:
        cards = [(epoch, event) for epoch, event in events if isinstance(event, e.CardDealt)]
        return cards if len(cards) >= least else []

    return found


async def _until(database: Database, found: Callable[[_Dealt], object]) -> _Dealt:  # noqa: F811
    async with asyncio.timeout(PATIENCE_S):
        while not found(events := await _events(database)):
            await asyncio.sleep(0.05)
    return events


async def _events(database: Database) -> list[tuple[int, e.Event]]:  # noqa: F811
    """What happened at the table, each with the epoch of the owner who wrote it."""
    journal = await PostgresJournal.open(database.application)
    try:
        return [
            (record.epoch, event)
            async for record in journal.read(f"table/{TABLE.table}")
            if (accepted := read_answer(record.entry).accepted)
            for event in read_events(accepted)
        ]
    finally:
        await journal.close()


def test_a_process_with_another_key_for_shoes_is_refused_at_its_start(
    machines: tuple[Path, Path],
    database: Database,  # noqa: F811
) -> None:
    async def has_shoes() -> None:
        async with await vault_postgres.open_vault(database.application) as vault, asyncio.timeout(PATIENCE_S):
            while not await vault.has_shoes():
                await asyncio.sleep(0.05)

    with serving(machines[0]):
        asyncio.run(has_shoes())
        refused = sabot("serve", "--config", str(machines[1]), within_s=PATIENCE_S)
    assert refused.code == 2
    assert "is not the one that locked the virtual shoes of this floor" in refused.error


class TestShoesInTheVault:
    @pytest.fixture(params=["sqlite", "postgres"])
    def place(self, request: pytest.FixtureRequest, tmp_path: Path) -> str:
        if request.param == "sqlite":
            return str(tmp_path / "vault")
        given: Database = request.getfixturevalue("database")
        asyncio.run(make_tables(given.owner))
        return given.application

    @asynccontextmanager
    async def _opened(self, place: str) -> AsyncIterator[Vault]:
        opened = vault_sqlite.open_vault(Path(place)) if place[0] == "/" else await vault_postgres.open_vault(place)
        async with opened as vault:
            yield vault

    def _shoes(self, vault: Vault, folder: Path, key: str = "floor.key") -> VaultShoes:
        return VaultShoes(vault, ShoeKey(folder / key), ShoeFiles(folder / "shoes", folder / key), missing_s=0)

    def test_a_shoe_is_found_by_its_commitment_and_forgotten_with_those_before_it(
        self, place: str, tmp_path: Path
    ) -> None:
        async def test() -> None:
            async with self._opened(place) as vault:
                await self._shoes(vault, tmp_path).check_key()
                first = await self._shoes(vault, tmp_path).new("T1", 1, 8)
                rival = await self._shoes(vault, tmp_path).new("T1", 1, 8)
                later = await self._shoes(vault, tmp_path).new("T1", 2, 8)
            async with self._opened(place) as vault:
                shoes = self._shoes(vault, tmp_path)
                for shoe in (first, rival, later):
                    found = await shoes.find("T1", shoe.number, shoe.commitment)
                    assert (found.order, found.salt) == (shoe.order, shoe.salt)
                    locked = await vault.shoe("T1", shoe.number, shoe.commitment)
                    assert locked is not None
                    assert "".join(shoe.order) not in locked
                await shoes.forget("T1", 1)
                with pytest.raises(Mistake, match="shoe 1 is not in the vault"):
                    await shoes.find("T1", 1, first.commitment)
                await shoes.find("T1", 2, later.commitment)

        asyncio.run(test())

    def test_a_shoe_that_was_changed_or_moved_does_not_come_open(self, place: str, tmp_path: Path) -> None:
        async def test() -> None:
            async with self._opened(place) as vault:
                shoes = self._shoes(vault, tmp_path)
                shoe = await shoes.new("T1", 1, 8)
                locked = await vault.shoe("T1", 1, shoe.commitment) or ""
                await vault.keep_shoe("T1", 2, shoe.commitment, locked)
                with pytest.raises(Mistake, match="it is shoe 1 of table T1, not shoe 2"):
                    await shoes.find("T1", 2, shoe.commitment)

        asyncio.run(test())

    def test_another_key_is_refused_as_long_as_a_shoe_lies_there(self, place: str, tmp_path: Path) -> None:
        async def test() -> None:
            async with self._opened(place) as vault:
                mine, other = (self._shoes(vault, tmp_path, name) for name in ("floor.key", "other.key"))
                await mine.check_key()
                await other.check_key()
                await mine.check_key()
                await mine.new("T1", 1, 8)
                with pytest.raises(Mistake, match="not the one that locked"):
                    await other.check_key()
                await mine.forget("T1", 1)
                await other.check_key()

        asyncio.run(test())

    def test_a_lost_key_is_not_replaced_in_silence(self, place: str, tmp_path: Path) -> None:
        async def test() -> None:
            async with self._opened(place) as vault:
                shoes = self._shoes(vault, tmp_path)
                await shoes.new("T1", 1, 8)
                (tmp_path / "floor.key").unlink()
                with pytest.raises(Mistake, match="cannot be read"):
                    await shoes.check_key()

        asyncio.run(test())
