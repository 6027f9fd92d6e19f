"""A table at the end of a conversation: its owner, and all that the owner wants done, carried out at once."""

import hashlib
from collections.abc import Callable, Iterable
from typing import Protocol

from sabot.basics.stamp import Stamp
from sabot.floor.lines.stream import NotKept
from sabot.floor.records.record_codec import LINES, Started, table_stream
from sabot.floor.shared_owner.kinds import HouseDecision
from sabot.floor.table_owner import effects as do
from sabot.floor.table_owner.effects import Happening
from sabot.floor.table_owner.errands import Backing, carry_out, vouch_for
from sabot.floor.table_owner.messages import Connected, OwnerMessage, Start, Stop, Took, Woken
from sabot.floor.table_owner.opening import Opening
from sabot.floor.table_owner.owner import Owner
from sabot.house.acts import HouseAct
from sabot.journal.ownership import StreamNotTaken
from sabot.table import acts
from sabot.table.configuration import Configuration
from sabot.table.events import Event
from sabot.table.refusal import Refused
from sabot.table.state import TableState
from sabot.views.audience import Audience
from sabot.wire.frames import Answer, Hello, Welcome


class LineClock:
    """A clock that stands still between lines."""

    follows_journal = False

    def __init__(self, at_ms: int) -> None:
        self.at_ms = at_ms

    def table_ms(self, _: int) -> int:
        return self.at_ms

    def own(self, _: int) -> int | None:
        return None

    def alive_until(self, _: int) -> int:
        """The last line was the last sign of life."""
        return self.at_ms


class LineRecord(Happening, frozen=True, gc=False):
    """An act that was decided, and the number of the line that led to it."""

    n: int = 0


class FloorBehind(Protocol):
    """What a table needs of the floor that it stands on."""

    backing: Backing
    own_ms: Callable[[], int]
    alarms: list[str]
    log: list[object]

    async def ask_house(self, act: HouseAct, stamp: Stamp, at_ms: int) -> HouseDecision: ...


class OwnedTable:
    def __init__(self, floor: FloorBehind, configuration: Configuration, n: int, now_ms: int) -> None:
        self._floor, self.name, self.n = floor, configuration.table, n
        self.records: list[LineRecord] = []
        """Every act that was decided, accepted or refused."""
        self.found: tuple[Event, ...] = ()
        """What became of the table as it was taken."""
        self._stream = table_stream(self.name)
        self._clock = LineClock(now_ms)
        backing = floor.backing
        started = Started(backing.build)
        self._owner = Owner(
            Opening(backing.owner, started, configuration, self._salt, backing.keeps, clock=lambda *_: self._clock)
        )
        self._epoch = 0
        self._refusal: Refused | None = None
        self._is_leaving = False

    @property
    def now_ms(self) -> int:
        return self._clock.at_ms

    def catch_up(self, now_ms: int) -> None:
        """Let the time pass that has passed elsewhere on the floor."""
        self._clock.at_ms = max(self._clock.at_ms, now_ms)

    @property
    def is_served(self) -> bool:
        return self._owner.term is not None and self._owner.term.is_serving

    @property
    def state(self) -> TableState:
        term = self._owner.term
        if term is None:
            raise NotKept(f"nothing was answered, for table {self.name} is not owned here")
        return term.state

    @property
    def history(self) -> list[Event]:
        return [event for record in self.records for event in record.events]

    # Owning

    async def begin(self) -> None:
        self._is_leaving = False
        await self.receive(Start())
        taken = (record for record in self.records if isinstance(record.act, acts.Restart))
        self.found = tuple(event for record in taken for event in record.events)
        await self.receive(Connected(LINES, Audience.CONSOLE, Hello()))

    async def leave(self) -> None:
        """Leave in order: snapshot, checkpoint, and the lease free for the next owner."""
        self._is_leaving = True
        await self.receive(Stop())

    async def receive(self, message: OwnerMessage) -> None:
        """Hand the owner a message, and carry out what it wants: note what is durable first, and write last."""
        effects = self._owner.handle(self._floor.own_ms(), message)
        for effect in sorted(effects, key=lambda one: (isinstance(one, do.Append), not isinstance(one, do.Publish))):
            await self._do(effect)

    async def wake(self) -> None:
        """Let the owner renew its lease, if it is time."""
        await self.receive(Woken())

    async def _do(self, effect: do.OwnerEffect) -> None:
        match effect:
            case do.Tell():
                self._hear(effect.frame)
            case do.Disconnect() if not self._is_leaving:
                raise NotKept(f"nothing was answered, for table {self.name} has another owner or could not be written")
            case do.TellHouse():
                await self._floor.ask_house(effect.act, effect.stamp, self.now_ms)
            case do.Publish():
                self._note(effect.happenings)
            case do.RaiseAlarm():
                self._floor.alarms.append(effect.text)
            case do.Vouch():
                await vouch_for(effect.head, self._floor.backing)
            case do.Wake() | do.Disconnect():
                pass  # The shell wakes its tables by its own clock.
            case _:
                await self._ask_the_journal(effect)

    async def _ask_the_journal(self, errand: do.JournalErrand) -> None:
        answer = await carry_out(errand, self._stream, self._floor.backing)
        if isinstance(answer, Took) and isinstance(answer.taken, StreamNotTaken):
            raise NotKept(_held(self._stream, answer.taken))
        if answer is not None:
            await self.receive(answer)

    def _note(self, happenings: Iterable[Happening]) -> None:
        acted = [one for one in happenings if one.act is not None]
        self._floor.log += [event for one in acted for event in one.events]
        self.records += [LineRecord(one.act, one.stamp, one.events, one.refusal, one.state, self.n) for one in acted]

    def _hear(self, frame: object) -> None:
        match frame:
            case Welcome():
                self._epoch = frame.epoch
            case Answer():
                self._refusal = frame.refusal

    def _salt(self, station: str) -> str:
        return hashlib.sha256(f"{self.n}:{station}".encode()).hexdigest()[:32]


def _held(stream: str, not_taken: StreamNotTaken) -> str:
    if not_taken.holder is None:
        return f"{stream} is not taken: {not_taken.why}"
    return (
        f"{stream} in this journal is held by {not_taken.holder.owner}; stop that one first, or wait until it lets go"
    )
