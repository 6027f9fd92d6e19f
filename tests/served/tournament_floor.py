"""A floor that two processes serve, with everybody who takes part in a tournament there: the desk over HTTP, the
dealers at their consoles and patrons at their stations over sockets."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import Any, TypeVar

import httpx
import msgspec

from sabot.basics.act import Act
from sabot.basics.role import Role
from sabot.client.connection import Connection, Identity, Settings
from sabot.client.console import Console
from sabot.client.key import DeviceKey
from sabot.client.station import Station
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.configuration import Configuration, StationPart
from sabot.table.fixtures import fixture
from tests.runtime.floors import PATIENCE_S
from tests.served.plain_http import NO_TLS
from tests.served.process import Process
from tests.served.staff import PINS
from tests.served.turned_clock import TurnedClock

Entered = TypeVar("Entered", bound=Connection)
NAME = "GALA"
WORDS = "AS KD 7C 2H 9S TD"
WINNERS = {
    "banker": ("2S", "4H", "4D", "4C"),
    "player": ("4S", "2H", "4D", "4C"),
    "tie": ("4S", "4H", "4D", "4C"),
}
"""Naturals, so that four cards decide: 6 against 8, 8 against 6, 8 against 8."""
Wagers = Mapping[str, tuple[str, int]]
"""Bet and credits, by station."""


def gala_tables(tables: int = 4, stations: int = 50) -> list[Configuration]:
    """Equal tables, whose staff has a director."""
    usual = fixture("crown")
    one = msgspec.structs.replace(
        usual,
        stations={f"A{number}": StationPart(approval=f"ATS-{number:02}") for number in range(1, stations + 1)},
        staff={**usual.staff, "TD1": (Role.TOURNAMENT_DIRECTOR,), "OP1": (Role.OPERATOR,)},
    )
    return [msgspec.structs.replace(one, table=f"T{number}") for number in range(1, tables + 1)]


class GalaFloor:
    """Whatever is asked here goes to a process that lives; what is refused fails the test."""

    def __init__(self, processes: Sequence[Process], clock: TurnedClock, stack: AsyncExitStack) -> None:
        self.processes, self.clock = list(processes), clock
        self.urls = [one.url for one in processes]
        self._stack = stack
        self._tokens: dict[tuple[str, str], str] = {}
        self._settings = Settings(feed="events", open_within_s=PATIENCE_S, others=tuple(self.urls))
        self.consoles: dict[str, Console] = {}
        self.stations: dict[str, dict[str, Station]] = {}
        self._web = httpx.AsyncClient(timeout=PATIENCE_S, verify=NO_TLS)
        stack.push_async_callback(self._web.aclose)
        self.held_ms: int | None = None
        """Where the clock is held while a test asks for many things."""
        self.alive = 0
        """The process that is asked over HTTP."""

    # HTTP

    async def request(self, method: str, path: str, body: Any = None, by: str = "", second: str = "") -> Any:
        """Where the floor wants a pause between requests, the clock is turned on by it."""
        headers = {"Authorization": f"Bearer {await self.token(by)}"} if by else {}
        if second:
            headers["Sabot-Second"] = await self._approval(by, second, body.get("do", "enrol"))
        if self.held_ms is not None:
            self.clock.hold_at(self.held_ms)
        while True:
            answer = await self._web.request(method, self.urls[self.alive] + path, json=body, headers=headers)
            if answer.status_code != httpx.codes.TOO_MANY_REQUESTS:
                break
            self.clock.turn_on(1_000 * answer.json()["values"]["seconds"])
        assert answer.is_success, (path, body, answer.text)
        return answer.json() if answer.content else None

    async def token(self, person: str, device: str = "") -> str:
        if (person, device) not in self._tokens:
            body = {"person": person, "pin": PINS[person], "device": device}
            self._tokens[person, device] = (await self.request("POST", "/api/sign-on", body))["token"]
        return self._tokens[person, device]

    async def _approval(self, by: str, second: str, verb: str) -> str:
        body = {"person": second, "pin": PINS[second], "act": verb}
        return str((await self.request("POST", "/api/approvals", body, by))["token"])

    async def tell(self, verb: str, by: str = "TD1", second: str = "", **fields: Any) -> list[dict[str, Any]]:
        """Tell the tournament something; the events."""
        body = {"do": verb, "tournament": NAME, **fields}
        said = await self.request("POST", f"/api/tournaments/{NAME}", body, by, second)
        events: list[dict[str, Any]] = said["events"]
        return events

    async def house(self, verb: str, by: str, second: str = "", **fields: Any) -> Any:
        return await self.request("POST", "/api/house", {"do": verb, **fields}, by, second)

    async def desk(self) -> dict[str, Any]:
        shown: dict[str, Any] = await self.request("GET", f"/api/tournaments/{NAME}", by="TD1")
        return shown

    async def board(self) -> dict[str, Any]:
        shown: dict[str, Any] = await self.request("GET", f"/api/tournaments/{NAME}/board")
        return shown

    async def until(self, happened: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """The desk, once it shows what is waited for."""
        shown: dict[str, Any] = {}
        for _ in range(PATIENCE_S * 20):
            shown = await self.desk()
            if happened(shown):
                return shown
            await asyncio.sleep(0.05)
        raise AssertionError(msgspec.json.encode({"tables": shown["tables"], "sittings": shown["sittings"]}).decode())

    async def settle_slips(self) -> None:
        """The cage takes and pays every slip that the house has of the tournament."""
        shown = await self.desk()
        for slip in shown["slips"]:
            if slip["status"] == "raised":
                await self.patiently(partial(self._settle, slip))
        await self.until(lambda desk: all(one["status"] != "raised" for one in desk["slips"]))

    async def _settle(self, slip: Mapping[str, Any]) -> None:
        if slip["direction"] == "take":
            await self.house("take_slip", "CA1", slip=slip["slip"], tender="cash")
        else:
            await self.house("pay_slip", "CA1", "CS1", slip=slip["slip"])

    async def patiently(self, ask: Callable[[], Awaitable[None]]) -> None:
        """Ask again for what the floor must carry to the house first."""
        for _ in range(100):
            try:
                return await ask()
            except AssertionError as error:
                if "no_slip" not in str(error) and "unknown_slip" not in str(error):
                    raise
                await asyncio.sleep(0.05)
        return await ask()

    # Devices

    async def enrol(self, device: str, kind: str, table: str, station: str | None = None) -> Identity:
        key = DeviceKey.make()
        body = {"kind": kind, "device": device, "table": table, "approval": "tests", "station": station}
        code = (await self.request("POST", "/api/invitations", body, "CS1", "GS1"))["code"]
        await self.request("POST", f"/api/invitations/{code}", {"key": key.public})
        return Identity(device, key)

    async def connect(self, table: str, identities: Mapping[str, Identity], console: Identity) -> None:
        self.stations[table] = {
            name: await self._enter(Station(self.urls[0], identity, self._settings))
            for name, identity in identities.items()
        }
        token = await self.token("D1", console.device)
        self.consoles[table] = await self._enter(Console(self.urls[0], console, self._settings, token=token))

    async def _enter(self, connection: Entered) -> Entered:
        await connection.__aenter__()
        self._stack.push_async_callback(connection.close)
        return connection

    # Tables

    async def deal(self, table: str, act: Act, by: str = "D1") -> None:
        """What the crew does at the console."""
        console = self.consoles[table]
        await console.ask(act, token=await self.token(by, console.identity.device))  # type: ignore[arg-type]

    async def open_table(self, table: str) -> None:
        for by in ("D1", "GS1"):
            await self.deal(table, acts.SignOn(), by)
        await self.deal(table, acts.OpenTable())
        await self.deal(table, acts.CheckCards(cards=416), "GS1")

    async def bring_shoe(self, table: str) -> None:
        await self.deal(table, acts.NewShoe())
        await self.deal(table, acts.Cut(at=208), "GS1")
        await self.deal(table, acts.Burn())

    async def open_wagering(self, table: str, wagers: Wagers) -> int:
        """The coup's number, once every wager is laid."""
        await self.deal(table, acts.Open())
        console = self.consoles[table]
        await console.until(lambda: console.mirror.phase == "wagering")
        coup = console.mirror.coup
        await asyncio.gather(*(self._lay(table, name, coup, *wager) for name, wager in wagers.items()))
        return coup

    async def _lay(self, table: str, name: str, coup: int, bet: str, credits_laid: int) -> None:
        station = self.stations[table][name]
        await station.until(lambda: station.mirror.coup == coup and station.mirror.phase == "wagering")
        await station.ask(acts.SetWager(bet=Bet(bet), cents=credits_laid), coup=coup)

    async def finish(self, table: str, winner: str) -> None:
        await self.deal(table, acts.Close())
        await self.show(table, winner)

    async def show(self, table: str, winner: str) -> None:
        for card in WINNERS[winner]:
            await self.deal(table, acts.Card(card=card))
        await self.deal(table, acts.Confirm())

    async def coup(self, table: str, winner: str, wagers: Wagers) -> int:
        coup = await self.open_wagering(table, wagers)
        await self.finish(table, winner)
        return coup

    async def correct(self, table: str, coup: int, winner: str) -> None:
        """A wrong outcome was entered: freeze, correct, recalculate (CROWN 11.11)."""
        await self.deal(table, acts.Freeze())
        await self.deal(table, acts.Correct(coup=coup, cards=WINNERS[winner]), "GS1")
        await self.deal(table, acts.Recalculate(), "GS1")
        await self.deal(table, acts.Unfreeze(), "GS1")

    # Processes

    async def kill(self, number: int, takes_over: int, tables: Sequence[str]) -> None:
        """As by a power cut; the other process takes its tables over."""
        await asyncio.to_thread(self.processes[number].kill)
        self.alive = takes_over
        await self.until_served(takes_over, tables)
        devices = [one for table in tables for one in (self.consoles[table], *self.stations[table].values())]
        await asyncio.gather(*map(until_in_touch, devices))

    async def start_again(self, number: int) -> None:
        await asyncio.to_thread(self.processes[number].start)
        self.urls[number] = self.processes[number].url

    async def until_served(self, number: int, tables: Sequence[str]) -> None:
        for table in tables:
            for _ in range(PATIENCE_S * 20):
                said = (await self._web.get(f"{self.urls[number]}/api/owner/{table}")).json()
                if said.get("here"):
                    break
                await asyncio.sleep(0.05)
            else:
                raise AssertionError(f"nobody took {table}")


async def until_in_touch(device: Connection) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not device.in_touch:
            await asyncio.sleep(0.02)
