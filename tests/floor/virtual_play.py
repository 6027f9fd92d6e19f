"""Whole virtual shoes: the dealer and some robots at a table of each rule set."""

import hashlib
from collections.abc import Callable

import msgspec

from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.virtual.dealer import Crew, FetchShoe, LostShoe, Manner, Pace
from sabot.floor.virtual.play import Turn, play
from sabot.floor.virtual.robots import Habit, Robot
from sabot.floor.virtual.shoe import ENTROPY_BYTES, VirtualShoe, shuffle
from sabot.table.configuration import Configuration
from sabot.table.events import ShoeOpened
from sabot.table.fixtures import fixture

CREW = Crew("D1", "GS1", "CS1")
AT_ONCE = Manner(Pace(0, 0, 0))
HABITS: tuple[Habit, ...] = ("banker", "follower", "tie_hunter", "side_bets", "doubler")


def entropy(seed: int) -> bytes:
    return hashlib.shake_256(str(seed).encode()).digest(ENTROPY_BYTES)


def shoe_of(seed: int, number: int = 1, decks: int = 8, table: str = "T1") -> VirtualShoe:
    return shuffle(table, number, decks, entropy(seed))


def configuration(identity: str) -> Configuration:
    """The rulebook's usual table with a station for each habit."""
    usual = fixture("crown" if identity.startswith("crown") else "singapore")
    like = next(iter(usual.stations.values()))
    stations = {f"S{number}": like for number in range(1, len(HABITS) + 1)}
    return msgspec.structs.replace(usual, rule_set=identity, stations=stations)


def table_with_robots(identity: str, seed: int = 1, cents: int = 500_000) -> tuple[LineTable, list[Robot]]:
    """An open table with money at every station, and a robot of each habit."""
    table = LineFloor().enter(configuration(identity))
    robots = [Robot(f"S{number}", habit, seed) for number, habit in enumerate(HABITS, 1)]
    for line in ({"do": "sign_on", "by": "D1"}, {"do": "open_table", "by": "D1"}):
        assert table.answer(line).ok
    for robot in robots:
        answer = table.answer({"do": "buy_in", "by": "D1", "station": robot.station, "cents": cents})
        assert answer.ok, answer.refusal
    return table, robots


def from_seed(seed: int) -> Callable[[FetchShoe], VirtualShoe | LostShoe]:
    return lambda wanted: shoe_of(seed + wanted.number, wanted.number)


def one_shoe(table: LineTable, robots: list[Robot], seed: int = 1, manner: Manner = AT_ONCE) -> list[Turn]:
    """Every turn until the shoe is opened."""
    turns = []
    for turn in play(table, CREW, manner, robots, from_seed(seed)):
        turns.append(turn)
        if any(isinstance(event, ShoeOpened) for event in turn.answer.events):
            break
    return turns
