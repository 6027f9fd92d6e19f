"""Bets on the order of a whole shoe, worked out when it has ended, and how they are kept from shoe to shoe."""

from collections.abc import Sequence
from math import exp, inf, log, log1p
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from sabot.integrity.evidence import Evidence, log_plus_one
from sabot.integrity.payoffs import Floats
from sabot.integrity.seen import UNSEEN, ShoeSeen
from sabot.integrity.tilts import CERTAIN, log_mean_exp

STAKED_ON_A_SHOE: Final = 0.02
"""The part of the capital that is staked on a single bad shoe, each time anew."""


class ShoeMixture(msgspec.Struct, array_like=True, gc=False):
    """Half of the capital is on bets that go on from shoe to shoe, half on bets on one shoe alone.

    The first half finds a shuffle that is slightly wrong every time, the second one a single shoe that is very wrong.
    """

    lasting: list[float] = []
    single: float = 0.0
    evidence: Evidence = msgspec.field(default_factory=Evidence)

    def multiply(self, log_factors: Sequence[float]) -> None:
        """Take one more shoe: what it multiplies the capital of each bet by."""
        before = self.lasting or [0.0] * len(log_factors)
        self.lasting = [one + by for one, by in zip(before, log_factors, strict=True)]
        of_shoe = log_mean_exp(log_factors)
        self.single += log1p(STAKED_ON_A_SHOE * (exp(of_shoe) - 1.0)) if of_shoe < CERTAIN else of_shoe
        self.evidence.coups += 1
        self.evidence.stand_at(log_mean_exp((log_mean_exp(self.lasting), self.single)))

    def begin_day(self, threshold: float) -> None:
        if self.evidence.highest >= log(threshold):
            self.lasting, self.single = [-inf] * len(self.lasting), -inf
        self.lasting = [log_plus_one(one) for one in self.lasting]
        self.single = log_plus_one(self.single)
        self.evidence.begin_day(threshold)


class CardsInTurn:
    """The cards of a shoe that were seen, with the chance of each kind before each of them.

    Cards that nobody saw may be anywhere: given all seen before, each copy not seen so far is as likely to be next.
    """

    def __init__(self, shoe: ShoeSeen) -> None:
        every = np.array(shoe.cards, dtype=np.intp)
        self.places = np.flatnonzero(every != UNSEEN)
        self.cards = every[self.places]
        number = len(self.cards)
        came = np.zeros((number, 52))
        came[np.arange(number), self.cards] = 1.0
        self.left: Floats = shoe.decks - (np.cumsum(came, axis=0) - came)
        """Copies of each card that were left before each card."""
        self.unseen = 52.0 * shoe.decks - np.arange(number)
        self.foreign = bool(number) and float(self.left[np.arange(number), self.cards].min()) <= 0.0
        """Whether a card was seen more often than the decks hold it, which cannot happen with these decks."""

    def after(self, lag: int) -> npt.NDArray[np.intp]:
        """The cards before which so many were seen without a gap, by their number among the seen ones."""
        follows = np.flatnonzero(self.places[lag:] - self.places[:-lag] == lag) + lag
        found: npt.NDArray[np.intp] = follows
        return found

    def _of_groups(self, group: npt.NDArray[np.intp]) -> Floats:
        """Cards of each group that were left before each card."""
        order = np.argsort(group, kind="stable")
        starts = np.flatnonzero(np.diff(group[order], prepend=-1))
        sums: Floats = np.add.reduceat(self.left[:, order], starts, axis=1)
        return sums

    def alike(self, group: npt.NDArray[np.intp], lag: int) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Whether each card is of the group of the one before it (by lag), and what the chance of that was."""
        then = self.after(lag)
        before = group[self.cards[then - lag]]
        chances: Floats = self._of_groups(group)[then, before] / self.unseen[then]
        return chances, group[self.cards[then]] == before


def is_readable(shoe: ShoeSeen) -> bool:
    """Whether the chance of each card is known; a shoe that was not read from its beginning is passed over."""
    return shoe.whole and len(shoe.cards) > 1
