"""An owner with a journal behind it, one message at a time, so that a test can look at every step."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from sabot.basics.role import Role
from sabot.floor.records.record_codec import Started
from sabot.floor.simulator.opened import configuration_for, opened
from sabot.floor.table_owner import effects as do
from sabot.floor.table_owner.messages import (
    Answer,
    Ask,
    Found,
    HeadSeen,
    Hello,
    Message,
    Name,
    Renewed,
    Start,
    ToDevice,
    Told,
    Took,
    Welcome,
    Woken,
    Written,
)
from sabot.floor.table_owner.owner import LEASE_MS, Owner
from sabot.floor.table_owner.take_over import take_table
from sabot.floor.table_owner.term import Opening
from sabot.journal.journal import Appended, Journal, Outcome, SignedCheckpoint
from sabot.journal.record import Record
from sabot.rules.rule_set import Bet
from sabot.table import acts as c
from sabot.table.configuration import Configuration
from sabot.views.audience import Audience

STATIONS = 3
STREAM = "table/T1"
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
        opening = Opening(name, Started("a build"), configuration or configuration_for(STATIONS))
        self.owner = Owner(opening, proves)
        self.journal, self.name, self.now = journal, name, now
        self.hold = False
        self.held: list[do.Append] = []
        self.told: list[tuple[str, ToDevice]] = []
        self.effects: list[do.Effect] = []

    async def say(self, message: Message) -> None:
        """Give the owner a message, and do all that follows from it."""
        due = [message]
        while due:
            for effect in self.owner.handle(self.now, due.pop(0)):
                self.effects.append(effect)
                answer = await self._do(effect)
                if answer is not None:
                    due.append(answer)

    async def _do(self, effect: do.Effect) -> Message | None:
        match effect:
            case do.Tell():
                self.told.append((effect.device, effect.message))
            case do.Append() if self.hold:
                self.held.append(effect)
            case do.Append():
                return Written(effect.errand, await self.append(effect))
            case do.Take():
                return Took(effect.errand, await take_table(self.journal, STREAM, self.name, LEASE_MS, "", effect.held))
            case do.Renew():
                leases = await self.journal.renew_leases([effect.lease], LEASE_MS)
                return Renewed(effect.errand, leases[0] if leases else None)
            case do.Find():
                return Found(effect.errand, effect.hello, await self.journal.find(STREAM, effect.key))
            case do.LookAtHead():
                return HeadSeen(effect.errand, await self.journal.head(STREAM))
            case do.Release():
                await self.journal.release_lease(effect.lease)
            case _:
                pass
        return None

    async def append(self, effect: do.Append) -> Outcome:
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
        await self.say(Woken({f"A{number}": "00" * 16 for number in range(1, STATIONS + 1)}))

    def heard(self, device: str, kind: type[Told_]) -> list[Told_]:
        """What a device was told, of one kind."""
        return [message for to, message in self.told if to == device and isinstance(message, kind)]

    def done(self, kind: type[T]) -> list[T]:
        return [effect for effect in self.effects if isinstance(effect, kind)]

    @property
    def epoch(self) -> int:
        assert self.owner.tenure is not None
        return self.owner.tenure.epoch


def hello(device: str, audience: Audience = Audience.STATION, **fields: Any) -> Hello:
    station = device if audience is Audience.STATION else ""
    return Hello(device=device, audience=audience, station=station, **fields)


def wager(station: str, epoch: int, n: int, coup: int = 1, cents: int = 2_500, bet: str = "player") -> Ask:
    command = c.SetWager(by=station, role=Role.STATION, at_ms=0, station=station, bet=Bet(bet), cents=cents)
    return Ask(station, Name(epoch, n), coup, command)


def dealer(kind: type[c.Command], epoch: int, n: int, coup: int | None = None, **fields: Any) -> Ask:
    return Ask("console", Name(epoch, n), coup, kind(by="D1", role=Role.DEALER, at_ms=0, **fields))


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
