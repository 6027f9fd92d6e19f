"""The odds of a bet: what its rulings come to over all coups that the cards left allow, in exact fractions."""

from fractions import Fraction
from math import lcm, sqrt

import msgspec

from sabot.rules.terms import Outcome, Ruling


class Chance(msgspec.Struct, frozen=True):
    """One ruling of a bet, what it is worth, and how often it comes."""

    ruling: Ruling
    net: Fraction
    """What each unit staked wins after commission, or minus one."""
    sequences: int
    """Of six cards."""


class BetOdds(msgspec.Struct, frozen=True):
    """How one bet comes out. A house edge above nought favours the house."""

    title: str
    total: int
    chances: tuple[Chance, ...]
    """In the order of the pay table; together their sequences are the total."""

    def probability(self, outcome: Outcome) -> Fraction:
        return Fraction(sum(one.sequences for one in self.chances if one.ruling.outcome is outcome), self.total)

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
        """The mean of a power of the net, summed in whole parts of the stake because fractions add up slowly."""
        part = lcm(*(one.net.denominator for one in self.chances))
        whole = sum(
            (one.net.numerator * (part // one.net.denominator)) ** power * one.sequences for one in self.chances
        )
        return Fraction(whole, part**power * self.total)


def net(ruling: Ruling) -> Fraction:
    """What a unit staked wins."""
    if ruling.outcome is Outcome.WIN:
        return Fraction(ruling.gross - ruling.commission)
    return Fraction(-1 if ruling.outcome is Outcome.LOSE else 0)
