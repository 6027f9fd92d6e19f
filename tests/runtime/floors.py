"""A floor for tests: one table of any rule set in a journal, with a dealer that deals as fast as the table answers."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from sabot.basics.role import Role
from sabot.cli.demo_table import CREW, configuration_of
from sabot.floor.table_owner.messages import Answer, Ask, Hello, Name, Told, Welcome
from sabot.floor.virtual.dealer import Manner, Pace
from sabot.journal.journal import Journal
from sabot.journal.keys import SigningKey
from sabot.rules import shipped
from sabot.runtime.floor import RunningFloor
from sabot.runtime.link import Feed, Telling, ViewShown, ViewWelcome
from sabot.runtime.shoe_files import ShoeFiles
from sabot.runtime.table_runner import Backing, RunningTable
from sabot.runtime.virtual_dealer import VirtualDealer
from sabot.table import acts as c
from sabot.table.configuration import Configuration
from sabot.views.audience import Audience

AT_ONCE = Manner(Pace().times(0))
PATIENCE_S = 60
"""How long a test waits for what must come; only a failing test ever waits so long."""


def monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def wall_ms() -> int:
    return time.time_ns() // 1_000_000


def table_for(
    rule_set: str = "crown-traditional", stations: int = 3, period_ms: int = 200, name: str = "T1"
) -> Configuration:
    places = [f"A{number}" for number in range(1, stations + 1)]
    made = configuration_of(shipped.rule_set(rule_set), 8, places, name)
    return msgspec.structs.replace(made, wagering_period_ms=period_ms)


def backing(journal: Journal, owner: str = "east", key: SigningKey | None = None) -> Backing:
    return Backing(journal=journal, owner=owner, build="a build", now=monotonic_ms, wall_ms=wall_ms, key=key)


@asynccontextmanager
async def running(
    journal: Journal, *tables: Configuration, owner: str = "east", alone: bool = True, key: SigningKey | None = None
) -> AsyncIterator[RunningFloor]:
    floor = RunningFloor(backing(journal, owner, key), tables or (table_for(),), alone=alone)
    await floor.start()
    try:
        yield floor
    finally:
        await floor.stop()


def sit_down(floor: RunningFloor, folder: Path, manner: Manner = AT_ONCE) -> list[VirtualDealer]:
    """A virtual dealer at every table."""
    shoes = ShoeFiles(folder / "shoes", folder / "floor.key")
    dealers = [VirtualDealer(table, CREW, manner, shoes) for table in floor.tables.values()]
    for dealer in dealers:
        dealer.start()
    return dealers


async def until(happened: Callable[[], object]) -> None:
    """Wait for it to be so."""
    async with asyncio.timeout(PATIENCE_S):
        while not happened():
            await asyncio.sleep(0.005)


class Seat:
    """A device at a running table, in the same process, that keeps what it hears."""

    def __init__(
        self, table: RunningTable, device: str, audience: Audience = Audience.STATION, feed: Feed = "events"
    ) -> None:
        self.table, self.device, self.audience, self.feed = table, device, audience, feed
        self.heard: list[Telling] = []
        self.ended: list[str] = []
        self.epoch = self.n = 0
        self.view: dict[str, Any] = {}

    @property
    def station(self) -> str:
        return self.device if self.audience is Audience.STATION else ""

    def tell(self, telling: Telling) -> None:
        self.heard.append(telling)
        if isinstance(telling, Welcome | ViewWelcome):
            self.epoch, self.n = telling.epoch, self.n if telling.epoch == self.epoch else 0
        if isinstance(telling, ViewShown | ViewWelcome):
            self.view |= {name: msgspec.json.decode(section) for name, section in telling.changed.items()}

    def end(self, why: str, owner: str = "") -> None:
        self.ended.append(f"{why} {owner}".strip())

    async def hello(self, **fields: Any) -> None:
        before = len(self.heard)
        self.table.hello(Hello(device=self.device, audience=self.audience, station=self.station, **fields), self)
        await until(lambda: len(self.heard) > before or self.ended)

    def ask(self, command: c.Command, coup: int | None = None) -> int:
        self.n += 1
        self.table.ask(Ask(self.device, Name(self.epoch, self.n), coup, command))
        return self.n

    async def answer(self, command: c.Command, coup: int | None = None) -> Answer:
        n = self.ask(command, coup)
        await until(lambda: self._answer_to(n) is not None)
        answer = self._answer_to(n)
        assert answer is not None
        return answer

    def _answer_to(self, n: int) -> Answer | None:
        answers = (one for one in self.heard if isinstance(one, Answer))
        return next((one for one in answers if (one.epoch, one.n) == (self.epoch, n)), None)

    def of(self, kind: type[Any]) -> list[Any]:
        return [one for one in self.heard if isinstance(one, kind)]

    @property
    def events(self) -> list[Any]:
        return [event for told in self.of(Told) for event in told.events]


def buy_in(station: str, cents: int = 1_000_000) -> c.BuyIn:
    return c.BuyIn(by="D1", role=Role.DEALER, at_ms=0, station=station, cents=cents)


def wager(station: str, cents: int, bet: str = "player") -> c.SetWager:
    return msgspec.convert(
        {"by": station, "role": Role.STATION, "at_ms": 0, "station": station, "bet": bet, "cents": cents}, c.SetWager
    )
