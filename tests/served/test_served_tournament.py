"""A whole tournament over HTTP and web sockets, on a floor that two processes serve and one of them dies."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest

from sabot.audit.money_aside import check_tournament_records
from sabot.audit.verify import Against, verify
from sabot.client.connection import Identity
from sabot.floor.records.program_digest import program_digest
from sabot.floor.records.record_codec import table_stream
from sabot.floor.records.recovery import recover_house, recover_table, recover_tournament
from sabot.journal.postgres import PostgresJournal
from sabot.table import acts
from sabot.table.state import TableState
from sabot.tournament.conditions.file import write_conditions
from sabot.tournament.conditions.fixtures import fixture
from sabot.tournament.phase import TournamentPhase
from sabot.web.identity.vault_postgres import make_tables
from tests.journal.postgres.conftest import (  # noqa: F401  Fixtures.
    Database,
    database,
    migrated_template,
    own_server,
    server_dsn,
)
from tests.served.floor_file import staffed_floor, write_floor
from tests.served.process import Process, free_port
from tests.served.tournament_floor import NAME, WORDS, GalaFloor, gala_tables
from tests.served.turned_clock import TurnedClock

TABLES = ("T1", "T2", "T3", "T4")
OF_EAST, OF_WEST = TABLES[:2], TABLES[2:]
PLAYERS, ALL_PLAYERS = 48, 200
CONNECTED = 8
"""So many stations of each table have a device. The patrons of the others lay nothing, and forfeit."""
MINUTE_MS = 60_000
HELD_MS = 10_000
"""Into the minute of entry; the clock goes no further while entrants register, however slow the machine is."""


def local(at_ms: int) -> str:
    zone = ZoneInfo(gala_tables(1)[0].time_zone)
    return datetime.fromtimestamp(at_ms / 1000, UTC).astimezone(zone).strftime("%Y-%m-%dT%H:%M")


def conditions(opens_ms: int, players: int) -> dict[str, Any]:
    """Three rounds of three, three and four coups, a minute apart."""
    raw: dict[str, Any] = msgspec.json.decode(write_conditions(fixture("spring")))
    times = [local(opens_ms + minute * MINUTE_MS) for minute in range(4)]
    usual = {"sessions": 1, "balances": "cancelled", "credit": 200_000}
    raw |= {"id": NAME, "buy_back": {"allowed": False}, "prizes": [{"place": 1, "share": 100}]}
    raw["entry"] |= {
        "opens": times[0],
        "closes": times[1],
        "withdraw_free_until": times[1],
        "maximum_players": players,
        "alternates": 0,
    }
    raw["game"]["limits"] = {
        "player": {"minimum": 2_500, "step": 500, "maximum": 50_000},
        "banker": {"minimum": 2_500, "step": 500, "maximum": 50_000},
        "tie": {"minimum": 500, "step": 500, "maximum": 1_000},
    }
    raw["rounds"] = [
        {"name": "heats", "from": [{"entrants": "all"}], "tables": 4, "coups": 3}
        | {"seats": players // len(TABLES), "starts": [times[1]]},
        {"name": "semi", "from": [{"round": "heats", "top_per_table": 8}], "tables": 4, "seats": 8, "coups": 3}
        | {"starts": [times[2]]},
        {"name": "final", "from": [{"round": "semi", "top_per_table": 2}], "tables": 1, "seats": 8, "coups": 4}
        | {"starts": [times[3]]},
    ]
    raw["rounds"] = [one | usual for one in raw["rounds"]]
    raw["ranking"] |= {"tie_breaks": ["count_back", "lots"], "prize_ties": "share"}
    raw["ranking"].pop("play_off")
    raw["conduct"] |= {"signature": False, "substitutes": {"allowed": True, "latest_coup": 3}}
    raw["attendance"] |= {"grace_minutes": 0, "late": {"admitted": True, "penalty_credits": 5_000, "latest_coup": 3}}
    return raw


@pytest.fixture
def configs(tmp_path: Path, database: Database) -> tuple[Path, Path]:  # noqa: F811
    """Two files of one floor; each process has two tables, and stands by for the other two."""
    asyncio.run(make_tables(database.owner))
    place = database.application.replace("sabot_pit:sabot_pit@", "sabot_pit@")
    (tmp_path / "password").write_text("sabot_pit\n")
    (tmp_path / "password").chmod(0o600)
    server = {"place": place, "password_file": "password"}
    ways: dict[str, Any] = {"dealer": "live", "journal": server, "secrets": server}
    own = {"east": OF_EAST, "west": OF_WEST}
    made = []
    for name, tables in own.items():
        write = staffed_floor if name == "east" else write_floor
        parts = [{"file": f"{one}.toml", "stand_by": one not in tables} for one in TABLES]
        listen = {"port": free_port()}
        made.append(write(tmp_path, *gala_tables(), name=f"{name}.toml", listen=listen, tables=parts, **ways))
    return made[0], made[1]


@pytest.mark.parametrize("players", [PLAYERS, pytest.param(ALL_PLAYERS, marks=pytest.mark.whole)])
def test_entrants_play_three_rounds_while_processes_die(
    players: int,
    configs: tuple[Path, Path],
    database: Database,  # noqa: F811
    tmp_path: Path,
) -> None:
    clock = TurnedClock(tmp_path / "clock")
    with ExitStack() as stack:
        east, west = (Process(config, clock.path) for config in configs)
        stack.callback(east.kill)
        stack.callback(west.kill)
        with ThreadPoolExecutor() as together:
            list(together.map(Process.start, (east, west)))

        async def play() -> dict[str, Any]:
            async with AsyncExitStack() as connected:
                gala = Gala(GalaFloor([east, west], clock, connected), players)
                return await gala.play()

        board = asyncio.run(play())
        assert [(west.stop(), east.stop())] == [(0, 0)]
        assert "Traceback" not in west.log + east.log
    asyncio.run(assert_all_is_well(database, players, board))


class Gala:
    """The tournament, step by step."""

    def __init__(self, floor: GalaFloor, players: int) -> None:
        self.floor, self.players = floor, players
        self.opens_ms = 0

    async def play(self) -> dict[str, Any]:
        await self.prepare()
        await self.enter()
        await self.heats()
        await self.semi()
        await self.final()
        return await self.end()

    async def prepare(self) -> None:
        floor = self.floor
        await floor.until_served(0, OF_EAST)
        await floor.until_served(1, OF_WEST)
        await floor.token("CS1")
        devices = await asyncio.gather(*(self.enrol(table) for table in TABLES))
        self.opens_ms = (floor.clock.now_ms() // MINUTE_MS + 1) * MINUTE_MS
        floor.clock.turn_to(self.opens_ms)
        for table in TABLES:
            await floor.connect(table, *devices[TABLES.index(table)])

    async def enrol(self, table: str) -> tuple[dict[str, Identity], Identity]:
        """The stations of a table that have a device, and its console."""
        console = await self.floor.enrol(f"{table}-console", "console", table)
        names = [f"A{number}" for number in range(1, CONNECTED + 1)]
        return {name: await self.floor.enrol(f"{table}-{name}", "station", table, name) for name in names}, console

    async def enter(self) -> None:
        floor = self.floor
        await floor.tell("create_tournament", "OP1", name="Gala")
        await floor.tell("save_conditions", "OP1", conditions=conditions(self.opens_ms, self.players))
        version = (await floor.desk())["versions"][-1]
        approved = {"version": version["version"], "digest": version["digest"], "reference": "VCGR-7"}
        await floor.tell("approve_conditions", "OP1", "CS1", **approved)
        await floor.tell("appoint_director", "OP1", director="TD1")
        await floor.until(lambda desk: desk["phase"] == "entry_open")
        await floor.tell("be_present")
        floor.held_ms = self.opens_ms + HELD_MS
        for number in range(1, self.players + 1):
            form: dict[str, Any] = {"criteria": ["member"], "identity_checked": True, "form_digest": f"{number:064}"}
            await floor.tell("register_entrant", "CA1", player=f"P-{number}", **form)
        await floor.settle_slips()
        floor.held_ms = None
        floor.clock.turn_to(self.opens_ms + MINUTE_MS)
        await floor.until(lambda desk: desk["phase"] == "ready")
        await floor.tell("brief")
        await floor.tell("designate_tables", tables=list(TABLES))
        await asyncio.gather(*(floor.open_table(table) for table in TABLES))
        await floor.until(lambda desk: set(desk["tables"].values()) == {"reserved"})

    async def call(self, name: str, minute: int, tables: tuple[str, ...], absent: tuple[str, ...] = ()) -> None:
        """Draw and call a round; `absent` are seats such as `T1/A1`."""
        floor = self.floor
        floor.clock.turn_to(self.opens_ms + minute * MINUTE_MS)
        desk = await floor.until(lambda desk: any(one["name"] == name and one["commitment"] for one in desk["rounds"]))
        await floor.tell("draw_seats", round=name, words=WORDS)
        desk = await floor.desk()
        late = [one["entrant"] for one in desk["entrants"] if one["seat"] in absent]
        await floor.tell("call_session", round=name, session=1, absent=late)
        await asyncio.gather(*(floor.bring_shoe(table) for table in tables))
        await floor.until(lambda desk: _states(desk, name) == ["open"] * len(tables))

    async def entrant_at(self, seat: str) -> int:
        return next(int(one["entrant"]) for one in (await self.floor.desk())["entrants"] if one["seat"] == seat)

    async def close(self, name: str) -> None:
        floor = self.floor
        await floor.until(lambda desk: set(_states(desk, name)) == {"played"})
        await floor.tell("close_session")
        await floor.until(lambda desk: set(_states(desk, name)) == {"closed"})

    async def confirm(self, name: str) -> None:
        await self.floor.tell("confirm_round", round=name, words=WORDS)
        await self.floor.until(lambda desk: any(one["name"] == name and one["confirmed"] for one in desk["rounds"]))

    async def heats(self) -> None:
        """A substitute and a late arrival; the owner of two tables dies while wagers are laid, and after the close.

        Wagering that was open is void, and its coup is played again; sealed wagers are confirmed, and dealt on.
        """
        floor = self.floor
        await self.call("heats", 1, TABLES, absent=("T1/A1",))
        await asyncio.gather(*(floor.coup(table, "banker", laid(2)) for table in TABLES))
        await floor.tell("record_arrival", entrant=await self.entrant_at("T1/A1"))
        await floor.tell("approve_substitute", entrant=await self.entrant_at("T2/A2"), substitute="P-900")
        await floor.open_wagering("T1", laid(2))
        await floor.open_wagering("T2", laid(2))
        await floor.deal("T2", acts.Close())
        await floor.kill(0, 1, OF_EAST)
        await floor.start_again(0)
        await floor.deal("T2", acts.ConfirmRecords())
        await floor.show("T2", "player")
        again = [table for table in TABLES if table != "T2"]
        coups = await asyncio.gather(*(floor.coup(table, "player", laid(1)) for table in again))
        second = dict(zip(again, coups, strict=True))
        await floor.correct("T3", second["T3"], "banker")
        unwell = await self.entrant_at(f"T3/A{self.players // len(TABLES)}")
        await floor.tell("retire", entrant=unwell, reason="unwell")
        await floor.tell("disqualify", entrant=await self.entrant_at("T4/A8"), ground="conduct", reason="shouts")
        at = {table: CONNECTED - (table == "T4") for table in TABLES}
        await asyncio.gather(*(floor.coup(table, "banker", laid(1, at[table])) for table in TABLES))
        await self.close("heats")
        before = await floor.board()
        await floor.correct("T1", second["T1"], "banker")
        await self.until_board_moves(before)
        await self.confirm("heats")

    async def until_board_moves(self, before: Mapping[str, Any]) -> None:
        for _ in range(400):
            if (await self.floor.board())["rows"] != before["rows"]:
                return
            await asyncio.sleep(0.05)
        raise AssertionError("the correction never came to the board")

    async def semi(self) -> None:
        """The process that has all tables by now dies in the middle of a coup, and starts again."""
        floor = self.floor
        await self.call("semi", 2, TABLES)
        await asyncio.gather(*(floor.coup(table, "banker", laid(1)) for table in TABLES))
        await floor.open_wagering("T4", laid(1))
        await floor.kill(1, 0, TABLES)
        await floor.start_again(1)
        for _ in range(2):
            await asyncio.gather(*(floor.coup(table, "banker", laid(1)) for table in TABLES))
        await self.close("semi")
        await self.confirm("semi")

    async def final(self) -> None:
        """One wins all that can be won; the last coup can change nothing, and is not played (CROWN 12.3.5(a))."""
        floor = self.floor
        await self.call("final", 3, ("T1",))
        for _ in range(3):
            await floor.coup("T1", "banker", {"A1": ("banker", 50_000)})
        await floor.until(lambda desk: [one["counted"] for one in desk["sittings"] if one["round"] == "final"] == [3])
        await floor.tell("conclude_early", table="T1", reason="decided")
        await self.close("final")
        await self.confirm("final")

    async def end(self) -> dict[str, Any]:
        floor = self.floor
        await floor.tell("award_prizes", "TD1", "CS1", words=WORDS)
        await floor.settle_slips()
        board = await floor.board()
        await floor.tell("release_tables")
        await floor.until(lambda desk: not desk["tables"] or set(desk["tables"].values()) == {"released"})
        await floor.tell("close_books", "OP1")
        await floor.until(lambda desk: desk["phase"] == "closed")
        return board


def laid(first: int, last: int = CONNECTED) -> dict[str, tuple[str, int]]:
    """A different wager on Banker at each connected station from the first to the last."""
    return {f"A{number}": ("banker", 5_000 + 500 * number) for number in range(first, last + 1)}


def _states(desk: Mapping[str, Any], name: str) -> list[str]:
    return [one["state"] for one in desk["sittings"] if one["round"] == name]


async def assert_all_is_well(database: Database, players: int, board: Mapping[str, Any]) -> None:  # noqa: F811
    """The records follow from the rules and agree; the board is the records'; all the money is where it belongs."""
    journal = await PostgresJournal.open(database.application)
    try:
        verdict = await verify(journal, Against(program_digest()), lambda *_: None)
        assert verdict.ok, verdict.problems
        checked = await check_tournament_records(journal, NAME)
        assert checked.ok, checked.problems
        assert checked.sessions == len(TABLES) * 2 + 1
        tournament = (await recover_tournament(journal, NAME, "no snapshot")).state
        house = (await recover_house(journal, "no snapshot")).state
        tables = {name: (await recover_table(journal, table_stream(name), "no snapshot")).state for name in TABLES}
    finally:
        await journal.close()
    assert tournament.phase is TournamentPhase.CLOSED
    assert house.ledger.is_balanced
    (prize,) = tournament.prizes
    assert prize.cents == tournament.pool_cents == players * fixture("spring").entry.to_pool_cents
    assert (board["rows"][0]["entrant"], board["rows"][0]["rank"]) == (prize.entrant, 1)
    for name, table in tables.items():
        assert isinstance(table, TableState)
        assert (table.session, table.reserved) == (None, None)
        assert table.ledger.is_balanced
        for sitting, kept in table.kept_sessions.items():
            noted = tournament.sittings[sitting]
            assert noted.table == name
            assert (noted.revision, noted.counted) == (kept.revision, kept.counted)
            assert [dict(one) for one in noted.scores] == [dict(one.scores) for one in kept.scores]
