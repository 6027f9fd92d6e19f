"""A running table: its owner, and whoever carries out what the owner wants.

Everything happens on one event loop, so a message to the owner and the effects that follow are one step. What asks the
journal becomes a task, and its answer a message. Links are told without waiting for them.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, Protocol

import msgspec
import structlog

from sabot.floor.records.record_codec import Started, table_stream
from sabot.floor.records.recovery import snapshot_at
from sabot.floor.table_owner import effects as do
from sabot.floor.table_owner.messages import (
    Answer,
    Ask,
    Carried,
    Found,
    Gone,
    HeadSeen,
    Hello,
    Message,
    Renewed,
    Start,
    Stop,
    Told,
    Took,
    Welcome,
    Woken,
    Written,
)
from sabot.floor.table_owner.owner import LEASE_MS, Owner
from sabot.floor.table_owner.take_over import take_table
from sabot.floor.table_owner.term import Opening, Tenure
from sabot.house.commands import Command as HouseCommand
from sabot.journal.checkpoint import is_signed_by, sign
from sabot.journal.journal import Appended, Journal, Outcome, SignedCheckpoint, Unknown
from sabot.journal.keys import SigningKey
from sabot.journal.ownership import NotTaken
from sabot.journal.record import Head
from sabot.runtime.counters import Tally
from sabot.runtime.job_queue import Turns
from sabot.runtime.link import Link, Published, Vouched
from sabot.runtime.view_publisher import Viewing
from sabot.table.acts import Command
from sabot.table.configuration import Configuration
from sabot.table.events import WageringClosed, WagersSettled
from sabot.table.phase import Phase
from sabot.wire.frames import REPLACED

log = structlog.get_logger(__name__)


class Backing(msgspec.Struct, frozen=True):
    """What stands behind every table of a process."""

    journal: Journal
    owner: str
    """The name under which this process owns tables: where devices reach it."""
    build: str
    """The digest of the program; it is also the form of the snapshots."""
    now: Callable[[], int]
    """A clock in milliseconds that only counts on."""
    wall_ms: Callable[[], int]
    key: SigningKey | None = None
    anchor: Callable[[Head, SignedCheckpoint | None], None] | None = None
    """Told of every checkpoint, to keep it somewhere else."""
    tally: Tally = msgspec.field(default_factory=Tally)
    turns: Turns = msgspec.field(default_factory=Turns)


class Surroundings(Protocol):
    """Who hears from a table."""

    def tell_house(self, command: HouseCommand) -> None: ...

    def raise_alarm(self, table: str, text: str) -> None: ...

    def begin_serving(self, table: "RunningTable") -> None: ...


class RunningTable:
    def __init__(self, configuration: Configuration, backing: Backing, around: Surroundings) -> None:
        ring = backing.key.ring if backing.key else ()
        started = Started(backing.build, tuple(one.line for one in ring))
        self.name = configuration.table
        self._stream = table_stream(self.name)
        self._backing, self._around = backing, around
        self._public = {one.key.id: one.key for one in ring}
        self._owner = Owner(Opening(backing.owner, started, configuration), self._is_signed_by_us)
        self._links: dict[str, Link] = {}
        self.viewing = Viewing(self._links, backing.now, backing.turns)
        self._hellos: dict[str, Hello] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._alarm: asyncio.TimerHandle | None = None
        self._was_serving = False
        self._left = asyncio.Event()
        self._append_since: float | None = None
        self._closed_at: int | None = None
        self._last_errand: asyncio.Task[None] | None = None
        self._does: dict[type, Callable[[Any], None]] = {
            do.Tell: self._tell,
            do.Disconnect: self._disconnect,
            do.Wake: self._wake,
            do.Append: self._append,
            do.Take: lambda effect: self._run(self._take(effect)),
            do.Renew: lambda effect: self._run(self._renew(effect)),
            do.Find: lambda effect: self._run(self._find(effect)),
            do.LookAtHead: lambda effect: self._run(self._look_at_head(effect)),
            do.Release: lambda effect: self._in_turn(self._release(effect)),
            do.Vouch: lambda effect: self._in_turn(self._vouch(effect)),
            do.KeepSnapshot: lambda effect: self._in_turn(self._keep_snapshot(effect)),
            do.Publish: self._publish,
            do.TellHouse: lambda effect: around.tell_house(effect.command),
            do.RaiseAlarm: lambda effect: around.raise_alarm(self.name, effect.text),
        }

    # What others may know

    @property
    def tenure(self) -> Tenure | None:
        """What this process knows of the table, while it serves it."""
        tenure = self._owner.tenure
        return tenure if tenure is not None and tenure.is_serving else None

    @property
    def holder(self) -> str:
        """Who is known to own the table, here or elsewhere."""
        return self._owner.holder

    @property
    def table_ms(self) -> int:
        """The table's own time, while it is served here."""
        tenure = self._owner.tenure
        return self._backing.wall_ms() if tenure is None else tenure.clock.table_ms(self._backing.now())

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
        if self._owner.tenure is not None:
            self.receive(Stop())
            await self._left.wait()
        else:
            self.receive(Stop())
        if self._alarm is not None:
            self._alarm.cancel()
        while self._tasks:
            await asyncio.wait(self._tasks)

    def hello(self, hello: Hello, link: Link) -> None:
        """A device connects, or says hello again. Of two connections of one device the newer one counts."""
        before = self._links.get(hello.device)
        self._links[hello.device] = link
        if before is not None and before is not link:
            before.end(REPLACED)
        hello = msgspec.structs.replace(hello, follows=link.feed == "events")
        self._hellos[hello.device] = hello
        self.receive(hello)

    def ask(self, asked: Ask) -> None:
        command = asked.command
        if "salts" in command.__struct_fields__:
            asked = msgspec.structs.replace(asked, command=msgspec.structs.replace(command, salts=self._salts()))
        self.receive(asked)

    def gone(self, device: str, link: Link) -> None:
        """A connection is lost; one that was replaced is nobody's loss."""
        if self._links.get(device) is link:
            del self._links[device]
            self.receive(Gone(device))

    def disconnect(self, device: str, why: str) -> None:
        link = self._links.get(device)
        if link is not None:
            link.end(why)
            self.gone(device, link)

    def carry(self, command: Command) -> None:
        self.receive(Carried(command))

    def receive(self, message: Message) -> None:
        for effect in self._owner.handle(self._backing.now(), message):
            self._does[type(effect)](effect)
        tenure = self._owner.tenure
        is_serving = tenure is not None and tenure.is_serving
        if is_serving is not self._was_serving:
            self._was_serving = is_serving
            log.info("serves the table" if is_serving else "lets go of the table", table=self.name)
            if self.tenure is not None:
                self.viewing.begin(self.tenure)
                self._around.begin_serving(self)
            else:
                self.viewing.end()
        if tenure is None:
            self._left.set()
        elif self._left.is_set():
            self._left.clear()

    # What the owner wants

    def _tell(self, effect: do.Tell) -> None:
        link = self._links.get(effect.device)
        if link is None:
            return
        message = effect.message
        if isinstance(message, Answer):
            self._count(message)
        if link.feed != "views" or not isinstance(message, Told | Welcome):
            link.tell(message)
        elif isinstance(message, Welcome):  # What is told record by record is shown by the next look at the views.
            link.tell(self.viewing.welcome(self._hellos[effect.device], message))

    def _disconnect(self, effect: do.Disconnect) -> None:
        link = self._links.pop(effect.device, None)
        if link is not None:
            link.end(effect.why, effect.holder)

    def _count(self, answer: Answer) -> None:
        if answer.refusal is None:
            self._backing.tally.accepted += 1
        else:
            self._backing.tally.refused[answer.refusal.code] += 1

    def _publish(self, effect: do.Publish) -> None:
        for happening in effect.happenings:
            for event in happening.events:
                if type(event) is WageringClosed:
                    self._closed_at = self._backing.now()
                elif type(event) is WagersSettled and self._closed_at is not None:
                    self._backing.tally.settling_s.add((self._backing.now() - self._closed_at) / 1000)
                    self._closed_at = None
        self.viewing.publish(effect.happenings)
        for link in [one for one in self._links.values() if one.feed == "appends"]:
            link.tell(Published(effect.happenings))

    def _wake(self, effect: do.Wake) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        delay = max(0, effect.at - self._backing.now()) / 1000
        self._alarm = asyncio.get_running_loop().call_later(delay, self._ring)

    def _ring(self) -> None:
        self.receive(Woken(self._salts()))

    def _salts(self) -> dict[str, str]:
        """Fresh ones, while a close may need them."""
        tenure = self._owner.tenure
        if tenure is None or tenure.state.phase is not Phase.WAGERING:
            return {}
        return {station: secrets.token_hex(16) for station in tenure.state.stations}

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
        self._run(self._appended(effect, writing, started))

    async def _appended(self, effect: do.Append, writing: Awaitable[Outcome], started: float) -> None:
        try:
            outcome = await writing
        except Exception as error:
            log.exception("an append failed", table=self.name)
            outcome = Unknown(str(error))
        self._append_since = None
        tally = self._backing.tally
        tally.append_s.add(time.perf_counter() - started)
        tally.records.add(len(effect.records))
        tally.unsure_appends += not isinstance(outcome, Appended)
        self.receive(Written(effect.errand, outcome))

    async def _take(self, effect: do.Take) -> None:
        backing = self._backing
        try:
            taken = await take_table(backing.journal, self._stream, backing.owner, LEASE_MS, backing.build, effect.held)
        except Exception as error:
            log.exception("the table could not be taken", table=self.name)
            taken = NotTaken(None, str(error))
        self.receive(Took(effect.errand, taken))

    async def _renew(self, effect: do.Renew) -> None:
        try:
            leases = await self._backing.journal.renew_leases([effect.lease], LEASE_MS)
        except Exception:
            log.exception("a lease could not be renewed", table=self.name)
            return
        self.receive(Renewed(effect.errand, leases[0] if leases else None))

    async def _find(self, effect: do.Find) -> None:
        try:
            record = await self._backing.journal.find(self._stream, effect.key)
        except Exception:
            log.exception("a record could not be looked for", table=self.name)
            self._disconnect(do.Disconnect(effect.hello.device, "the journal does not answer", ""))
            return
        self.receive(Found(effect.errand, effect.hello, record))

    async def _look_at_head(self, effect: do.LookAtHead) -> None:
        try:
            head = await self._backing.journal.head(self._stream)
        except Exception:
            log.exception("the head could not be looked at", table=self.name)
            return
        self.receive(HeadSeen(effect.errand, head))

    async def _release(self, effect: do.Release) -> None:
        await self._backing.journal.release_lease(effect.lease)

    async def _vouch(self, effect: do.Vouch) -> None:
        backing, checkpoint = self._backing, None
        if backing.key is not None:
            checkpoint = sign(effect.head, backing.wall_ms(), backing.key)
            await backing.journal.save_checkpoint(checkpoint)
            for link in list(self._links.values()):
                link.tell(Vouched(checkpoint))
        if backing.anchor is not None:
            backing.anchor(effect.head, checkpoint)

    async def _keep_snapshot(self, effect: do.KeepSnapshot) -> None:
        await self._backing.journal.save_snapshot(snapshot_at(effect.head, self._backing.build, effect.mark))

    def _is_signed_by_us(self, checkpoint: SignedCheckpoint) -> bool:
        key = self._public.get(checkpoint.key_id)
        return key is not None and is_signed_by(checkpoint, key)


async def _unknown(error: Exception) -> Outcome:
    return Unknown(str(error))
