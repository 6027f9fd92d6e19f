"""Faults planted in the client's protocol; the worlds must find each of them."""

from sabot.client.protocol import Exchange
from sabot.floor.simulator.world import Cast
from sabot.wire import frames as w
from tests.client.wired import WiredDealer, WiredPatron


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


def _speaking(exchange: type[Exchange]) -> Cast:
    patron = type("Patron", (WiredPatron,), {"exchange_kind": exchange})
    dealer = type("Dealer", (WiredDealer,), {"exchange_kind": exchange})
    return Cast(patron=patron, dealer=dealer)


PLANTED: dict[str, Cast] = {
    "counts from one after a power loss": _speaking(CountsFromOne),
    "takes a command for lost": _speaking(TakesForLost),
    "overlooks gaps": _speaking(OverlooksGaps),
}
