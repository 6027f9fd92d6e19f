"""A term: one owner's time at a table, from the taking on. To forget everything is to drop the term.

Acts wait in the mailbox. As many as wait are decided together and written in one append; while it is under way nothing
else is decided, and nobody is answered before it is durable. `state` and `head` are what is durable.
"""

from collections import deque
from collections.abc import Iterable, Sequence

import msgspec

from sabot.basics.stamp import Stamp, clock_stamp, operator_stamp
from sabot.floor.exchange.table_to_house import NEWS, busy
from sabot.floor.records.record_codec import (
    LINES,
    HandedOver,
    handed_over_entry,
    started_entry,
)
from sabot.floor.records.recovery import TABLE_SNAPSHOT_EVERY
from sabot.floor.table_owner.devices import Batch, Devices, Letter, Reception, Session, outcome_of
from sabot.floor.table_owner.effects import (
    Append,
    Disconnect,
    Find,
    Happening,
    KeepSnapshot,
    LookFor,
    OwnerEffect,
    Publish,
    RaiseAlarm,
    Tell,
    TellHouse,
    Vouch,
)
from sabot.floor.table_owner.messages import Asked, Connected, Found, Gone, LookedFor, Written
from sabot.floor.table_owner.opening import Opening
from sabot.floor.table_owner.shelving import Shelving
from sabot.floor.table_owner.table_clock import TableClock
from sabot.floor.table_owner.take_over import Taken, restart_key
from sabot.journal.journal import Appended
from sabot.journal.record import head_after
from sabot.rules.citing import as_cited
from sabot.table import acts
from sabot.table.decide import decide
from sabot.table.events import ClockJumped, CuttingCardOverdue, Event, ShoeRecounted, WagersChanged, WagersSettled
from sabot.table.evolve import evolve
from sabot.table.history.wanted import Elsewhere, Wanted
from sabot.table.opening.deciding import configured
from sabot.table.phase import Phase
from sabot.table.refusal import Refused
from sabot.table.sentences import sentence
from sabot.table.sessions.state import SessionStage
from sabot.table.state import TableState, Unconfigured
from sabot.wire.frames import Answer, Lost, Name, OwnerFrame, Paused, Resynchronise

LATE = Refused("stale_coup", "CROWN 4.7", "this was meant for another coup than the newest one")
BUSY = Refused("busy", "", "too many acts wait at this table; nothing was done")
HALTED = Refused("halted", "", "the table stands still: a device holds proof of records that its journal has lost")

MOST_AT_ONCE = 256
"""As many acts are decided together and written in one append."""
MOST_WAITING = 2_048
"""An act that finds so many waiting is refused."""
CLOSING: frozenset[type[acts.Act]] = frozenset({acts.Close, acts.Card, acts.Tick})
"""What may close the wagering, and then needs a salt for every station's seal."""
ALARMING: tuple[type[Event], ...] = (ClockJumped, CuttingCardOverdue, ShoeRecounted)
"""What people beyond the table are told of at once."""


class Term:
    def __init__(self, taken: Taken, clock: TableClock, opening: Opening, errands: Iterable[int]) -> None:
        self.head, found = taken.ownership.head, taken.state
        begun = configured(opening.configuration, opening.keeps)
        self.state = found if isinstance(found, TableState) else evolve(found, begun)
        self.epoch = self.head.epoch
        self.lease = taken.ownership.lease
        self.clock = clock
        self.halted = False
        self.effects: list[OwnerEffect] = []
        self.shelf = Shelving(taken.fallen)
        self._salt, self._keeps = opening.salt, opening.keeps
        self._name, self._table = opening.owner, opening.configuration.table
        self._errands = iter(errands)
        self._mailbox: deque[Letter] = deque()
        """Acts in the order in which they came in."""
        self._held_back: list[Letter] | None = None
        """What would open a coup, while the table is handed over."""
        self._devices = Devices(self.head, self.state.ledger.purses, self._tell)
        self._batch: Batch | None = None
        self.append = 0
        """The errand of the append under way, or 0."""
        self.is_serving = False
        """Whether what the taking means is written, so that devices are served."""
        self._own_letters = 0
        self._closing: tuple[int, int] | None = None
        """The coup and the deadline for which the timer's Close is in the mailbox."""
        self._unsaved = taken.coups_read
        """Settled coups since the newest snapshot."""
        self._told_busy: bool | None = None
        self._lately, self._lines = taken.lately, taken.lines
        self._looking_for: set[int] = set()
        self.has_handed_over = False
        self.head_ms = taken.at_ms
        """The time of the newest durable record."""

    # Beginning

    def begin(self, now: int, taken: Taken, opening: Opening) -> None:
        """Say what program runs here, then what the taking means for the table; nobody is served before it is written.

        A new table is from the start what its first configuration makes of it.
        A taking is a failure of the owner before, whatever its cause. When it died decides about a coup under way.
        """
        at_ms = self.clock.table_ms(now)
        batch = Batch(self.state, self.head)
        batch.entries.append(started_entry(opening.started, opening.owner, self.epoch, at_ms))
        batch.happened.append(Happening(None, clock_stamp(at_ms), (), None, self.state))
        if isinstance(taken.state, Unconfigured):
            act = acts.Configure(configuration=opening.configuration, keeps=opening.keeps)
            stamp = operator_stamp(at_ms)
            batch.note(f"configure/{self.epoch}", act, stamp, decide(taken.state, act, stamp))
        else:
            self._restart(batch, taken, at_ms)
        self._write(batch)

    def _restart(self, batch: Batch, taken: Taken, at_ms: int) -> None:
        restart = acts.Restart(last_sign_ms=self.clock.alive_until(taken.last_sign_ms), keeps=self._keeps)
        self._decide(batch, Letter(restart_key(self.epoch), restart, clock_stamp(at_ms)))

    @property
    def devices(self) -> list[str]:
        """Who is connected."""
        return self._devices.connected

    # Acts

    def ask(self, now: int, asked: Asked) -> None:
        session = self._devices.sessions.get(asked.device)
        if session is None or not session.connected or not self._is_bound(asked):
            self._tell(asked.device, Resynchronise(epoch=self.epoch))
            return
        match self._receive(session, asked):
            case Reception.NEW:
                self._take_in(now, session, asked)
            case Reception.AGAIN if session.answer is not None:
                self._tell(session.device, session.answer)
            case _:
                pass  # It is being written, or is so old that its device has long gone on.

    def _is_bound(self, asked: Asked) -> bool:
        """An act of another owner's time is never taken: its device may have been told that it is lost."""
        return asked.ask.epoch == self.epoch

    def _receive(self, session: Session, asked: Asked) -> Reception:
        return session.receive(asked.ask.n)

    def _take_in(self, now: int, session: Session, asked: Asked) -> None:
        ask = asked.ask
        if self.halted or len(self._mailbox) >= MOST_WAITING:
            answer = Answer(epoch=self.epoch, n=ask.n, version=0, refusal=HALTED if self.halted else BUSY)
            session.answered(answer)
            self._tell(session.device, answer)
            return
        stamp = msgspec.structs.replace(asked.stamp, at_ms=self._received_at(now))
        self._put(Letter(self._key(asked), ask.act, stamp, asked.device, ask.name, ask.coup))

    def _received_at(self, now: int) -> int:
        return self.clock.table_ms(now)

    def _key(self, asked: Asked) -> str:
        return key_of(asked.device, asked.ask.name)

    def carried(self, now: int, act: acts.Act, stamp: Stamp) -> None:
        """Do what follows from a record of the house; done twice it changes nothing, so it is not looked for."""
        self._put_own(now, "house", act, stamp)

    def clock_jumped(self, now: int, clock: acts.WatchedClock, by_ms: int) -> None:
        self._put_own(now, "clock", acts.ClockJump(clock=clock, by_ms=by_ms), clock_stamp())

    def check_time(self, now: int) -> None:
        """The timer's Close waits its turn in the mailbox like everything else."""
        due = self._close_due()
        if due is not None and due[1] <= self.clock.table_ms(now) and not self.halted:
            self._closing = due
            self._put_own(now, "clock", acts.Tick(), clock_stamp())

    def closes_at(self) -> int | None:
        """When the timer must next look, by the owner's clock."""
        due = self._close_due()
        return None if due is None else self.clock.own(due[1])

    def pause(self) -> None:
        """Patrons who are wagering learn that the journal keeps them waiting."""
        if self.state.phase is Phase.WAGERING:
            for device in self.devices:
                self._tell(device, Paused(epoch=self.epoch))

    def _close_due(self) -> tuple[int, int] | None:
        coup, session = self.state.coup, self.state.session
        if not self.is_serving or self.state.frozen_at_ms is not None:
            return None
        if coup is None and session is not None and session.stage is SessionStage.OPEN and session.ends_ms is not None:
            due = (0, session.ends_ms)  # The time of a session is up (G-124).
        elif coup is not None and self.state.phase is Phase.WAGERING:
            due = (coup.number, coup.deadline_ms)
        else:
            return None
        return None if due == self._closing or self.clock.own(due[1]) is None else due

    def _put_own(self, now: int, whose: str, act: acts.Act, stamp: Stamp) -> None:
        self._own_letters += 1
        stamp = msgspec.structs.replace(stamp, at_ms=self.clock.table_ms(now))
        self._put(Letter(f"{whose}/{self.epoch}/{self._own_letters}", act, stamp))

    def _put(self, letter: Letter) -> None:
        self._mailbox.append(letter)
        self._go_on()

    # Handing over

    @property
    def is_between_coups(self) -> bool:
        return self.state.coup is None and self._batch is None

    def open_no_coup(self) -> None:
        """From now on what would open a coup waits; its device asks the next owner."""
        self._held_back = self._held_back or []

    def hand_over(self, now: int, said: HandedOver) -> None:
        """Write who asked for it; what waits in the mailbox is decided before the term ends."""
        self.has_handed_over, at_ms, batch = True, self.clock.table_ms(now), Batch(self.state, self.head)
        batch.entries.append(handed_over_entry(said, self._name, self.epoch, at_ms))
        batch.happened.append(Happening(None, clock_stamp(at_ms), (), None, self.state))
        self._write(batch)

    def keep(self) -> None:
        """Go on after all, with what was held back."""
        self._mailbox.extend(self._held_back or ())
        self._held_back, self.has_handed_over = None, False
        self._go_on()

    # Deciding and writing

    def _go_on(self) -> None:
        """Decide what waits, unless something is being written."""
        while self._batch is None and self._mailbox and self.is_serving and not self.shelf.looking:
            batch = Batch(self.state, self.head)
            for _ in range(min(MOST_AT_ONCE, len(self._mailbox))):
                letter = self._mailbox.popleft()
                try:
                    self._decide_or_hold(batch, letter)
                except Elsewhere as gone:
                    if self.shelf.was_brought(letter.key, gone.wanted):
                        batch.answers.append((letter, BUSY, 0))
                        continue
                    self._mailbox.appendleft(letter)
                    self._look_for(batch, letter.key, gone.wanted)
                    break
            self._write(batch)

    def _look_for(self, batch: Batch, asked_by: str, wanted: Wanted) -> None:
        """The first act in the mailbox waits for what it names, and all others behind it."""
        errand = next(self._errands)
        looking = self.shelf.look(errand, (asked_by, wanted), batch.state, batch.fallen)
        self.effects.append(LookFor(errand, self.head.version, looking))

    def looked_for(self, message: LookedFor) -> bool:
        """Bring back what was found by a record before the act that waits for it; False if the shelf was not read."""
        if message.errand != self.shelf.looking:
            return True
        if message.found is None:
            if message.away:
                self.shelf.turn_away(self._mailbox[0].key, message.away)
                self._go_on()
            return bool(message.away)
        self.shelf.looking, self._own_letters = 0, self._own_letters + 1
        key, stamp = f"shelf/{self.epoch}/{self._own_letters}", clock_stamp(self._mailbox[0].stamp.at_ms)
        self._mailbox.appendleft(Letter(key, acts.BringBack(wanted=self.shelf.wanted, found=message.found), stamp))
        self._go_on()
        return True

    def _decide_or_hold(self, batch: Batch, letter: Letter) -> None:
        if self._held_back is not None and type(letter.act) is acts.Open and batch.state.coup is None:
            self._held_back.append(letter)
        else:
            self._decide(batch, letter)

    def _decide(self, batch: Batch, letter: Letter) -> None:
        unread = self.shelf.unread.pop(letter.key, None)
        if unread is not None or letter.is_late(batch.state.coups):
            batch.answers.append((letter, unread or as_cited((LATE,), batch.state.cites)[0], 0))
            return
        act, stamp = letter.act, self._salted(letter, batch.state)
        decision = decide(batch.state, act, stamp)
        if not isinstance(decision, Refused):
            batch.apply(decision)
        batch.note(letter.key, act, stamp, decision)
        batch.answers.append((letter, batch.happened[-1].refusal, len(batch.entries)))

    def _salted(self, letter: Letter, state: TableState) -> Stamp:
        stamp = letter.stamp
        if type(letter.act) not in CLOSING or state.phase is not Phase.WAGERING or stamp.salts:
            return stamp
        return msgspec.structs.replace(stamp, salts={station: self._salt(station) for station in state.stations})

    def _write(self, batch: Batch) -> None:
        if not batch.entries:
            self._answer(batch)
            return
        assert batch.state.ledger.is_balanced_after(self.state.ledger), "the books do not balance"
        batch.records = self.head.then(self.epoch, batch.entries)
        self._batch, self.append = batch, next(self._errands)
        self.effects.append(Append(self.append, self.head.version, batch.records))

    def written(self, written: Written) -> bool:
        """Whether the term goes on. If it was not made sure that the records are durable, it is over."""
        if written.errand != self.append:
            return True
        if not self._is_durable(written):
            return False
        batch, self._batch, self.append = self._batch, None, 0
        assert batch is not None
        self.state, self.head = batch.state, head_after(batch.records[-1])
        if batch.fallen and self.shelf.add(batch.fallen):
            self._unsaved = TABLE_SNAPSHOT_EVERY
        self.head_ms = batch.records[-1].entry.at_ms
        self._answer(batch)
        self._publish(batch)
        if not self.is_serving:
            self.is_serving = True
            self._tell_house(self._lately)
        told = len(self.effects)
        self._go_on()
        self._put_append_first(told)
        return True

    def _put_append_first(self, told: int) -> None:
        """What is to be written comes before what is to be told, for the journal needs longer."""
        for place in range(told, len(self.effects)):
            if type(self.effects[place]) is Append:
                self.effects.insert(0, self.effects.pop(place))
                return

    def _is_durable(self, written: Written) -> bool:
        return isinstance(written.outcome, Appended)

    def _answer(self, batch: Batch) -> None:
        for letter, refusal, place in batch.answers:
            session = self._devices.sessions.get(letter.device)
            if session is not None:
                version = batch.records[place - 1].version if place else 0
                layout = None
                if refusal is None and session.station and type(letter.act) in acts.TOUCHES:
                    layout = batch.happened[place - 1].state.ledger.purse(session.station).layout
                answer = Answer(epoch=self.epoch, n=letter.name.n, version=version, refusal=refusal, layout=layout)
                session.answered(answer)
                self._tell(letter.device, answer)

    def _publish(self, batch: Batch) -> None:
        self._devices.show(batch.records, batch.happened)
        self.effects.append(Publish(self.head.version, tuple(batch.happened)))
        news = [event for happening in batch.happened for event in happening.events if type(event) is not WagersChanged]
        self._tell_house(news)
        if news:
            self.effects += [RaiseAlarm(sentence(event)) for event in news if type(event) in ALARMING]
            self._vouch([type(event) for event in news].count(WagersSettled))

    def _tell_house(self, events: Sequence[Event]) -> None:
        """What the house must know; told twice it changes nothing."""
        is_busy = self.state.coup is not None
        if not events and is_busy is self._told_busy:
            return
        told = [NEWS[type(event)](self._table, event, self.state) for event in events if type(event) in NEWS]
        if is_busy is not self._told_busy:
            self._told_busy = is_busy
            told.append(busy(self._table, is_busy=is_busy))
        self.effects += [TellHouse(act, clock_stamp(self.head_ms)) for act in told if act is not None]

    def _vouch(self, settled: int) -> None:
        if settled:
            self.effects.append(Vouch(self.head))
            self._unsaved += settled
        if self._unsaved >= TABLE_SNAPSHOT_EVERY:
            self.save()

    def save(self) -> None:
        """Keep the state, so that the next owner need not read everything."""
        session = self._devices.sessions.get(LINES)
        lines = max(self._lines, session.last if session is not None else 0)
        errand = next(self._errands)
        fallen = self.shelf.to_keep(errand)
        self.effects.append(KeepSnapshot(errand, self.head, self.state, lines, self.head_ms, fallen))
        self._unsaved = 0

    # Devices

    def hello(self, now: int, connected: Connected, *, proves_more: bool) -> None:
        """Tell a device where the table stands, once it is known what became of the act it waits for."""
        device, hello = connected.device, connected.hello
        if proves_more or hello.version > self.head.version:
            self._doubt(device, proves_more=proves_more)
        elif hello.pending is not None and hello.pending.epoch != self.epoch:
            errand = next(self._errands)
            self._looking_for.add(errand)
            self.effects.append(Find(errand, key_of(device, hello.pending), connected))
        else:
            session = self._devices.sessions.get(device)
            again = session is not None and hello.pending is not None and session.last == hello.pending.n
            self._welcome(now, connected, session.answer if session is not None and again else None)

    def found(self, now: int, found: Found) -> None:
        """The record of an act of an earlier owner's time, or the certainty that there never will be one."""
        pending = found.connected.hello.pending
        if found.errand not in self._looking_for or pending is None:
            return
        self._looking_for.discard(found.errand)
        self._welcome(now, found.connected, outcome_of(pending, found.record))

    def gone(self, gone: Gone) -> None:
        if gone.for_good:
            self._devices.forget(gone.device)
        else:
            self._devices.gone(gone.device)

    def _welcome(self, now: int, connected: Connected, pending: Answer | Lost | None) -> None:
        self._devices.welcome(connected, self.state, self.clock.table_ms(now), pending)

    def _doubt(self, device: str, *, proves_more: bool) -> None:
        """A device knows of records that the journal has not: the journal was cut or put back, or the device lies."""
        if proves_more:
            self.halted = True
        how = "proves" if proves_more else "claims"
        text = f"{device} {how} to know more than the {self.head.version} records of table {self._table}"
        self.effects += [RaiseAlarm(text, device), Disconnect(device, "it knows more than the journal", self._name)]

    def _tell(self, device: str, frame: OwnerFrame) -> None:
        self.effects.append(Tell(device, frame))

    @property
    def letters(self) -> int:
        """How many acts wait in the mailbox."""
        return len(self._mailbox)

    @property
    def is_idle(self) -> bool:
        return self._batch is None and not self._mailbox


def key_of(device: str, name: Name) -> str:
    """The key of an act's record, by which a repeat of the act is recognised."""
    return f"ask/{device}/{name.epoch}/{name.n}"
