"""A device's side of the protocol with the owner of its table, without any input or output.

A time and a frame go in, effects come out; whoever holds the socket carries them out. One command is under way at a
time. It is repeated under the same name until it is answered, over as many connections and owners as that takes, and no
owner is listened to that is older than the newest one met. `docs/floor.md` gives these rules to every client.
"""

from typing import Literal

import msgspec

from sabot.wire.frames import (
    Answer,
    Ask,
    Bye,
    Checkpoint,
    Heard,
    Hello,
    Lost,
    Paused,
    Resynchronise,
    Said,
    Shown,
    Told,
    Trouble,
    Vouched,
    Welcome,
)
from sabot.wire.spoken import Spoken

Feed = Literal["views", "events"]
Outcome = Answer | Lost | Trouble
News = Welcome | Told | Shown | Paused


class Patience(msgspec.Struct, frozen=True):
    """How long a device waits, in milliseconds, before it does something about it."""

    answer_ms: int = 1_000
    tries: int = 3
    """How often a command is sent before the device says hello instead."""
    welcome_ms: int = 3_000
    silence_ms: int = 10_000
    """Whoever hears nothing for long cannot know whether there was nothing to hear."""


# Effects


class Send(msgspec.Struct, frozen=True):
    frame: Heard


class Keep(msgspec.Struct, frozen=True):
    """Remember the command before it is sent, where the device must know after a power loss what became of it."""

    ask: Ask


class Settle(msgspec.Struct, frozen=True):
    """The command is over: answered, lost for good, or not taken at the door."""

    ask: Ask
    outcome: Outcome


class Show(msgspec.Struct, frozen=True):
    news: News


class Abandon(msgspec.Struct, frozen=True):
    """The connection is of no use any more. Open another one, to this owner where one is named."""

    why: str
    owner: str = ""


Effect = Send | Keep | Settle | Show | Abandon


class Exchange:
    """Everything that a device knows of where it stands. `due` is when `wait` wants to be called."""

    def __init__(self, feed: Feed, patience: Patience | None = None, pending: Ask | None = None) -> None:
        """`pending` is a command from before a power loss, whose fate is still to be learnt."""
        self._feed: Feed = feed
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
        self._doubted: Outcome | None = None
        self._checkpoint: Checkpoint | None = None
        """The newest signed head of the table's records, which shows if they are ever cut."""
        self._effects: list[Effect] = []

    @property
    def is_free(self) -> bool:
        return self.in_touch and self.pending is None

    # Connecting

    def opened(self, now: int) -> list[Effect]:
        """A connection stands, and the floor knows the device."""
        self._say_hello(now)
        return self._take_effects()

    def closed(self) -> None:
        self.in_touch, self.due = False, None

    def _say_hello(self, now: int) -> None:
        self.in_touch = False
        pending = None if self.pending is None else (self.pending.epoch, self.pending.n)
        hello = Hello(
            feed=self._feed, epoch=self.epoch, version=self.version, pending=pending, checkpoint=self._checkpoint
        )
        self._effects.append(Send(hello))
        self.due = now + self._patience.welcome_ms

    def _abandon(self, why: str, owner: str = "") -> None:
        self.closed()
        self._effects.append(Abandon(why, owner))

    # Asking

    def ask(
        self, now: int, command: Spoken, coup: int | None = None, *, token: str = "", second: str = ""
    ) -> list[Effect]:
        assert self.is_free, "one command at a time"
        self._n += 1
        self.pending = Ask(epoch=self.epoch, n=self._n, coup=coup, command=command, token=token, second=second)
        self._tries, self._was_sent, self._doubted = 0, False, None
        self._effects.append(Keep(self.pending))
        self._send_pending(now)
        return self._take_effects()

    def _send_pending(self, now: int) -> None:
        assert self.pending is not None
        self._was_sent = self._was_sent or self._tries > 0
        self._tries += 1
        self._effects.append(Send(self.pending))
        self.due = now + self._patience.answer_ms

    def _settle(self, now: int, outcome: Outcome) -> None:
        assert self.pending is not None
        self._effects.append(Settle(self.pending, outcome))
        self.pending = self._doubted = None
        if self.in_touch:
            self.due = now + self._patience.silence_ms

    def _is_of(self, outcome: Answer | Lost) -> bool:
        return self.pending is not None and (self.pending.epoch, self.pending.n) == (outcome.epoch, outcome.n)

    # Waiting

    def wait(self, now: int) -> list[Effect]:
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

    def hear(self, now: int, frame: Said) -> list[Effect]:
        match frame:
            case Bye():
                self._abandon(frame.why, frame.owner)
            case Trouble():
                if self.in_touch and self.pending is not None and frame.n == self.pending.n:
                    self._believe(now, frame)
            case Vouched():
                self._checkpoint = frame.checkpoint
            case Welcome() | Answer() | Lost() | Told() | Shown() | Paused() | Resynchronise():
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
            case Shown() if self._is_current(frame.epoch) and frame.version >= self.version:
                self._show(frame, frame.version)
            case Paused() if self._is_current(frame.epoch):
                self._effects.append(Show(frame))
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
        self._effects.append(Show(news))

    def _believe(self, now: int, outcome: Outcome) -> None:
        """A no that is on no record speaks of one copy of the command. An earlier one may have been taken all the same:
        then only the owner knows, and is asked when the time for an answer has run out."""
        if self._was_sent and _is_off_the_record(outcome):
            self._doubted = outcome
        else:
            self._settle(now, outcome)

    def _take_effects(self) -> list[Effect]:
        effects, self._effects = self._effects, []
        return effects


def _is_off_the_record(outcome: Outcome) -> bool:
    return isinstance(outcome, Trouble) or (isinstance(outcome, Answer) and not outcome.version)
