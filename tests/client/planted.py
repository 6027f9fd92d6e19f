"""Faults planted in the client's protocol; the worlds must find each of them."""

from sabot.client.protocol import Exchange, News
from sabot.floor.simulator.world import Cast
from sabot.floor.tenure import Tenure
from sabot.wire import frames as w
from tests.client.wired import WiredDealer, WiredPatron
from tests.floor.planted.faults import RefusesOffTheRecord, owner_with


class HeedsAnyRefusal(Exchange):
    """It believes the refusals of an owner that another one has replaced."""

    def _is_heeded(self, frame: News | w.Answer | w.Lost | w.Resynchronise) -> bool:
        return _is_refusal(frame) or super()._is_heeded(frame)

    def _is_of(self, outcome: w.Answer | w.Lost) -> bool:
        if _is_refusal(outcome):
            return self.pending is not None and self.pending.n == outcome.n
        return super()._is_of(outcome)


class CountsFromOne(Exchange):
    """After a power loss it uses numbers again that it has used before."""

    def _enter(self, now: int, welcome: w.Welcome) -> None:
        counted = self._n if welcome.epoch == self.epoch else 0
        super()._enter(now, welcome)
        self._n = counted if self.pending is None else self.pending.n


class TakesForLost(Exchange):
    """It gives its command up when a new owner welcomes it, whatever became of it."""

    def _enter(self, now: int, welcome: w.Welcome) -> None:
        if self.pending is not None and welcome.epoch > self.pending.epoch:
            self._settle(now, w.Lost(epoch=self.pending.epoch, n=self.pending.n))
        super()._enter(now, welcome)


class OverlooksGaps(Exchange):
    """It follows the feed past what it has missed."""

    def _follow(self, now: int, told: w.Told) -> None:
        super()._follow(now, w.Told(epoch=told.epoch, after=0, version=told.version, events=told.events))


def _is_refusal(frame: object) -> bool:
    return isinstance(frame, w.Answer) and frame.refusal is not None


def _speaking(exchange: type[Exchange], tenure: type[Tenure] = Tenure) -> Cast:
    patron = type("Patron", (WiredPatron,), {"exchange_kind": exchange})
    dealer = type("Dealer", (WiredDealer,), {"exchange_kind": exchange})
    return owner_with(tenure, patron, dealer)


PLANTED: dict[str, Cast] = {
    "zombie refusal": _speaking(HeedsAnyRefusal, RefusesOffTheRecord),
    "counts from one after a power loss": _speaking(CountsFromOne),
    "takes a command for lost": _speaking(TakesForLost),
    "overlooks gaps": _speaking(OverlooksGaps),
}
