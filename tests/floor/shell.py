"""An owner with a journal behind it, one message at a time, so that a test can look at every step."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Literal, TypeVar

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.floor.records.record_codec import Started
from sabot.floor.simulator.opened import configuration_for, opened
from sabot.floor.table_owner import effects as do
from sabot.floor.table_owner.errands import Backing, carry_out
from sabot.floor.table_owner.messages import Asked, Connected, OwnerMessage, Start, Woken, Written
from sabot.floor.table_owner.opening import Opening
from sabot.floor.table_owner.owner import Owner
from sabot.journal.journal import Appended, AppendOutcome, Journal, SignedCheckpoint
from sabot.journal.record import Record
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.configuration import Configuration
from sabot.views.audience import Audience
from sabot.wire.frames import Answer, Ask, Hello, OwnerFrame, Told, Welcome

STATIONS = 3
STREAM = "table/T1"
SALT = "00" * 16
T = TypeVar("T")
Told_ = TypeVar("Told_", Answer, Told, Welcome)


class Shell:
    """Does at once what the owner wants, except for appends while `hold` is set."""

    def __init__(
        self,
        journal: Journal,
        name: str = "east",
        now: int = 5_000,
        configuration: Configuration | None = None,
        proves: Callable[[SignedCheckpoint], bool] = lambda _: False,
    ) -> None:
        opening = Opening(name, Started("a build"), configuration or configuration_for(STATIONS), lambda _: SALT)
        self.owner = Owner(opening, proves)
        self._backing = Backing(journal=journal, owner=name, build="", wall_ms=lambda: self.now)
        self.journal, self.name, self.now = journal, name, now
        self.hold = False
        self.held: list[do.Append] = []
        self.told: list[tuple[str, OwnerFrame]] = []
        self.effects: list[do.OwnerEffect] = []

    async def say(self, message: OwnerMessage) -> None:
        """Give the owner a message, and do all that follows from it."""
        due = [message]
        while due:
            for effect in self.owner.handle(self.now, due.pop(0)):
                self.effects.append(effect)
                answer = await self._do(effect)
                if answer is not None:
                    due.append(answer)

    async def _do(self, effect: do.OwnerEffect) -> OwnerMessage | None:
        match effect:
            case do.Tell():
                self.told.append((effect.device, effect.frame))
            case do.Append() if self.hold:
                self.held.append(effect)
            case do.Disconnect() | do.TellHouse() | do.Publish() | do.Vouch() | do.RaiseAlarm() | do.Wake():
                pass
            case do.KeepSnapshot():
                pass  # So that every owner reads the records themselves.
            case _:
                return await carry_out(effect, STREAM, self._backing)
        return None

    async def append(self, effect: do.Append) -> AppendOutcome:
        return await self.journal.append(STREAM, effect.expected_version, effect.records)

    async def let_go(self) -> None:
        """Write what was held."""
        self.hold = False
        for effect in self.held:
            outcome = await self.append(effect)
            assert isinstance(outcome, Appended)
            await self.say(Written(effect.errand, outcome))
        self.held.clear()

    async def open(self) -> "Shell":
        """Own an opened table, with a console and every station connected."""
        await self.say(Start())
        await self.say(hello("console", audience=Audience.CONSOLE))
        for number in range(1, STATIONS + 1):
            await self.say(hello(f"A{number}"))
        self.told.clear()
        self.effects.clear()
        return self

    async def wake(self, after_ms: int) -> None:
        self.now += after_ms
        await self.say(Woken())

    def heard(self, device: str, kind: type[Told_]) -> list[Told_]:
        """What a device was told, of one kind."""
        return [frame for to, frame in self.told if to == device and isinstance(frame, kind)]

    def done(self, kind: type[T]) -> list[T]:
        return [effect for effect in self.effects if isinstance(effect, kind)]

    @property
    def epoch(self) -> int:
        assert self.owner.term is not None
        return self.owner.term.epoch


def hello(
    device: str,
    audience: Audience = Audience.STATION,
    *,
    feed: Literal["views", "events"] = "events",
    proof: SignedCheckpoint | None = None,
    **fields: Any,
) -> Connected:
    station = device if audience is Audience.STATION else ""
    return Connected(device, audience, Hello(feed=feed, **fields), station, proof)


def wager(station: str, epoch: int, n: int, coup: int | None = 1, cents: int = 2_500, bet: str = "player") -> Asked:
    act = acts.SetWager(bet=Bet(bet), cents=cents)
    return Asked(station, Ask(epoch=epoch, n=n, coup=coup, act=act), Stamp(by=station, role=Role.STATION))


def dealer(act: acts.DeviceAct, epoch: int, n: int, coup: int | None = None, **stamped: Any) -> Asked:
    stamp = Stamp(by="D1", role=Role.DEALER, **stamped)
    return Asked("console", Ask(epoch=epoch, n=n, coup=coup, act=act), stamp)


async def open_in(journal: Journal) -> Journal:
    """The journal of a table that is open for play."""
    outcome = await journal.append(STREAM, 0, opened(STATIONS))
    assert isinstance(outcome, Appended)
    return journal


async def records_in(journal: Journal) -> list[Record]:
    return [record async for record in journal.read(STREAM)]


def plays(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """A test that awaits, as a plain function."""

    def run() -> None:
        asyncio.run(test())

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run
