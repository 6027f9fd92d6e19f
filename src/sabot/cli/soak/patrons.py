"""The robots of a soak at stations of the client library, and a ledger of their own of what they were told."""

import asyncio
import contextlib
import time
from collections import defaultdict
from typing import Any

import msgspec

from sabot.cli.soak.floor_under_soak import DEALER, SoakDevice, SoakFloor
from sabot.client.connection import Settings
from sabot.client.console import Console
from sabot.client.desk import Desk
from sabot.client.outcome import DeviceTurnedAway
from sabot.client.robot import Seated
from sabot.client.station import Station
from sabot.floor.virtual.robots import Habit, Robot
from sabot.house.state import DeviceKind
from sabot.rules.rule_set import Bet
from sabot.table.acts import BuyIn, DeviceAct, SetWager
from sabot.wire.frames import Answer

HABITS: tuple[Habit, ...] = ("banker", "follower", "tie_hunter", "side_bets")
"""Those that say the whole amount of every wager, so that a ledger of one's own can be kept."""
BROUGHT_CENTS = 1_000_000_000
"""More than a robot can lose in a month of soaking."""
UNHURRIED = Settings(feed="views", open_within_s=None)


class Acknowledged(msgspec.Struct, frozen=True, gc=False):
    """A wager that the floor has acknowledged."""

    table: str
    station: str
    coup: int
    bet: Bet
    cents: int
    key: str


class OwnLedger:
    """What was acknowledged to devices, and how long each touch took."""

    def __init__(self) -> None:
        self.wagers: list[Acknowledged] = []
        self.brought: dict[tuple[str, str], int] = {}
        """By table and station."""
        self.last_at = time.monotonic()
        """When the newest wager was acknowledged."""
        self._latencies: list[float] = []

    def note(self, wager: Acknowledged, seconds: float) -> None:
        self.wagers.append(wager)
        self._latencies.append(seconds)
        self.last_at = time.monotonic()

    def take_latencies(self) -> list[float]:
        """In seconds, of the touches since the last call."""
        taken, self._latencies = self._latencies, []
        return taken

    def by_coup(self) -> dict[tuple[str, int], dict[str, dict[Bet, int]]]:
        """By table and coup: what each station was told lies on each bet."""
        found: dict[tuple[str, int], dict[str, dict[Bet, int]]] = defaultdict(lambda: defaultdict(dict))
        for one in self.wagers:
            found[one.table, one.coup][one.station][one.bet] = one.cents
        return found


class NotedStation(Station):
    """A station that writes down every wager that was acknowledged to it."""

    def __init__(self, url: str, device: SoakDevice, ledger: OwnLedger) -> None:
        super().__init__(url, device.identity, UNHURRIED)
        self.device, self._ledger = device, ledger

    async def ask(self, act: DeviceAct, **rest: Any) -> Answer:
        if not isinstance(act, SetWager):
            return await super().ask(act, **rest)
        coup, began = self.mirror.coup, time.monotonic()
        answer = await super().ask(act, coup=coup)
        device = self.device
        key = f"ask/{device.identity.device}/{answer.epoch}/{answer.n}"
        wager = Acknowledged(device.table, device.station, coup, act.bet, act.cents, key)
        self._ledger.note(wager, time.monotonic() - began)
        return answer


class Patrons:
    """Everybody at the tables, for as long as the block lasts."""

    def __init__(self, floor: SoakFloor, seed: int) -> None:
        self.own = OwnLedger()
        self.gave_up: list[str] = []
        """Devices that did not come back, with the reason."""
        self._floor, self._seed = floor, seed
        self.stations = [NotedStation(floor.url, one, self.own) for one in floor.of(DeviceKind.STATION)]
        self._leaving = contextlib.AsyncExitStack()
        self._tasks: list[asyncio.Task[None]] = []

    async def sit_down(self) -> None:
        await self._buy_in()
        for station in self.stations:
            await self._leaving.enter_async_context(station)
        for number, station in enumerate(self.stations):
            robot = Robot(station.device.station, HABITS[number % len(HABITS)], self._seed + number)
            self._tasks.append(asyncio.create_task(self._play(robot, station)))

    async def _buy_in(self) -> None:
        """The dealer sells chips to every station of each table."""
        desk = Desk(self._floor.url)
        for device in self._floor.of(DeviceKind.CONSOLE):
            async with Console(self._floor.url, device.identity, UNHURRIED) as console:
                await console.until(lambda one=console: one.mirror.phase != "closed")  # type: ignore[misc]
                signed = await desk.sign_on(DEALER, self._floor.pin, device.identity.device, device.identity.key)
                for one in self._floor.of(DeviceKind.STATION):
                    if one.table == device.table:
                        await console.ask(BuyIn(station=one.station, cents=BROUGHT_CENTS), token=signed.token)
                        self.own.brought[one.table, one.station] = BROUGHT_CENTS
                await desk.sign_off(signed.token)

    async def _play(self, robot: Robot, station: NotedStation) -> None:
        try:
            await Seated(robot, station).play()
        except DeviceTurnedAway as away:
            self.gave_up.append(f"{station.device.identity.device}: {away}")

    async def stop_playing(self) -> None:
        for task in self._tasks:
            task.cancel()
        ended = await asyncio.gather(*self._tasks, return_exceptions=True)
        self.gave_up += [repr(one) for one in ended if isinstance(one, Exception)]
        self._tasks = []

    async def until_settled(self) -> None:
        """Until every station is shown a coup after its last wager, so that its balance is final."""
        newest: dict[str, int] = defaultdict(int)
        for one in self.own.wagers:
            newest[one.table] = max(newest[one.table], one.coup)
        for station in self.stations:
            last = newest[station.device.table] + 1
            await station.until(lambda one=station, coup=last: one.in_touch and one.mirror.coup > coup)  # type: ignore[misc]

    async def leave(self) -> None:
        await self.stop_playing()
        await self._leaving.aclose()
