"""A floor for tests: one table of any rule set in a journal, with a dealer that deals as fast as the table answers."""

import asyncio
import inspect
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, Stamped
from sabot.cli.demo_table import CREW, configuration_of
from sabot.floor.exchange.house_to_table import TAKEN_UP_WITHIN_MS
from sabot.floor.table_owner.messages import Asked, Connected
from sabot.floor.virtual.dealer import Manner, Pace
from sabot.journal.journal import Journal
from sabot.journal.keys import SigningKey
from sabot.journal.signer import Signer
from sabot.rules import shipped
from sabot.rules.rule_set import Bet
from sabot.runtime.floor import RunningFloor
from sabot.runtime.link import LinkFeed, Published
from sabot.runtime.shoe_files import FiledShoes, ShoeFiles
from sabot.runtime.table_runner import RunningTable, TableBacking
from sabot.runtime.virtual_dealer import VirtualDealer
from sabot.table import acts
from sabot.table.configuration import Configuration
from sabot.table.history.state import KEPT_COUPS
from sabot.views.audience import Audience
from sabot.wire.frames import Answer, Ask, FloorFrame, Hello, Told, ViewFrame, Welcome

Given = Stamped[acts.DeviceAct]
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


class Clocks:
    """The clocks of a floor's machine; a test may put both of them ahead, so that minutes pass at once."""

    ahead_ms = 0

    def now(self) -> int:
        return monotonic_ms() + self.ahead_ms

    def wall_ms(self) -> int:
        return wall_ms() + self.ahead_ms


def backing(
    journal: Journal,
    owner: str = "east",
    key: SigningKey | None = None,
    keeps: int = KEPT_COUPS,
    clocks: Clocks | None = None,
) -> TableBacking:
    clocks = clocks or Clocks()
    signer = None if key is None else Signer(journal, key, owner, clocks.wall_ms)
    return TableBacking(
        journal=journal,
        owner=owner,
        build="a build",
        now=clocks.now,
        wall_ms=clocks.wall_ms,
        signer=signer,
        keeps=keeps,
    )


@asynccontextmanager
async def running(
    journal: Journal,
    *tables: Configuration,
    owner: str = "east",
    alone: bool = True,
    key: SigningKey | None = None,
    taken_up_within_s: float = TAKEN_UP_WITHIN_MS / 1_000,
    keeps: int = KEPT_COUPS,
    clocks: Clocks | None = None,
) -> AsyncIterator[RunningFloor]:
    floor = RunningFloor(backing(journal, owner, key, keeps, clocks), tables or (table_for(),), alone=alone)
    floor.taken_up_within_s = taken_up_within_s
    await floor.start()
    try:
        yield floor
    finally:
        await floor.stop()


def sit_down(floor: RunningFloor, folder: Path, manner: Manner = AT_ONCE) -> list[VirtualDealer]:
    """A virtual dealer at every table."""
    shoes = FiledShoes(ShoeFiles(folder / "shoes", folder / "floor.key"))
    dealers = [VirtualDealer(floor, name, CREW, manner, shoes) for name in floor.tables]
    for dealer in dealers:
        dealer.start()
    return dealers


async def until(happened: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
    """Wait for it to be so; where it never is, that is what the test has found."""
    give_up = time.monotonic() + patience_s
    while not happened():
        assert time.monotonic() < give_up, f"it was never so: {_words_of(happened)}"
        await asyncio.sleep(0.005)


def _words_of(condition: Callable[[], object]) -> str:
    """The lines where a condition stands, as one."""
    try:
        return " ".join(inspect.getsource(condition).split())
    except (OSError, TypeError):
        return repr(condition)


class Seat:
    """A device at a running table, in the same process, that keeps what it hears."""

    def __init__(
        self, table: RunningTable, device: str, audience: Audience = Audience.STATION, feed: LinkFeed = "events"
    ) -> None:
        self.table, self.device, self.audience, self.feed = table, device, audience, feed
        self.heard: list[FloorFrame | Published] = []
        self.ended: list[str] = []
        self.epoch = self.n = 0
        self.view: dict[str, Any] = {}

    @property
    def station(self) -> str:
        return self.device if self.audience is Audience.STATION else ""

    def tell(self, frame: FloorFrame | Published) -> None:
        self.heard.append(frame)
        if isinstance(frame, Welcome):
            self.epoch, self.n = frame.epoch, self.n if frame.epoch == self.epoch else 0
        sections = frame.changed if isinstance(frame, ViewFrame) else frame.view if isinstance(frame, Welcome) else None
        self.view |= {name: _as_told(section) for name, section in (sections or {}).items()}

    def end(self, why: str, owner: str = "") -> None:
        self.ended.append(f"{why} {owner}".strip())

    async def hello(self, **fields: Any) -> None:
        before = len(self.heard)
        hello = Hello(feed="events" if self.feed == "events" else "views", **fields)
        self.table.hello(Connected(self.device, self.audience, hello, self.station), self)
        await until(lambda: len(self.heard) > before or self.ended)

    def ask(self, given: Given, coup: int | None = None) -> int:
        self.n += 1
        ask = Ask(epoch=self.epoch, n=self.n, coup=coup, act=given.act)
        self.table.receive(Asked(self.device, ask, given.stamp))
        return self.n

    async def answer(self, given: Given, coup: int | None = None) -> Answer:
        n = self.ask(given, coup)
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


def by_dealer(act: acts.DeviceAct) -> Given:
    """As the stamper would stamp it; the first sign-on of the house is the dealer's."""
    return Stamped(act, Stamp(by="D1", role=Role.DEALER, sign_on=1 if isinstance(act, acts.SignOn) else 0))


def buy_in(station: str, cents: int = 1_000_000) -> Given:
    return by_dealer(acts.BuyIn(station=station, cents=cents))


def wager(station: str, cents: int, bet: str = "player") -> Given:
    return Stamped(acts.SetWager(bet=Bet(bet), cents=cents), Stamp(by=station, role=Role.STATION))


def _as_told(section: object) -> object:
    """A section as a device reads it."""
    return msgspec.json.decode(msgspec.json.encode(section, enc_hook=str))
