"""The owner of a shared stream: acts are decided and written one by one.

Several processes may each have one. Each decides on what it has read and writes behind exactly that; one that was
overtaken reads on and decides again. So there is one order, no lease, and nothing to take over.
"""

from collections import deque
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from sabot.basics.act import Act
from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, clock_stamp
from sabot.floor.records.record_codec import entry_of, read_answer
from sabot.floor.records.recovery import linked
from sabot.floor.shared_owner.kinds import SharedKind
from sabot.floor.shared_owner.messages import (
    AppendShared,
    LookForPaper,
    PaperFound,
    ReadOn,
    SaveShared,
    SharedAnswered,
    SharedAsked,
    SharedEffect,
    SharedHappened,
    SharedLook,
    SharedMessage,
    SharedOpened,
    SharedRead,
    SharedSaved,
    SharedWritten,
    Unsure,
)
from sabot.house.filed_book import PutAway, Sought
from sabot.journal.journal import Appended, Derived
from sabot.journal.record import Record, start_of

S = TypeVar("S")
E = TypeVar("E")
R = TypeVar("R")

MOST_TRIES = 20
BYTES_A_RECORD = 1_000
"""Bytes of a snapshot that take as long to write as a record takes to be read and applied (`sabot bench scale`)."""


class SharedOwner(Generic[S, E, R]):
    def __init__(self, kind: SharedKind[S, E, R]) -> None:
        self.kind = kind
        self.state = kind.beginning
        self.head = start_of(kind.stream)
        self._at_ms = 0
        self._saved = 0
        """The version of the newest snapshot."""
        self._due_after = kind.snapshot_every
        """After how many records the next one is due."""
        self._waiting: deque[SharedAsked] = deque()
        self._asked: SharedAsked | None = None
        """The act under way."""
        self._tries = 0
        self._record: Record | None = None
        """What is being written for it."""
        self._decision: tuple[E, ...] | R = ()
        self._is_reading = False
        self._sought: Sought | None = None
        """What is looked for on the shelf before the act under way is decided."""
        self._is_recall = False
        """Whether what is being written only brings back what the act under way needs."""
        self._away: dict[str, Derived] = {}
        """What durable records have put away and may not be on the shelf yet, by name."""
        self._effects: list[SharedEffect[S, E, R]] = []
        self._takes: dict[type, Callable[[int, Any], None]] = {
            SharedOpened: self._opened,
            SharedAsked: self._ask,
            SharedWritten: self._written,
            SharedRead: self._read,
            SharedSaved: self._was_saved,
            PaperFound: self._found,
            SharedLook: self._look,
        }

    def handle(self, now_ms: int, message: SharedMessage[S]) -> list[SharedEffect[S, E, R]]:
        self._takes[type(message)](now_ms, message)
        effects, self._effects = self._effects, []
        return effects

    def _opened(self, _: int, opened: SharedOpened[S]) -> None:
        """The snapshot is brought up to date, so that nobody reads again what was read now."""
        self.state, self.head, _, self._at_ms, away = opened.recovered
        self._away = dict(away)
        self._save()

    def _ask(self, now_ms: int, asked: SharedAsked) -> None:
        self._waiting.append(asked)
        self._go_on(now_ms)

    def _go_on(self, now_ms: int) -> None:
        """Decide what waits until something is to be written. News that changes nothing is no news."""
        while self._asked is None and self._waiting and not self._is_reading:
            self._asked, self._tries = self._waiting.popleft(), MOST_TRIES
            self._decide(now_ms)

    def _decide(self, now_ms: int) -> None:
        asked = self._asked
        assert asked is not None
        self._at_ms = max(self._at_ms, now_ms)
        self._decide_in(self.state)

    def _decide_in(self, state: S) -> None:
        """Decide the act under way and write it. What it names and was put away is looked for first."""
        asked = self._asked
        assert asked is not None
        stamp = replace(asked.stamp, at_ms=self._at_ms)
        try:
            decision = self.kind.decide(state, asked.act, stamp)
        except PutAway as away:
            self._sought = away.sought
            self._effects.append(LookForPaper(away.sought, self.head.version, dict(self._away)))
            return
        if self._is_no_news(decision, stamp):
            self._answer(decision)
        else:
            self._write(asked.key, asked.act, stamp, decision)

    def _is_no_news(self, decision: tuple[E, ...] | R, stamp: Stamp) -> bool:
        happened = decision if isinstance(decision, tuple) else self.kind.left_by(decision)
        return not happened and stamp.role is Role.CLOCK

    def _write(self, key: str, act: Act, stamp: Stamp, decision: tuple[E, ...] | R) -> None:
        [record] = self.head.then(self.head.epoch, [entry_of(key, act, stamp, decision)])
        self._record, self._decision = record, decision
        self._effects.append(AppendShared(self.head.version, record))

    def _found(self, now_ms: int, found: PaperFound) -> None:
        sought, self._sought = self._sought, None
        assert sought is not None
        if found.is_unknown:
            self._answer(None)
        elif found.recall is None:
            self._decide_in(self.kind.without(self.state, sought))
        else:
            self._recall(found.recall)
        self._go_on(now_ms)

    def _recall(self, recall: Act) -> None:
        """Write what brings the paper back, unless the act changes nothing with it; then the act is decided."""
        asked = self._asked
        assert asked is not None
        stamp, own = replace(asked.stamp, at_ms=self._at_ms), clock_stamp(self._at_ms)
        recalled = self.kind.decide(self.state, recall, own)
        assert isinstance(recalled, tuple)
        decision = self.kind.decide(self.kind.evolve(self.state, recalled, 0, {}), asked.act, stamp)
        if self._is_no_news(decision, stamp):
            self._answer(decision)
            return
        self._is_recall = True
        self._write(f"{asked.key}/recall", recall, own, recalled)

    def _written(self, now_ms: int, written: SharedWritten) -> None:
        record, self._record = self._record, None
        is_recall, self._is_recall = self._is_recall, False
        assert record is not None
        if isinstance(written.outcome, Appended) and is_recall:
            self._take_in(record)
            self._decide(now_ms)
            self._go_on(now_ms)
        elif isinstance(written.outcome, Appended):
            self._take_in(record)
            self._answer(self._decision)
            if self.head.version - self._saved >= self._due_after:
                self._save()
            self._go_on(now_ms)
        else:
            self._read_on()

    def _look(self, now_ms: int, _: SharedLook) -> None:
        """Read what other processes have written, or try again what could not be written.

        An append that was thought lost and arrived after all makes the next one fail, and is then found by its key.
        """
        if self._record is not None or self._is_reading or self._sought is not None:
            return
        if self._asked is None:
            self._read_on()
        else:
            self._decide(now_ms)

    def _read_on(self) -> None:
        self._is_reading = True
        self._effects.append(ReadOn(self.head.version))

    def _read(self, now_ms: int, read: SharedRead) -> None:
        """Take in what was written meanwhile; the act under way may be part of it, or is decided again."""
        self._is_reading = False
        for record in read.records:
            self._take_in(record)
            if self._asked is not None and record.entry.key == self._asked.key:
                self._answer(self.kind.read_decision(read_answer(record)))
        if self._asked is not None:
            self._tries -= 1
            if not self._tries:
                self._answer(None)
            elif read.records:
                self._decide(now_ms)
            else:
                self._effects.append(Unsure())
        self._go_on(now_ms)

    def _answer(self, decision: tuple[E, ...] | R | None) -> None:
        assert self._asked is not None
        self._effects.append(SharedAnswered(self._asked.key, decision))
        self._asked = None

    def _save(self) -> None:
        if self.head.version:
            self._effects.append(SaveShared(self.head, self.state, self._at_ms, dict(self._away)))
        self._saved = self.head.version

    def _was_saved(self, _: int, saved: SharedSaved) -> None:
        """A large state is saved less often, so that writing it costs no record more than applying it does."""
        self._due_after = max(self.kind.snapshot_every, saved.size // BYTES_A_RECORD)
        self._away = {name: one for name, one in self._away.items() if saved.away.get(name) is not one}

    def _take_in(self, record: Record) -> None:
        self.head = linked(self.head, record)
        events = self.kind.read_events(read_answer(record))
        self.state = self.kind.evolve(self.state, events, record.version, self._away)
        self._at_ms = max(self._at_ms, record.entry.at_ms)
        if events:
            self._effects.append(SharedHappened(events))
