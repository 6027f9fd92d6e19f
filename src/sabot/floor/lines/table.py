"""A house and its tables, played by lines: one line in, one answer out.

The owners, the stamper and the records are those of a served floor. Only three things differ: time passes from line to
line, every effect is carried out before the next line is read, and what a floor draws from the operating system (salts,
ticket numbers) is made from the count of lines, so that the same script always gets the same answers.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from sabot.basics.at_once import at_once
from sabot.basics.mistake import Mistake
from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, clock_stamp
from sabot.floor.exchange.house_to_table import following
from sabot.floor.lines.answer import LineAnswer, answer_of
from sabot.floor.lines.reader import HOUSE_VERBS, LineAct, read_house_act, read_table_act
from sabot.floor.lines.stream import LineStream, NotKept
from sabot.floor.lines.words import SHOW
from sabot.floor.records.record_codec import LINES, Started, table_stream
from sabot.floor.records.recovery import recover_table
from sabot.floor.shared_owner.kinds import HOUSE_KIND, HouseDecision
from sabot.floor.stamper import Fresh, Giver, Place, as_refused, stamp, stamp_for_house
from sabot.floor.table_owner import effects as do
from sabot.floor.table_owner.effects import Happening
from sabot.floor.table_owner.errands import Backing, carry_out, vouch_for
from sabot.floor.table_owner.messages import Asked, Carried, Connected, OwnerMessage, Start, Stop, Took, Woken
from sabot.floor.table_owner.opening import Opening
from sabot.floor.table_owner.owner import Owner
from sabot.house.acts import HouseAct
from sabot.house.events import HouseEvent
from sabot.house.refusal import HouseRefused
from sabot.house.state import HouseState
from sabot.journal.memory import MemoryJournal
from sabot.journal.ownership import StreamNotTaken
from sabot.table import acts
from sabot.table.acts import Act
from sabot.table.configuration import Configuration, Unacceptable, check
from sabot.table.events import Event
from sabot.table.refusal import Refused
from sabot.table.state import TableState, Unconfigured
from sabot.views.audience import Audience
from sabot.wire.frames import Answer, Ask, Hello, Welcome

T = TypeVar("T")
_STATION = Role.STATION


class LineClock:
    """A clock that stands still between lines."""

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


class LineFloor:
    """The house, and its tables by name."""

    def __init__(self, backing: Backing | None = None, own_ms: Callable[[], int] = lambda: 0) -> None:
        """`own_ms` is a clock that only counts on, by which leases are renewed."""
        self.backing = backing or Backing(
            journal=MemoryJournal(own_ms), owner="a conversation", build="", wall_ms=own_ms
        )
        self.own_ms = own_ms
        self.tables: dict[str, LineTable] = {}
        self.history: list[HouseEvent] = []
        self.alarms: list[str] = []
        self._house = LineStream(HOUSE_KIND, self.backing, lambda: self.now_ms, self._house_changed)
        self._opened = False
        self.now_ms = 0

    @property
    def house(self) -> HouseState:
        return self._house.state

    def enter(self, configuration: Configuration) -> "LineTable":
        """`take` for a journal in memory, which never waits."""
        return at_once(self.take(configuration))

    async def take(self, configuration: Configuration) -> "LineTable":
        """Take a table of this house, as its records leave it; a name that is taken here gets the next free number."""
        journal, build = self.backing.journal, self.backing.build
        if not self._opened:
            self._opened = True
            self.now_ms = await self._house.begin()
        name, number = configuration.table, 1
        while name in self.tables:
            number += 1
            name = f"{configuration.table}-{number}"
        played = await recover_table(journal, table_stream(name), build)
        if isinstance(played.state, Unconfigured):
            _check(configuration)
        self.now_ms = max(self.now_ms, played.now_ms)
        table = LineTable(self, replace(configuration, table=name), played.n, played.now_ms)
        self.tables[name] = table
        await table.begin()
        await self.follow(table)
        return table

    async def close(self) -> None:
        """Leave everything in order: snapshots, checkpoints, and the leases free for the next owner."""
        for table in self.tables.values():
            await table.leave()
        if self._opened:
            await self._house.vouch()

    # The house

    async def ask_house(self, act: HouseAct, stamp: Stamp, at_ms: int) -> HouseDecision:
        self.now_ms = max(self.now_ms, at_ms)
        return await self._house.ask(act, stamp)

    async def _house_changed(self, events: tuple[HouseEvent, ...]) -> None:
        self.history += events
        for table in list(self.tables.values()):
            await self.follow(table)

    async def follow(self, table: "LineTable") -> None:
        """Have a table do what follows for it from the house's decisions."""
        if table.is_served:
            for act, given in following(self.house, table.name, table.state, self.now_ms):
                await table.receive(Carried(act, given))


class LineTable:
    """A table of the house, at the end of a conversation."""

    def __init__(self, floor: LineFloor, configuration: Configuration, n: int, now_ms: int) -> None:
        self.floor, self.name, self.n = floor, configuration.table, n
        self.records: list[LineRecord] = []
        """Every act that was decided, accepted or refused."""
        self.found: tuple[Event, ...] = ()
        """What became of the table as it was taken."""
        self._stream = table_stream(self.name)
        self._clock = LineClock(now_ms)
        backing = floor.backing
        ring = tuple(one.line for one in backing.key.ring) if backing.key else ()
        self._owner = Owner(
            Opening(backing.owner, Started(backing.build, ring), configuration, self._salt, lambda *_: self._clock)
        )
        self._epoch = 0
        self._refusal: Refused | None = None
        self._is_leaving = False

    @property
    def now_ms(self) -> int:
        return self._clock.at_ms

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
        effects = self._owner.handle(self.floor.own_ms(), message)
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
                await self.floor.ask_house(effect.act, effect.stamp, self.now_ms)
            case do.Publish():
                self._note(effect.happenings)
            case do.RaiseAlarm():
                self.floor.alarms.append(effect.text)
            case do.Vouch():
                await vouch_for(effect.head, self.floor.backing)
            case do.Wake() | do.Disconnect():
                pass  # The shell wakes its tables by its own clock.
            case _:
                await self._ask_the_journal(effect)

    async def _ask_the_journal(self, errand: do.JournalErrand) -> None:
        answer = await carry_out(errand, self._stream, self.floor.backing)
        if isinstance(answer, Took) and isinstance(answer.taken, StreamNotTaken):
            raise NotKept(_held(self._stream, answer.taken))
        if answer is not None:
            await self.receive(answer)

    def _note(self, happenings: Iterable[Happening]) -> None:
        acted = [one for one in happenings if one.act is not None]
        self.records += [LineRecord(one.act, one.stamp, one.events, one.refusal, one.state, self.n) for one in acted]

    def _hear(self, frame: object) -> None:
        match frame:
            case Welcome():
                self._epoch = frame.epoch
            case Answer():
                self._refusal = frame.refusal

    # Lines

    def answer(self, line: dict[str, Any]) -> LineAnswer:
        """`ask` for a journal in memory, which never waits."""
        return at_once(self.ask(line))

    def give(self, act: Act, by: str, *, at_ms: int = 0, second: str = "") -> LineAnswer:
        """The same for an act that needs no reading."""
        self.n += 1
        said = LineAct(act, Giver(by, second), max(at_ms, self.now_ms), "", "", {})
        return at_once(self._ask_the_table(said))

    async def ask(self, line: dict[str, Any]) -> LineAnswer:
        """Carry out one line; a line that is no act at all is refused as malformed."""
        self.n += 1
        word = line.get("do")
        try:
            if word == SHOW:
                return self._show(line.get("what"))
            if isinstance(word, str) and word in HOUSE_VERBS:
                return await self._ask_the_house(read_house_act(line, self.name, self.now_ms))
            return await self._ask_the_table(read_table_act(line, self.state, self.now_ms))
        except Mistake as mistake:
            return self._malformed(mistake)

    def refuse(self, why: Mistake) -> LineAnswer:
        """Answer a line that could not even be read."""
        self.n += 1
        return self._malformed(why)

    def _malformed(self, why: Mistake) -> LineAnswer:
        return self._shown((), Refused("malformed", "", str(why)))

    def _shown(self, events: Iterable[object], refusal: Refused | None = None, show: Sequence[str] = ()) -> LineAnswer:
        return answer_of(self.state, self.n, tuple(events), refusal, show)

    def _show(self, what: object) -> LineAnswer:
        wanted = [what] if isinstance(what, str) else what
        if not isinstance(wanted, list) or not wanted or not {"ledger", "meters"}.issuperset(wanted):
            raise Mistake("show: ledger, meters, or both")
        return self._shown((), show=wanted)

    async def _ask_the_table(self, said: LineAct) -> LineAnswer:
        floor = self.floor
        place = Place(self.name, self.state, floor.house, said.at_ms)
        fresh = Fresh(lambda: said.ticket or self._ticket_number(), said.build or floor.backing.build)
        admitted = stamp(said.act, said.giver, place, fresh)
        if isinstance(admitted, Refused):
            return self._shown((), admitted)
        self._clock.at_ms = said.at_ms
        if admitted.request is not None:
            kept = await floor.ask_house(admitted.request, clock_stamp(), said.at_ms)
            if isinstance(kept, HouseRefused):
                return self._said_no(kept)
        given = replace(admitted.stamp, salts=said.salts) if said.salts else admitted.stamp
        before = len(self.records)
        ask = Ask(epoch=self._epoch, n=self.n, coup=self.state.coups, act=said.act)  # type: ignore[arg-type]  # A line may say what no device may.
        await self.receive(Asked(LINES, ask, given))
        await floor.follow(self)
        return self._shown((event for record in self.records[before:] for event in record.events), self._refusal)

    async def _ask_the_house(self, said: LineAct) -> LineAnswer:
        floor = self.floor
        signed_on = {
            who: role for table in reversed(floor.tables.values()) for who, role in table.state.signed_on.items()
        }
        if said.giver.by in self.state.stations:
            given = Stamp(by=said.giver.by, role=_STATION, second=said.giver.second)
        else:
            given = stamp_for_house(type(said.act), said.giver, floor.house, signed_on)
        self._clock.at_ms = said.at_ms
        before = len(self.records)
        decision = await floor.ask_house(said.act, given, said.at_ms)  # type: ignore[arg-type]  # Its verb is the house's.
        if isinstance(decision, HouseRefused):
            return self._said_no(decision)
        return self._shown((*decision, *(event for record in self.records[before:] for event in record.events)))

    def _said_no(self, no: HouseRefused) -> LineAnswer:
        return self._shown(no.leaves, as_refused(no))

    def _ticket_number(self) -> str:
        """Of the house's numbers, one that no other table makes."""
        return f"{list(self.floor.house.tables).index(self.name):06}{self.n:012}"

    def _salt(self, station: str) -> str:
        return hashlib.sha256(f"{self.n}:{station}".encode()).hexdigest()[:32]


def _check(configuration: Configuration) -> None:
    """A configuration that no table may have is found before anything is written."""
    try:
        check(configuration)
    except Unacceptable as problem:
        raise Mistake(f"configuration: {problem} ({problem.clause})") from None


def _held(stream: str, not_taken: StreamNotTaken) -> str:
    holder = not_taken.holder.owner if not_taken.holder else "another owner"
    return f"{stream} in this journal is held by {holder}; stop that one first, or wait until it lets go"
