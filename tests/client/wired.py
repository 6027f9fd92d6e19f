"""Devices of a simulated world that speak the words on the wire through the client's own protocol."""

from functools import partial
from typing import Any

from sabot.client.protocol import Abandon, Effect, Exchange, Keep, Patience, Send, Settle, Show
from sabot.floor.simulator.board import Board
from sabot.floor.simulator.device import ACCEPTED, LOST, REFUSED
from sabot.floor.simulator.network import LINGERING_MS
from sabot.floor.simulator.robots import Dealer, Patron, Robot
from sabot.floor.simulator.world import Cast
from sabot.floor.table_owner.effects import Disconnect
from sabot.floor.table_owner.messages import Answer, Gone, Name, Resynchronise, ToDevice, Welcome
from sabot.table.acts import Command
from sabot.wire import frames as w
from tests.client.carried import CONSOLE, at_station, spoken, to_device, to_owner

PATIENCE = Patience(answer_ms=400, tries=3, welcome_ms=400, silence_ms=1_500)
POWER_LOSS = 0.01
DARK_MS = LINGERING_MS[1] + 100
"""A device without power hears nothing, and what was said to it before is gone: connections end with it."""


class Wired(Robot):
    """Every frame is written and read again. Now and then the device loses its power, and all but the last command."""

    exchange_kind: type[Exchange] = Exchange

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.exchange = self.exchange_kind("events", PATIENCE)
        self._kept: w.Ask | None = None
        self._who = at_station(self.name) if self.station else CONSOLE
        self._asked = 0
        self._is_dark = False

    @property
    def is_free(self) -> bool:
        return self.exchange.is_free

    def connect(self) -> None:
        if not self._is_dark:
            self._do(self.exchange.opened(self.scheduler.now))

    def ask(self, command: Command, coup: int | None) -> None:
        self._do(self.exchange.ask(self.scheduler.now, spoken(command), coup))

    def check_silence(self) -> None:
        if not self._is_dark and not self.resting and self.chance.happens(POWER_LOSS):
            self._is_dark = True
            self.exchange, self.board = self.exchange_kind("events", PATIENCE, self._kept), Board()
            self.scheduler.after(DARK_MS, self._come_back)

    def _come_back(self) -> None:
        self._is_dark = False
        self.connect()

    def hear(self, host: int, message: ToDevice | Disconnect) -> None:
        if self._is_dark or (isinstance(message, Disconnect) and host != self._host):
            return
        if isinstance(message, Answer):
            self.heard.append(message)
        if isinstance(message, Welcome | Resynchronise) and message.epoch >= self.exchange.epoch:
            self._host = host
        frame = w.read_said(w.write(to_device(message)))
        self._do(self.exchange.hear(self.scheduler.now, frame))

    def _do(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send():
                    self._carry(w.read_heard(w.write(effect.frame)))
                case Keep():
                    self._kept = effect.ask
                case Settle():
                    self._believe(effect)
                case Show():
                    self._look(effect.news)
                case Abandon():
                    self.scheduler.after(self.chance.between(0, 200), self._turn)
        if self.exchange.due is not None:
            due = max(0, self.exchange.due - self.scheduler.now)
            self.scheduler.after(due, partial(self._ring, self.exchange, self.exchange.due))

    def _carry(self, frame: w.Heard) -> None:
        assert isinstance(frame, w.Hello | w.Ask)
        self._asked += 1
        salts = {f"A{number}": f"{self._asked:032x}" for number in range(1, 51)}
        self._send(self._host, to_owner(self._who, frame, salts))

    def _ring(self, exchange: Exchange, due: int) -> None:
        if exchange is self.exchange and exchange.due == due:
            self._do(exchange.wait(self.scheduler.now))

    def _turn(self) -> None:
        self._send(self._host, Gone(self.name))
        self._host = 1 - self._host
        self.connect()

    def _believe(self, settled: Settle) -> None:
        name, outcome = Name(settled.ask.epoch, settled.ask.n), settled.outcome
        assert not isinstance(outcome, w.Trouble)
        accepted = isinstance(outcome, w.Answer) and outcome.refusal is None
        belief = LOST if isinstance(outcome, w.Lost) else ACCEPTED if accepted else REFUSED
        assert self.believes.setdefault(name, belief) == belief, "it was told two different things"
        self._kept = None

    def _look(self, news: w.Welcome | w.Told | w.Shown | w.Paused) -> None:
        if isinstance(news, w.Welcome):
            if news.picture is not None:
                self.board.show(news.picture, self.station)
            for told in news.missed:
                self.board.tell(told.events, told.purse)
        elif isinstance(news, w.Told):
            self.board.tell(news.events, news.purse)


class WiredPatron(Wired, Patron):
    pass


class WiredDealer(Wired, Dealer):
    pass


WIRED = Cast(patron=WiredPatron, dealer=WiredDealer)
