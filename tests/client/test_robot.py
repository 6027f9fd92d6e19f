"""Robots at stations over the wire, whichever feed they follow, play coup after coup within their purses."""

import asyncio
from functools import partial
from pathlib import Path

from sabot.client.robot import Seated
from sabot.client.station import Station
from sabot.floor.virtual.robots import Habit, Robot
from tests.runtime.floors import sit_down, table_for, until
from tests.served.device import EVENTS, VIEWS
from tests.served.open_table import OpenTable, open_table

HABITS: tuple[Habit, ...] = ("banker", "follower", "tie_hunter", "side_bets", "doubler")
BOUGHT_IN = 500_000
COUPS = 8
TABLE = table_for(stations=2 * len(HABITS), period_ms=400)


async def _seat(floor: OpenTable, number: int) -> Seated:
    """Odd stations follow views, even ones events."""
    name = f"A{number + 1}"
    robot = Robot(name, HABITS[number // 2], seed=number)
    follows_events = number % 2
    station = await floor.station(name, EVENTS if follows_events else VIEWS, BOUGHT_IN)
    limits = {bet: TABLE.limits[bet] for bet in floor.state.offered} if follows_events else None
    return Seated(robot, station, limits)


def _shows_what_is_on_record(floor: OpenTable, station: Station) -> bool:
    return station.balance == floor.balance(station.name)


def test_robots_on_both_feeds_play_at_a_virtual_table_and_show_what_is_on_record(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_table(None, TABLE, shoe=False) as floor:
            seated = [await _seat(floor, number) for number in range(2 * len(HABITS))]
            tasks = [asyncio.create_task(one.play()) for one in seated]
            dealers = sit_down(floor.floor, tmp_path)
            await until(lambda: floor.state.coups >= COUPS)
            for dealer in dealers:
                dealer.stop()
            for one in seated:
                await until(partial(_shows_what_is_on_record, floor, one.station))
            for task in tasks:
                assert not task.done()
                task.cancel()
            assert all(one.accepted >= COUPS // 2 for one in seated)
            assert len({one.station.balance for one in seated}) > 1

    asyncio.run(play())


def test_a_robot_that_is_behind_enough_leaves() -> None:
    async def play() -> None:
        async with open_table() as floor:
            station = await floor.station("A1", VIEWS, BOUGHT_IN)
            seated = Seated(Robot("A1", "banker", 1, leaves=(BOUGHT_IN, 2 * BOUGHT_IN)), station)
            task = asyncio.create_task(seated.play())
            await until(lambda: floor.state.stations["A1"].leaving)
            task.cancel()

    asyncio.run(play())
