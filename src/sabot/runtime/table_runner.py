"""A running table: its owner, and the shell that carries out its effects.

Everything happens on one event loop, so a message to the owner and the effects that follow are one step. What asks the
journal becomes a task, and its answer a message. Links are told without waiting for them.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Protocol

import msgspec
import structlog

from sabot.basics.stamp import Stamp
from sabot.floor.records.record_codec import Started, table_stream
from sabot.floor.table_owner import effects as do
from sabot.floor.table_owner.errands import Backing, carry_out, vouch_for
from sabot.floor.table_owner.foreseeing import Present, foresee
from sabot.floor.table_owner.messages import (
    Carried,
    Connected,
    Gone,
    HandOver,
    KeepTable,
    LookedFor,
    OwnerMessage,
    SaveState,
    Start,
    Stop,
    Took,
    Woken,
    Written,
)
from sabot.floor.table_owner.opening import Opening
from sabot.floor.table_owner.owner import Owner
from sabot.floor.table_owner.term import Term
from sabot.house.acts import HouseAct
from sabot.house.state import device_of
from sabot.journal.journal import Appended, AppendOutcome, Lease, SignedCheckpoint, Unknown, Unusable
from sabot.journal.ownership import StreamNotTaken
from sabot.runtime.counters import Counters
from sabot.runtime.job_queue import JobQueue
from sabot.runtime.lease_renewals import LeaseRenewals
from sabot.runtime.link import Link, Published
from sabot.runtime.view_failures import ViewFailures
from sabot.runtime.view_publisher import ViewPublisher
from sabot.table.acts import Act
from sabot.table.configuration import Configuration
from sabot.table.events import AccountOpened, NomineeNamed, WageringClosed, WagersChanged, WagersSettled
from sabot.table.preview import Preview
from sabot.views.tournament_board import TournamentBoard
from sabot.wire.checkpoint_frame import checkpoint_frame
from sabot.wire.frames import REPLACED, STANDS_STILL, Answer, Told, Vouched, Welcome

log = structlog.get_logger(__name__)

_ADMITTING = frozenset({AccountOpened, NomineeNamed})


class TableBacking(Backing, frozen=True, kw_only=True):
    """What stands behind every table of a running floor."""

    now: Callable[[], int]
    """A clock in milliseconds that only counts on."""
    counters: Counters = msgspec.field(default_factory=Counters)
    jobs: JobQueue = msgspec.field(default_factory=JobQueue)
    renewals: LeaseRenewals = msgspec.field(default_factory=LeaseRenewals)

    async def renewed(self, lease: Lease) -> Lease | None:
        return await self.renewals.renew(self.journal, lease, self.lease_ms)


class Surroundings(Protocol):
    """Who hears from a table."""

    def tell_house(self, act: HouseAct, stamp: Stamp) -> None: ...

    def raise_alarm(self, table: str, text: str, device: str = "") -> None: ...

    def begin_serving(self, table: "RunningTable") -> None: ...

    def board_of(self, tournament: str) -> TournamentBoard | None:
        """The leader board of a tournament, as far as it is known here."""

    def tournament_may_move(self) -> None:
        """Something other than a touch became durable at a table that is reserved for a tournament."""

    def patron_came(self, table: "RunningTable") -> None:
        """A patron or a nominee was admitted, whom the house may have excluded in the meantime."""


class RunningTable:
    def __init__(self, configuration: Configuration, backing: TableBacking, around: Surroundings) -> None:
        started = Started(backing.build)
        self.name = configuration.table
        self._stream = table_stream(self.name)
        self._backing, self._around = backing, around
        self._owner = Owner(
            Opening(backing.owner, started, configuration, lambda _: secrets.token_hex(16), backing.keeps),
            self._is_signed_by_us,
        )
        self._links: dict[str, Link] = {}
        self._on_appends: tuple[Link, ...] = ()
        """Those inside the process that follow every append."""
        failures = ViewFailures(self.name, around.raise_alarm, backing.now)
        self.views = ViewPublisher(self._links, backing.now, backing.jobs, failures, around.board_of)
        self._connected: dict[str, Connected] = {}
        self._tasks: set[asyncio.Future[Any]] = set()
        self._alarm: asyncio.TimerHandle | None = None
        self._was_serving = False
        self._left = asyncio.Event()
        self._append_since: float | None = None
        self._closed_at: int | None = None
        self._last_errand: asyncio.Task[None] | None = None
        self.vouched = 0
        """The version that was signed last."""
        self._does: dict[type, Callable[[Any], None]] = {
            do.Tell: self._tell,
            do.Disconnect: self._disconnect,
            do.Wake: self._wake,
            do.Append: self._append,
            do.Take: lambda effect: self._run(self._errand(effect)),
            do.Renew: lambda effect: self._run(self._errand(effect)),
            do.Find: lambda effect: self._run(self._errand(effect)),
            do.LookAtHead: lambda effect: self._run(self._errand(effect)),
            do.LookFor: lambda effect: self._run(self._errand(effect)),
            do.ReleaseLease: lambda effect: self._in_turn(self._errand(effect)),
            do.KeepSnapshot: lambda effect: self._in_turn(self._errand(effect)),
            do.Vouch: lambda effect: self._in_turn(self._vouch(effect)),
            do.Publish: self._publish,
            do.TellHouse: lambda effect: around.tell_house(effect.act, effect.stamp),
            do.RaiseAlarm: lambda effect: around.raise_alarm(self.name, effect.text, effect.device),
        }

    # What others may know

    @property
    def term(self) -> Term | None:
        """The table's state in this process, while it serves it."""
        term = self._owner.term
        return term if term is not None and term.is_serving else None

    async def foresee(self, act: Act, stamp: Stamp) -> Preview | None:
        """What an act would do; nothing while the table is not served here."""
        term = self.term
        if term is None:
            return None
        return await foresee(Present(term.state, term.head, term.shelf.unshelved), act, stamp, self._backing.journal)

    @property
    def holder(self) -> str:
        """Who is known to own the table, here or elsewhere."""
        return self._owner.holder

    @property
    def table_ms(self) -> int:
        """The table's own time, while it is served here."""
        term = self._owner.term
        return self._backing.wall_ms() if term is None else term.clock.table_ms(self._backing.now())

    @property
    def links(self) -> Mapping[str, Link]:
        """Who is connected, by device."""
        return self._links

    @property
    def journal_lag_s(self) -> float:
        """How long the append under way has lasted; 0 where there is none."""
        return 0.0 if self._append_since is None else time.perf_counter() - self._append_since

    # What devices and the floor do

    def start(self) -> None:
        self.receive(Start())

    async def stop(self) -> None:
        """Leave in order: what waits is written and answered, then the next owner may go on exactly here."""
        if self._owner.term is not None:
            self.receive(Stop())
            await self._left.wait()
        else:
            self.receive(Stop())
        if self._alarm is not None:
            self._alarm.cancel()
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def hand_over(self, to: str, by: str, *, for_good: bool = False) -> None:
        """Leave the table to another process between two coups; returns when its lease is free."""
        self.receive(HandOver(to, by, for_good))
        try:
            if self._owner.term is not None:
                await self._left.wait()
        except asyncio.CancelledError:
            self.receive(KeepTable())
            raise
        if self._last_errand is not None:
            await asyncio.wait((self._last_errand,))

    def hello(self, connected: Connected, link: Link) -> None:
        """A device connects, or says hello again. Of two connections of one device the newer one counts."""
        before = self._links.get(connected.device)
        self._links[connected.device] = link
        self._see_who_follows()
        if before is not None and before is not link:
            before.end(REPLACED)
        self._connected[connected.device] = connected
        self.receive(connected)

    def gone(self, device: str, link: Link) -> None:
        """A connection is lost; one that was replaced is nobody's loss."""
        if self._links.get(device) is link:
            del self._links[device]
            self._see_who_follows()
            self.receive(Gone(device))

    def retire(self, device: str, current: str, why: str) -> None:
        """End and forget the enrolments of a device but the current one; a name enrolled anew begins from nothing."""
        for one in [one for one in self._connected if one != current and device_of(one) == device]:
            link = self._links.pop(one, None)
            self._see_who_follows()
            if link is not None:
                link.end(why)
            self.receive(Gone(one, for_good=True))
            self.views.forget(one)
            del self._connected[one]

    def vouch(self) -> None:
        """Sign what is durable, though no coup has been settled."""
        if self.term is not None:
            self._in_turn(self._vouch(do.Vouch(self.term.head)))

    async def save(self) -> None:
        """Keep a snapshot of what is durable; returns when it is kept."""
        if self.term is not None:
            self.receive(SaveState())
            if self._last_errand is not None:
                await asyncio.wait((self._last_errand,))

    def carry(self, act: Act, stamp: Stamp) -> None:
        self.receive(Carried(act, stamp))

    def receive(self, message: OwnerMessage) -> None:
        for effect in self._owner.handle(self._backing.now(), message):
            self._does[type(effect)](effect)
        term = self._owner.term
        is_serving = term is not None and term.is_serving
        if is_serving is not self._was_serving:
            self._was_serving = is_serving
            log.info("serves the table" if is_serving else "lets go of the table", table=self.name)
            if self.term is not None:
                self.views.begin(self.term)
                self._around.begin_serving(self)
            else:
                self.views.end()
        if term is None:
            self._left.set()
        elif not self._was_serving and self._left.is_set():
            self._left.clear()

    # What the owner wants

    def _tell(self, effect: do.Tell) -> None:
        link = self._links.get(effect.device)
        if link is None:
            return
        frame = effect.frame
        if isinstance(frame, Answer):
            self._count(frame)
            link.tell(frame)
            self.views.answered(effect.device, frame)
        elif link.feed != "views" or not isinstance(frame, Told | Welcome):
            link.tell(frame)
        elif isinstance(frame, Welcome):  # What is told record by record is shown by the next look at the views.
            link.tell(self.views.welcome(self._connected[effect.device], frame))

    def _disconnect(self, effect: do.Disconnect) -> None:
        link = self._links.pop(effect.device, None)
        self._see_who_follows()
        if link is not None:
            is_stuck = not effect.holder and self._backing.journal.trouble is not None
            link.end(STANDS_STILL if is_stuck else effect.why, effect.holder)

    def _count(self, answer: Answer) -> None:
        if answer.refusal is None:
            self._backing.counters.accepted += 1
        else:
            self._backing.counters.refused[answer.refusal.code] += 1

    def _publish(self, effect: do.Publish) -> None:
        is_news = is_admitted = False
        for happening in effect.happenings:
            for event in happening.events:
                is_news = is_news or type(event) is not WagersChanged
                if type(event) is WageringClosed:
                    self._closed_at = self._backing.now()
                elif type(event) is WagersSettled and self._closed_at is not None:
                    self._backing.counters.settling_s.add((self._backing.now() - self._closed_at) / 1000)
                    self._closed_at = None
                elif type(event) in _ADMITTING:
                    is_admitted = True
        self.views.publish(effect.happenings)
        if is_news and effect.happenings[-1].state.reserved is not None:
            self._around.tournament_may_move()
        if is_admitted:
            self._around.patron_came(self)
        for link in self._on_appends:
            link.tell(Published(effect.happenings))

    def _see_who_follows(self) -> None:
        self._on_appends = tuple(one for one in self._links.values() if one.feed == "appends")

    def _wake(self, effect: do.Wake) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        delay = max(0, effect.at - self._backing.now()) / 1000
        self._alarm = asyncio.get_running_loop().call_later(delay, self._ring)

    def _ring(self) -> None:
        self.receive(Woken())

    # Errands

    def _run(self, errand: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(errand)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _in_turn(self, errand: Coroutine[Any, Any, None]) -> None:
        """After the one before it: a lease is released last, when everything else is kept."""
        before = self._last_errand

        async def go() -> None:
            if before is not None:
                await asyncio.wait((before,))
            try:
                await errand
            except Exception:
                log.exception("the journal did not take it", table=self.name)

        self._last_errand = asyncio.create_task(go())
        self._tasks.add(self._last_errand)
        self._last_errand.add_done_callback(self._tasks.discard)

    def _append(self, effect: do.Append) -> None:
        """It is begun here and now: the disk works while those of the append before it are answered."""
        self._append_since = started = time.perf_counter()
        try:
            writing = self._backing.journal.append(self._stream, effect.expected_version, effect.records)
        except Exception as error:
            log.exception("an append failed", table=self.name)
            writing = _unknown(error)
        writing = asyncio.ensure_future(writing)
        self._tasks.add(writing)
        writing.add_done_callback(lambda done: self._appended(effect, done, started))

    def _appended(self, effect: do.Append, written: "asyncio.Future[AppendOutcome]", started: float) -> None:
        self._tasks.discard(written)
        if written.cancelled():
            return
        error = written.exception()
        if error is not None:
            log.error("an append failed", table=self.name, exc_info=error)
        outcome = written.result() if error is None else Unknown(str(error))
        self._append_since = None
        counters = self._backing.counters
        counters.append_s.add(time.perf_counter() - started)
        counters.records.add(len(effect.records))
        counters.unsure_appends += not isinstance(outcome, Appended)
        self.receive(Written(effect.errand, outcome))

    async def _errand(self, effect: do.JournalErrand) -> None:
        try:
            answer = await carry_out(effect, self._stream, self._backing)
        except Exception as error:
            tell = log.warning if isinstance(error, Unusable) else log.exception
            tell("the journal did not answer", table=self.name, errand=type(effect).__name__, why=str(error))
            answer = None
            if isinstance(effect, do.Take):
                answer = Took(effect.errand, StreamNotTaken(None, str(error)))
            elif isinstance(effect, do.LookFor):
                answer = LookedFor(effect.errand, None)
            elif isinstance(effect, do.Find):
                self._disconnect(do.Disconnect(effect.connected.device, STANDS_STILL, ""))
        if answer is not None:
            self.receive(answer)

    async def _vouch(self, effect: do.Vouch) -> None:
        checkpoint = await vouch_for(effect.head, self._backing)
        if checkpoint is not None:
            self.vouched = checkpoint.head.version
            vouched = Vouched(checkpoint=checkpoint_frame(checkpoint))
            if not self.views.will_tell(vouched):
                for link in list(self._links.values()):
                    link.tell(vouched)

    def _is_signed_by_us(self, checkpoint: SignedCheckpoint) -> bool:
        signer = self._backing.signer
        return signer is not None and signer.knows(checkpoint)


async def _unknown(error: Exception) -> AppendOutcome:
    return Unknown(str(error))
