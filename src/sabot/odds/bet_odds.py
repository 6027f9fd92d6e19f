"""The odds of a bet: what its rulings come to over all coups that the cards left allow, in exact fractions."""

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt

import msgspec

from sabot.rules.terms import Outcome, Ruling


class BetOdds(msgspec.Struct, frozen=True):
    """How one bet comes out, by ruling.

    The net of a wager is what each unit staked wins after commission, or minus one. A house edge above nought favours
    the house.
    """

    title: str
    total: int
    rulings: Mapping[Ruling, int]
    """Each ruling with its sequences of six cards; together they are the total."""

    def probability(self, outcome: Outcome) -> Fraction:
        return Fraction(sum(count for ruling, count in self.rulings.items() if ruling.outcome is outcome), self.total)

    @property
    def win(self) -> Fraction:
        return self.probability(Outcome.WIN)

    @property
    def push(self) -> Fraction:
        return self.probability(Outcome.PUSH)

    @property
    def lose(self) -> Fraction:
        return self.probability(Outcome.LOSE)

    @property
    def mean(self) -> Fraction:
        """What a unit staked may expect to win."""
        return self._moment(1)

    @property
    def house_edge(self) -> Fraction:
        """What the house may expect to keep of each unit staked."""
        return -self.mean

    @property
    def house_edge_resolved(self) -> Fraction | None:
        """The same of each unit that is won or lost; None of a bet that always pushes."""
        resolved = 1 - self.push
        return self.house_edge / resolved if resolved else None

    @property
    def variance(self) -> Fraction:
        return self._moment(2) - self.mean**2

    @property
    def sd(self) -> float:
        return sqrt(self.variance)

    def _moment(self, power: int) -> Fraction:
        return sum((net(ruling) ** power * count for ruling, count in self.rulings.items()), Fraction(0)) / self.total


def net(ruling: Ruling) -> Fraction:
    """What a unit staked wins."""
    if ruling.outcome is Outcome.WIN:
        return Fraction(ruling.gross - ruling.commission)
    return Fraction(-1 if ruling.outcome is Outcome.LOSE else 0)
