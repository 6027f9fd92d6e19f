"""A device's side of the protocol with the owner of its table, without any input or output.

A time and a frame go in, effects come out, which the holder of the socket carries out. One act is under way at a time.
It is repeated under the same name until it is answered, over as many connections and owners as that takes. Frames of an
owner that is older than the newest one met are ignored. `docs/floor.md` gives these rules to every client.
"""

from typing import Literal

import msgspec

from sabot.table.acts import DeviceAct
from sabot.wire.frames import (
    Answer,
    Ask,
    Bye,
    Checkpoint,
    DeviceFrame,
    FloorFrame,
    Hello,
    Lost,
    Paused,
    Resynchronise,
    Told,
    Trouble,
    ViewFrame,
    Vouched,
    Welcome,
)

DeviceFeed = Literal["views", "events"]
ActOutcome = Answer | Lost | Trouble
News = Welcome | Told | ViewFrame | Paused


class Patience(msgspec.Struct, frozen=True):
    """How long a device waits, in milliseconds, before it does something about it."""

    answer_ms: int = 1_000
    tries: int = 3
    """How often a command is sent before the device says hello instead."""
    welcome_ms: int = 3_000
    silence_ms: int = 10_000
    """After so long without a frame the device says hello, since it may have missed something."""
    turned_away_ms: int = 30_000
    """After so long at most a device that was turned away tries again, since it may be enrolled again."""


# Effects


class SendFrame(msgspec.Struct, frozen=True):
    frame: DeviceFrame


class Keep(msgspec.Struct, frozen=True):
    """Remember the command before it is sent, where the device must know after a power loss what became of it."""

    ask: Ask


class Settle(msgspec.Struct, frozen=True):
    """The command is over: answered, lost for good, or not taken at the door."""

    ask: Ask
    outcome: ActOutcome


class ShowNews(msgspec.Struct, frozen=True):
    news: News


class Abandon(msgspec.Struct, frozen=True):
    """The connection is of no use any more. Open another one, to this owner where one is named."""

    why: str
    owner: str = ""


DeviceEffect = SendFrame | Keep | Settle | ShowNews | Abandon


class Exchange:
    """Everything that a device keeps about its place in the protocol. `due` is when `wait` must be called."""

    def __init__(self, feed: DeviceFeed, patience: Patience | None = None, pending: Ask | None = None) -> None:
        """`pending` is a command from before a power loss, whose fate is still to be learnt."""
        self._feed: DeviceFeed = feed
        self._patience = patience or Patience()
        self.pending = pending
        self.epoch = 0
        self.version = 0
        self.in_touch = False
        self.due: int | None = None
        self._n = 0
        self._tries = 0
        """How often the command was sent since the last welcome."""
        self._was_sent = pending is not None
        """Whether the command may have reached the owner before it was sent last."""
        self._doubted: ActOutcome | None = None
        self._checkpoint: Checkpoint | None = None
        """The newest signed head of the table's records, which shows if they are ever cut."""
        self._effects: list[DeviceEffect] = []

    @property
    def is_free(self) -> bool:
        return self.in_touch and self.pending is None

    # Connecting

    def opened(self, now: int) -> list[DeviceEffect]:
        """A connection stands, and the floor knows the device."""
        self._say_hello(now)
        return self._take_effects()

    def closed(self) -> None:
        self.in_touch, self.due = False, None

    def _say_hello(self, now: int) -> None:
        self.in_touch = False
        pending = None if self.pending is None else self.pending.name
        hello = Hello(
            feed=self._feed, epoch=self.epoch, version=self.version, pending=pending, checkpoint=self._checkpoint
        )
        self._effects.append(SendFrame(hello))
        self.due = now + self._patience.welcome_ms

    def _abandon(self, why: str, owner: str = "") -> None:
        self.closed()
        self._effects.append(Abandon(why, owner))

    # Asking

    def ask(
        self, now: int, act: DeviceAct, coup: int | None = None, *, token: str = "", second: str = ""
    ) -> list[DeviceEffect]:
        assert self.is_free, "one command at a time"
        self._n += 1
        self.pending = Ask(epoch=self.epoch, n=self._n, coup=coup, act=act, token=token, second=second)
        self._tries, self._was_sent, self._doubted = 0, False, None
        self._effects.append(Keep(self.pending))
        self._send_pending(now)
        return self._take_effects()

    def _send_pending(self, now: int) -> None:
        assert self.pending is not None
        self._was_sent = self._was_sent or self._tries > 0
        self._tries += 1
        self._effects.append(SendFrame(self.pending))
        self.due = now + self._patience.answer_ms

    def _settle(self, now: int, outcome: ActOutcome) -> None:
        assert self.pending is not None
        self._effects.append(Settle(self.pending, outcome))
        self.pending = self._doubted = None
        if self.in_touch:
            self.due = now + self._patience.silence_ms

    def _is_of(self, outcome: Answer | Lost) -> bool:
        return self.pending is not None and (self.pending.epoch, self.pending.n) == (outcome.epoch, outcome.n)

    # Waiting

    def wait(self, now: int) -> list[DeviceEffect]:
        """Do what is due, if anything is."""
        if self.due is None or now < self.due:
            return []
        if not self.in_touch:
            self._abandon("nobody says welcome")
        elif self.pending is not None and self._tries < self._patience.tries and self._doubted is None:
            self._send_pending(now)
        else:
            self._say_hello(now)
        return self._take_effects()

    # Hearing

    def hear(self, now: int, frame: FloorFrame) -> list[DeviceEffect]:
        match frame:
            case Bye():
                self._abandon(frame.why, frame.owner)
            case Trouble():
                if self.in_touch and self.pending is not None and frame.n == self.pending.n:
                    self._believe(now, frame)
            case Vouched():
                self._checkpoint = frame.checkpoint
            case Welcome() | Answer() | Lost() | Told() | ViewFrame() | Paused() | Resynchronise():
                if self._is_heeded(frame):
                    self._heed(now, frame)
        return self._take_effects()

    def _is_heeded(self, frame: News | Answer | Lost | Resynchronise) -> bool:
        """An owner older than the newest one is not listened to: its refusals are fenced by nothing else."""
        return frame.epoch >= self.epoch

    def _heed(self, now: int, frame: News | Answer | Lost | Resynchronise) -> None:
        if self.is_free:
            self.due = now + self._patience.silence_ms
        match frame:
            case Welcome():
                self._enter(now, frame)
            case Answer() | Lost():
                if self._is_of(frame):
                    self._believe(now, frame)
            case Told():
                self._follow(now, frame)
            case ViewFrame() if self._is_current(frame.epoch) and frame.version >= self.version:
                self._show(frame, frame.version)
            case Paused() if self._is_current(frame.epoch):
                self._effects.append(ShowNews(frame))
            case Resynchronise():
                self._say_hello(now)

    def _is_current(self, epoch: int) -> bool:
        return epoch == self.epoch and self.in_touch

    def _enter(self, now: int, welcome: Welcome) -> None:
        if self.pending is not None:
            if welcome.pending is not None and self._is_of(welcome.pending):
                self._settle(now, welcome.pending)
            elif welcome.epoch > self.pending.epoch:
                return  # It answers an earlier hello: what became of the command is still to be learnt.
        is_new = welcome.epoch > self.epoch
        asked = 0 if self.pending is None else self.pending.n
        self._n = max(asked, welcome.last) if is_new else max(self._n, welcome.last)
        if is_new or welcome.version >= self.version:
            missed = tuple(told for told in welcome.missed if is_new or told.version > self.version)
            self._show(msgspec.structs.replace(welcome, missed=missed), welcome.version)
        self.epoch, self.in_touch = welcome.epoch, True
        self.due = now + self._patience.silence_ms
        if self.pending is not None:
            self._take_up_again(now, self.pending, welcome.last)

    def _take_up_again(self, now: int, pending: Ask, received: int) -> None:
        """The owner has not answered the command: it is being written, or has never arrived."""
        if self._doubted is not None and received < pending.n:
            self._settle(now, self._doubted)
            return
        self._was_sent, self._tries, self._doubted = True, 0, None
        self._send_pending(now)

    def _follow(self, now: int, told: Told) -> None:
        if not self._is_current(told.epoch) or told.version <= self.version:
            return
        if told.after > self.version:
            self._say_hello(now)  # Something was missed.
        else:
            self._show(told, told.version)

    def _show(self, news: News, version: int) -> None:
        self.version = version
        self._effects.append(ShowNews(news))

    def _believe(self, now: int, outcome: ActOutcome) -> None:
        """A no that is on no record speaks of one copy of the command. An earlier one may have been taken all the same:
        then only the owner knows, and is asked when the time for an answer has run out."""
        if self._was_sent and _is_off_the_record(outcome):
            self._doubted = outcome
        else:
            self._settle(now, outcome)

    def _take_effects(self) -> list[DeviceEffect]:
        effects, self._effects = self._effects, []
        return effects


def _is_off_the_record(outcome: ActOutcome) -> bool:
    return isinstance(outcome, Trouble) or (isinstance(outcome, Answer) and not outcome.version)
