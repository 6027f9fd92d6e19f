"""The devices of one term, and their acts on the way to the records.

Of each device: which act came last, what it was answered, and what is sent to those that follow events.

Only a device's last act is ever answered again. An earlier one that arrives late is left alone: its device has had the
answer, or it would not have gone on. A refused act counts like an accepted one, so no late copy of it can be taken.
"""

import enum
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from sabot.basics.stamp import Stamp
from sabot.floor.records.record_codec import entry_of, read_answer, read_refusal
from sabot.floor.records.shelf import Falling
from sabot.floor.table_owner.effects import Happening
from sabot.floor.table_owner.messages import Connected
from sabot.journal.journal import Derived
from sabot.journal.record import Entry, Head, Record
from sabot.ledger.ledger import Purse
from sabot.table import acts
from sabot.table.events import Event
from sabot.table.evolve import TRIMMING, evolve
from sabot.table.refusal import Refused
from sabot.table.state import TableState
from sabot.views.audience import Audience, concerned_by, picture, seen_by
from sabot.wire.frames import TIED_TO_A_COUP, Answer, Lost, Name, OwnerFrame, Told, Welcome

MOST_KEPT = 500
"""Events; a device that missed more is shown the whole picture."""


class Reception(enum.Enum):
    """How an act is received."""

    NEW = enum.auto()
    AGAIN = enum.auto()
    """It is the last one once more."""
    OLD = enum.auto()


class Session:
    def __init__(self, device: str, audience: Audience, station: str) -> None:
        self.device, self.audience, self.station = device, audience, station
        self.connected = True
        self.follows = True
        self.told = 0
        """The newest record that it was told of, or that its welcome covered."""
        self.last = 0
        self.answer: Answer | None = None
        """The answer to the last act, once it may be given."""

    def receive(self, n: int) -> Reception:
        if n > self.last:
            self.last, self.answer = n, None
            return Reception.NEW
        return Reception.AGAIN if n == self.last else Reception.OLD

    def answered(self, answer: Answer) -> None:
        if answer.n == self.last:
            self.answer = answer


class Item(NamedTuple):
    version: int
    events: tuple[Event, ...]
    purses: Mapping[str, Purse]
    """Those that changed, by station."""

    def told(self, epoch: int, after: int, audience: Audience, station: str) -> Told | None:
        """What one audience is told of it, if it means anything for it."""
        events = seen_by(self.events, audience, station)
        purse = self.purses.get(station) if audience is Audience.STATION else None
        if not events and purse is None:
            return None
        return Told(epoch=epoch, after=after, version=self.version, events=events, purse=purse)  # type: ignore[arg-type]  # Every event is one of `AnyEvent`.


class Feed:
    """What the newest records meant, numbered by their versions, for devices that missed some."""

    def __init__(self, version: int) -> None:
        """Nothing before this version can be told again."""
        self._from = version
        self._items: deque[Item] = deque()
        self._kept = 0

    def add(self, item: Item) -> None:
        self._items.append(item)
        self._kept += len(item.events)
        while self._kept > MOST_KEPT:
            dropped = self._items.popleft()
            self._kept -= len(dropped.events)
            self._from = dropped.version

    def since(self, version: int) -> list[Item] | None:
        """All items after a version, or None where they do not reach back that far."""
        return None if version < self._from else [item for item in self._items if item.version > version]


class Devices:
    def __init__(self, head: Head, purses: Mapping[str, Purse], tell: Callable[[str, OwnerFrame], None]) -> None:
        self.sessions: dict[str, Session] = {}
        self._followers: dict[str, set[str]] = {"": set()}
        """The devices of each station that are told record by record, and under no name those of the table itself.

        As long as there was none, nothing need be kept for anybody.
        """
        self._epoch, self._version = head.epoch, head.version
        self._feed, self._shown_purses = Feed(head.version), purses
        self._tell = tell

    @property
    def connected(self) -> list[str]:
        return [device for device, session in self.sessions.items() if session.connected]

    def gone(self, device: str) -> None:
        if device in self.sessions:
            self.sessions[device].connected = False

    def forget(self, device: str) -> None:
        session = self.sessions.pop(device, None)
        if session is not None:
            self._followers.get(session.station, set()).discard(device)

    def welcome(self, connected: Connected, state: TableState, at_ms: int, pending: Answer | Lost | None) -> None:
        """Tell a device where the table stands, and what it missed."""
        device, hello, audience = connected.device, connected.hello, connected.audience
        is_new = device not in self.sessions
        session = self.sessions.setdefault(device, Session(device, audience, connected.station))
        session.connected, session.follows, session.told = True, connected.follows, self._version
        missed: tuple[Told, ...] = ()
        shown = None
        if not session.follows:  # Its views are none of the feed's.
            self._followers.get(session.station, set()).discard(device)
        else:
            self._followers.setdefault(session.station, set()).add(device)
            resumes = hello.epoch == self._epoch and not is_new
            items = self._feed.since(hello.version) if resumes else None
            if items is None:
                shown = picture(state, audience, connected.station, at_ms)
            else:
                told = (item.told(self._epoch, hello.version, audience, connected.station) for item in items)
                missed = tuple(one for one in told if one is not None)
        welcome = Welcome(
            epoch=self._epoch,
            version=self._version,
            missed=missed,
            picture=shown,
            pending=pending,
            last=session.last,
        )
        self._tell(device, welcome)

    def show(self, records: Sequence[Record], happened: Sequence[Happening]) -> None:
        """Tell followers of records that are durable now."""
        self._version = records[-1].version
        if len(self._followers) == 1 and not self._followers[""]:
            self._feed, self._shown_purses = Feed(self._version), happened[-1].state.ledger.purses
            return
        for record, happening in zip(records, happened, strict=True):
            events = happening.events
            if events:
                concerned = concerned_by(events)
                self._show(Item(record.version, events, self._changed(happening.state, concerned)), concerned)

    def _changed(self, state: TableState, concerned: Collection[str] | None) -> dict[str, Purse]:
        """The purses that are others than before, among those that can be."""
        before, now = self._shown_purses, state.ledger.purses
        self._shown_purses = now
        looked_at = now if concerned is None else [station for station in sorted(concerned) if station in now]
        return {station: now[station] for station in looked_at if before.get(station) is not now[station]}

    def _show(self, item: Item, concerned: Collection[str] | None) -> None:
        """Tell those whom it may concern; a touch at one station costs nothing for the others."""
        self._feed.add(item)
        for session in self._following(concerned):
            if session.connected:
                told = item.told(self._epoch, session.told, session.audience, session.station)
                if told is not None:
                    session.told = item.version
                    self._tell(session.device, told)

    def _following(self, stations: Collection[str] | None) -> list[Session]:
        """The sessions that are told what concerns these stations: their own, and those that see everything.

        They are told in the order of their names, so that a world that is simulated again goes the same way.
        """
        if stations is None:
            return [session for session in self.sessions.values() if session.follows]
        devices = set(self._followers[""]).union(*(self._followers.get(station, ()) for station in stations))
        return [self.sessions[device] for device in sorted(devices)]


def outcome_of(pending: Name, record: Record | None) -> Answer | Lost:
    """What became of an act of an earlier owner's time, by its record."""
    if record is None:
        return Lost(epoch=pending.epoch, n=pending.n)
    refused = read_answer(record).refused
    refusal = None if refused is msgspec.UNSET else read_refusal(refused)
    return Answer(epoch=pending.epoch, n=pending.n, version=record.version, refusal=refusal)


# What they say, on its way to the records


class Letter(msgspec.Struct, frozen=True, gc=False):
    """An act that waits in the mailbox."""

    key: str
    act: acts.Act
    stamp: Stamp
    """With the time at which it came in."""
    device: str = ""
    """Who waits for the answer; empty for the clock and the house."""
    name: Name = Name(0, 0)
    coup: int | None = None

    def is_late(self, coup: int) -> bool:
        """Whether it was meant for another coup than the newest one."""
        if self.device and self.coup is None:
            return type(self.act) in TIED_TO_A_COUP
        return self.coup is not None and self.coup != coup


class Batch:
    """Acts decided together, with the state and the answers that hold once they are durable."""

    def __init__(self, state: TableState, head: Head) -> None:
        self.state, self._stream, self._after = state, head.stream, head.version
        self.entries: list[Entry] = []
        self.records: Sequence[Record] = ()
        self.happened: list[Happening] = []
        """What came of each entry."""
        self.answers: list[tuple[Letter, Refused | None, int]] = []
        """Who is told what, and in which of the entries it stands, counted from 1; 0 where it is in none."""
        self.fallen: dict[str, Derived] = {}
        """What fell out of the state, by its name on the shelf."""

    def apply(self, events: Iterable[Event]) -> None:
        """Go on to the state after the events of the entry that is noted next."""
        for event in events:
            before, self.state = self.state, evolve(self.state, event)
            if type(event) in TRIMMING:
                falling = Falling(self._stream, self.fallen)
                falling.note(before, self.state, self._after + len(self.entries) + 1)

    def note(self, key: str, act: acts.Act, stamp: Stamp, decision: tuple[Event, ...] | Refused) -> None:
        """An act that was decided; `state` is the one that it led to."""
        refusal, events = (decision, ()) if isinstance(decision, Refused) else (None, decision)
        self.entries.append(entry_of(key, act, stamp, decision))
        self.happened.append(Happening(act, stamp, events, refusal, self.state))
