"""A machine that runs an owner: it may crash and come back empty, or stand still and wake with its buffers full."""

from collections.abc import Callable, Coroutine
from typing import Any

from sabot.floor.records.record_codec import table_stream
from sabot.floor.simulator.scheduler import ScheduledAct, Scheduler
from sabot.floor.simulator.store import JournalLine, Store
from sabot.floor.table_owner import effects as do
from sabot.floor.table_owner.errands import Backing, carry_out
from sabot.floor.table_owner.messages import OwnerMessage, Start, Woken
from sabot.floor.table_owner.owner import Owner
from sabot.table.configuration import Configuration
from sabot.wire.frames import OwnerFrame

FORM = "simulated"
ToClient = Callable[[str, "OwnerFrame | do.Disconnect"], None]


class Host:
    def __init__(
        self, scheduler: Scheduler, store: Store, owner: Callable[[str], Owner], configuration: Configuration, name: str
    ) -> None:
        self._scheduler, self._store, self._new_owner, self.name = scheduler, store, owner, name
        self._stream = table_stream(configuration.table)
        self.clock_ms = 0
        """How far its clock is ahead of the world's: two machines never agree."""
        self._life = 0
        self._paused = False
        self._buffer: list[ScheduledAct] = []
        self._wake = 0
        self.owner: Owner | None = None
        self.to_client: ToClient = lambda _, __: None
        self.arrived: Callable[[Host, OwnerMessage], None] = lambda _, __: None
        self.alarms: list[str] = []
        self.line = JournalLine(store)
        self._backing = Backing(journal=self.line, owner=name, build=FORM, wall_ms=lambda: self.now)

    @property
    def now(self) -> int:
        return self._scheduler.now + self.clock_ms

    def start(self) -> None:
        if self.owner is None:
            self._life += 1
            self.owner = self._new_owner(self.name)
            self.receive(Start())

    def crash(self) -> None:
        """Everything in it is gone; what was under way in the network or the journal is not."""
        self._life += 1
        self.owner, self._paused = None, False
        self._buffer.clear()

    def pause(self) -> None:
        self._paused = True

    def resume(self) -> None:
        """What arrived meanwhile lies in its buffers, and its process cannot see that there was a pause."""
        self._paused = False
        buffer, self._buffer = self._buffer, []
        for act in buffer:
            self._act(act)

    def receive(self, message: OwnerMessage) -> None:
        """A message from outside; a machine that is down does not take it."""
        if self.owner is not None:
            self._act(lambda: self._handle(message))

    def _act(self, act: ScheduledAct) -> None:
        if self._paused:
            self._buffer.append(act)
        else:
            act()

    def _handle(self, message: OwnerMessage) -> None:
        if self.owner is not None:
            self.arrived(self, message)
            for effect in self.owner.handle(self.now, message):
                self._perform(effect)

    def _perform(self, effect: do.OwnerEffect) -> None:
        match effect:
            case do.Tell():
                self.to_client(effect.device, effect.frame)
            case do.Disconnect():
                self.to_client(effect.device, effect)
            case do.Wake():
                self._set_alarm(effect.at)
            case do.RaiseAlarm():
                self.alarms.append(effect.text)
            case do.TellHouse() | do.Vouch() | do.Publish():
                pass  # This world has neither a house, nor a key, nor screens.
            case _:
                self._run(carry_out(effect, self._stream, self._backing))

    def _run(self, work: Coroutine[Any, Any, OwnerMessage | None]) -> None:
        """Drive what awaits the journal from call to call; it dies with the machine."""
        life = self._life

        def step(value: object) -> None:
            if life != self._life:
                work.close()
                return
            try:
                call = work.send(value)
            except StopIteration as stop:
                if stop.value is not None:
                    self._handle(stop.value)
                return
            self._store.perform(call, lambda outcome: self._act(lambda: step(outcome)))

        step(None)

    def _set_alarm(self, at: int) -> None:
        self._wake += 1
        life, wake = self._life, self._wake

        def ring() -> None:
            if life == self._life and wake == self._wake:
                self._handle(Woken())

        self._scheduler.after(max(0, at - self.now), lambda: self._act(ring))
