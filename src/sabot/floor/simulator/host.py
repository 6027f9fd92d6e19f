"""A machine that runs an owner: it may crash and come back empty, or stand still and wake with its buffers full."""

from collections.abc import Callable, Coroutine
from typing import Any

from sabot.floor.records.record_codec import table_stream
from sabot.floor.records.recovery import snapshot_at
from sabot.floor.simulator.scheduler import Act, Scheduler
from sabot.floor.simulator.store import Line, Store
from sabot.floor.table_owner import effects as do
from sabot.floor.table_owner.messages import Found, HeadSeen, Message, Renewed, Start, ToDevice, Took, Woken, Written
from sabot.floor.table_owner.owner import LEASE_MS, Owner
from sabot.floor.table_owner.take_over import take_table
from sabot.table.configuration import Configuration

FORM = "simulated"
ToClient = Callable[[str, "ToDevice | do.Disconnect"], None]


class Host:
    def __init__(
        self, scheduler: Scheduler, store: Store, owner: Callable[[str], Owner], configuration: Configuration, name: str
    ) -> None:
        self._scheduler, self._store, self._new_owner, self.name = scheduler, store, owner, name
        self._stream, self._stations = table_stream(configuration.table), tuple(configuration.stations)
        self.clock_ms = 0
        """How far its clock is ahead of the world's: two machines never agree."""
        self._life = 0
        self._paused = False
        self._buffer: list[Act] = []
        self._wake = 0
        self._woken = 0
        self.owner: Owner | None = None
        self.to_client: ToClient = lambda _, __: None
        self.arrived: Callable[[Host, Message], None] = lambda _, __: None
        self.alarms: list[str] = []
        self.line = Line(store)

    @property
    def now(self) -> int:
        return self._scheduler.now + self.clock_ms

    @property
    def is_up(self) -> bool:
        return self.owner is not None and not self._paused

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
        """Whatever arrived meanwhile lies in its buffers, and its process knows of no pause."""
        self._paused = False
        buffer, self._buffer = self._buffer, []
        for act in buffer:
            self._act(act)

    def receive(self, message: Message) -> None:
        """A message from outside; a machine that is down does not take it."""
        if self.owner is not None:
            self._act(lambda: self._handle(message))

    def _act(self, act: Act) -> None:
        if self._paused:
            self._buffer.append(act)
        else:
            act()

    def _handle(self, message: Message) -> None:
        if self.owner is not None:
            self.arrived(self, message)
            for effect in self.owner.handle(self.now, message):
                self._perform(effect)

    def _perform(self, effect: do.Effect) -> None:
        match effect:
            case do.Tell():
                self.to_client(effect.device, effect.message)
            case do.Disconnect():
                self.to_client(effect.device, effect)
            case do.Wake():
                self._set_alarm(effect.at)
            case do.RaiseAlarm():
                self.alarms.append(effect.text)
            case do.KeepSnapshot():
                self._run(self.line.save_snapshot(snapshot_at(effect.head, FORM, effect.mark)), None)
            case do.TellHouse() | do.Vouch() | do.Publish():
                pass  # This world has neither a house, nor a key, nor screens.
            case _:
                self._go(effect)

    def _go(self, errand: do.Errand) -> None:
        """Go to the journal, and bring the answer back to the owner."""
        line, stream = self.line, self._stream
        match errand:
            case do.Append():
                append = line.append(stream, errand.expected_version, errand.records)
                self._run(append, lambda outcome: Written(errand.errand, outcome))
            case do.Renew():
                renew = line.renew_leases([errand.lease], LEASE_MS)
                self._run(renew, lambda leases: Renewed(errand.errand, leases[0] if leases else None))
            case do.Take():
                taking = take_table(line, stream, self.name, LEASE_MS, FORM, errand.held)
                self._run(taking, lambda taken: Took(errand.errand, taken))
            case do.Find():
                find = line.find(stream, errand.key)
                self._run(find, lambda record: Found(errand.errand, errand.hello, record))
            case do.LookAtHead():
                self._run(line.head(stream), lambda head: HeadSeen(errand.errand, head))
            case do.Release():
                self._run(line.release_lease(errand.lease), None)

    def _run(self, work: Coroutine[Any, Any, Any], then: Callable[[Any], Message] | None) -> None:
        """Drive what awaits the journal from call to call; it dies with the machine."""
        life = self._life

        def step(value: object) -> None:
            if life != self._life:
                work.close()
                return
            try:
                call = work.send(value)
            except StopIteration as stop:
                if then is not None:
                    self._handle(then(stop.value))
                return
            self._store.perform(call, lambda outcome: self._act(lambda: step(outcome)))

        step(None)

    def _set_alarm(self, at: int) -> None:
        self._wake += 1
        life, wake = self._life, self._wake

        def ring() -> None:
            if life == self._life and wake == self._wake:
                self._woken += 1
                self._handle(Woken(dict.fromkeys(self._stations, f"{self._woken:032x}")))

        self._scheduler.after(max(0, at - self.now), lambda: self._act(ring))
