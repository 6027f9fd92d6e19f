"""Devices of a simulated world that speak the frames of the wire through the client's own protocol."""

from functools import partial
from typing import Any

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.client.protocol import Abandon, DeviceEffect, Exchange, Keep, Patience, SendFrame, Settle, ShowNews
from sabot.floor.simulator.device import ACCEPTED, LOST, REFUSED
from sabot.floor.simulator.network import LINGERING_MS
from sabot.floor.simulator.robots import Dealer, Patron, SimulatedRobot
from sabot.floor.simulator.world import Cast
from sabot.floor.table_owner.effects import Disconnect
from sabot.floor.table_owner.messages import Asked, Connected, Gone
from sabot.table.acts import DeviceAct
from sabot.views.event_board import EventBoard
from sabot.wire import frames as w

PATIENCE = Patience(answer_ms=400, tries=3, welcome_ms=400, silence_ms=1_500)
POWER_LOSS = 0.01
DARK_MS = LINGERING_MS[1] + 100
"""A device without power hears nothing, and what was said to it before is gone: connections end with it."""


class Wired(SimulatedRobot):
    """Every frame is written and read again. Now and then the device loses its power, and all but the last command."""

    exchange_kind: type[Exchange] = Exchange

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.exchange = self.exchange_kind("events", PATIENCE)
        self._kept: w.Ask | None = None
        self._stamp = Stamp(by=self.name, role=Role.STATION) if self.station else Stamp(by="D1", role=Role.DEALER)
        self._is_dark = False

    @property
    def is_free(self) -> bool:
        return self.exchange.is_free

    def connect(self) -> None:
        if not self._is_dark:
            self._do(self.exchange.opened(self.scheduler.now))

    def ask(self, act: DeviceAct, stamp: Stamp, coup: int | None) -> None:
        assert stamp == self._stamp, "whatever the device sends is stamped like this"
        self._do(self.exchange.ask(self.scheduler.now, act, coup))

    def check_silence(self) -> None:
        if not self._is_dark and not self.resting and self.chance.happens(POWER_LOSS):
            self._is_dark = True
            self.exchange, self.board = self.exchange_kind("events", PATIENCE, self._kept), EventBoard()
            self.scheduler.after(DARK_MS, self._come_back)

    def _come_back(self) -> None:
        self._is_dark = False
        self.connect()

    def hear(self, host: int, message: w.OwnerFrame | Disconnect) -> None:
        if self._is_dark or (isinstance(message, Disconnect) and host != self._host):
            return
        if isinstance(message, w.Answer):
            self.heard.append(message)
        if isinstance(message, w.Welcome | w.Resynchronise) and message.epoch >= self.exchange.epoch:
            self._host = host
        frame = w.Bye(why=message.why, owner=message.holder) if isinstance(message, Disconnect) else message
        self._do(self.exchange.hear(self.scheduler.now, w.read_floor_frame(w.write(frame))))

    def _do(self, effects: list[DeviceEffect]) -> None:
        for effect in effects:
            match effect:
                case SendFrame():
                    self._carry(w.read_device_frame(w.write(effect.frame)))
                case Keep():
                    self._kept = effect.ask
                case Settle():
                    self._believe(effect)
                case ShowNews():
                    self._look(effect.news)
                case Abandon():
                    self.scheduler.after(self.chance.between(0, 200), self._turn)
        if self.exchange.due is not None:
            due = max(0, self.exchange.due - self.scheduler.now)
            self.scheduler.after(due, partial(self._ring, self.exchange, self.exchange.due))

    def _carry(self, frame: w.DeviceFrame) -> None:
        assert isinstance(frame, w.Hello | w.Ask)
        if isinstance(frame, w.Hello):
            self._send(self._host, Connected(self.name, self.audience, frame, self.station))
        else:
            self._send(self._host, Asked(self.name, frame, self._stamp))

    def _ring(self, exchange: Exchange, due: int) -> None:
        if exchange is self.exchange and exchange.due == due:
            self._do(exchange.wait(self.scheduler.now))

    def _turn(self) -> None:
        self._send(self._host, Gone(self.name))
        self._host = 1 - self._host
        self.connect()

    def _believe(self, settled: Settle) -> None:
        name, outcome = settled.ask.name, settled.outcome
        assert not isinstance(outcome, w.Trouble)
        accepted = isinstance(outcome, w.Answer) and outcome.refusal is None
        belief = LOST if isinstance(outcome, w.Lost) else ACCEPTED if accepted else REFUSED
        assert self.believes.setdefault(name, belief) == belief, "it was told two different things"
        self._kept = None

    def _look(self, news: w.Welcome | w.Told | w.ViewFrame | w.Paused) -> None:
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
