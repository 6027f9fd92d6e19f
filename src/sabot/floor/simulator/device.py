"""A device of a simulated table, which keeps the rules that docs/floor.md gives to every client.

It has one command under way at a time, repeats it until it is answered, and says hello again when it loses touch. It
listens to no owner that is older than the newest it has met.
"""

from collections.abc import Callable

from sabot.basics.stamp import Stamp
from sabot.floor.simulator.chance import Chance
from sabot.floor.simulator.scheduler import Scheduler
from sabot.floor.table_owner.effects import Disconnect
from sabot.floor.table_owner.messages import Asked, Connected, Gone, OwnerMessage
from sabot.table.acts import DeviceAct
from sabot.views.audience import Audience
from sabot.views.event_board import EventBoard
from sabot.wire.frames import Answer, Ask, Hello, Lost, Name, OwnerFrame, Resynchronise, Told, Welcome

PATIENCE_MS = 400
TRIES = 3
SILENCE_MS = 1_500
ACCEPTED, REFUSED, LOST = "accepted", "refused", "lost"


class SimulatedDevice:
    def __init__(
        self,
        scheduler: Scheduler,
        chance: Chance,
        send: Callable[[int, OwnerMessage], None],
        name: str,
        audience: Audience,
    ) -> None:
        self.scheduler, self.chance, self.name, self.audience = scheduler, chance, name, audience
        self.station = name if audience is Audience.STATION else ""
        self.board = EventBoard()
        self.pending: Asked | None = None
        self.believes: dict[Name, str] = {}
        """What it takes to have become of each of its commands."""
        self.heard: list[Answer] = []
        """Every answer that ever reached it."""
        self.version = 0
        self._send = send
        self._host = 0
        self._epoch = 0
        self._n = 0
        self._in_touch = False
        self._tries = 0
        self._watch = 0
        self._heard_at = 0

    @property
    def is_free(self) -> bool:
        return self._in_touch and self.pending is None

    # Connecting

    def connect(self) -> None:
        self._in_touch = False
        pending = None if self.pending is None else self.pending.ask.name
        hello = Hello(feed="events", epoch=self._epoch, version=self.version, pending=pending)
        self._send(self._host, Connected(self.name, self.audience, hello, self.station))
        self._be_patient(self._turn_to_the_other)

    def _turn_to_the_other(self) -> None:
        self._send(self._host, Gone(self.name))
        self._host = 1 - self._host
        self.connect()

    def _be_patient(self, then: Callable[[], None]) -> None:
        """Wait for an answer, and do this if none comes."""
        self._watch += 1
        watch = self._watch

        def look() -> None:
            if watch == self._watch:
                then()

        self.scheduler.after(PATIENCE_MS + self.chance.between(0, 100), look)

    # Asking

    def ask(self, act: DeviceAct, stamp: Stamp, coup: int | None) -> None:
        assert self.is_free, "one act at a time"
        self._n += 1
        self._tries = 0
        self.pending = Asked(self.name, Ask(epoch=self._epoch, n=self._n, coup=coup, act=act), stamp)
        self._send_pending()

    def _send_pending(self) -> None:
        assert self.pending is not None
        self._tries += 1
        self._send(self._host, self.pending)
        self._be_patient(self._send_pending if self._tries < TRIES else self.connect)

    def _settle(self, outcome: Answer | Lost) -> None:
        """The pending command is over."""
        assert self.pending is not None
        self.believes[self.pending.ask.name] = (
            LOST if isinstance(outcome, Lost) else ACCEPTED if outcome.accepted else REFUSED
        )
        self.pending = None
        if self._in_touch:
            self._watch += 1

    # Hearing

    def check_silence(self) -> None:
        """A device that hears nothing for long says hello again, since it may have missed something."""
        if self._in_touch and self.pending is None and self.scheduler.now - self._heard_at > SILENCE_MS:
            self.connect()

    def hear(self, host: int, message: OwnerFrame | Disconnect) -> None:
        if isinstance(message, Answer):
            self.heard.append(message)
        if isinstance(message, Disconnect):
            if host == self._host:
                self._in_touch = False
                self._be_patient(self._turn_to_the_other)
        elif self._is_heeded(message):
            self._heard_at = self.scheduler.now
            self._heed(host, message)

    def _is_heeded(self, message: OwnerFrame) -> bool:
        """An owner older than the newest one is not listened to: its refusals are fenced by nothing else."""
        return message.epoch >= self._epoch

    def _heed(self, host: int, message: OwnerFrame) -> None:
        match message:
            case Welcome():
                self._host = host
                self._enter(message)
            case Answer() if self._is_of(message):
                self._settle(message)
            case Told() if message.epoch == self._epoch and self._in_touch:
                self._follow(message)
            case Resynchronise():
                self._host = host
                self.connect()

    def _enter(self, welcome: Welcome) -> None:
        is_new = welcome.epoch > self._epoch
        if is_new:
            if self.pending is not None and (welcome.pending is None or not self._is_of(welcome.pending)):
                return  # It answers an earlier hello: what became of the command is still to be learnt.
            self._epoch, self._n = welcome.epoch, 0
        if self.pending is not None and welcome.pending is not None and self._is_of(welcome.pending):
            self._settle(welcome.pending)
        if is_new or welcome.version >= self.version:
            self._catch_up(welcome)
        self._in_touch = True
        self._watch += 1
        if self.pending is not None:
            self._tries = 0
            self._send_pending()

    def _is_of(self, outcome: Answer | Lost) -> bool:
        return self.pending is not None and self.pending.ask.name == Name(outcome.epoch, outcome.n)

    def _catch_up(self, welcome: Welcome) -> None:
        if welcome.picture is not None:
            self.board.show(welcome.picture, self.station)
        for told in welcome.missed:
            if told.version > self.version:
                self.board.tell(told.events, told.purse)
        self.version = welcome.version

    def _follow(self, told: Told) -> None:
        if told.version <= self.version:
            return
        if told.after > self.version:
            self.connect()  # Something was missed.
            return
        self.board.tell(told.events, told.purse)
        self.version = told.version
