"""The odds of a bet over all coups that the remaining cards allow, in exact fractions."""

from fractions import Fraction
from math import lcm, sqrt

import msgspec

from sabot.rules.terms import Outcome, Ruling


class RulingChance(msgspec.Struct, frozen=True):
    """One ruling of a bet, its net, and how many sequences lead to it."""

    ruling: Ruling
    net: Fraction
    """Won for each unit staked, after commission; minus one for a loss."""
    sequences: int
    """Of six cards."""


class BetOdds(msgspec.Struct, frozen=True):
    """Probabilities, mean and variance of one bet. A house edge above zero favours the house."""

    title: str
    total: int
    chances: tuple[RulingChance, ...]
    """In the order of the pay table; their sequences add up to the total."""

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
        """The expected net of a unit staked."""
        return self._moment(1)

    @property
    def house_edge(self) -> Fraction:
        """The part of each unit staked that the house keeps on average."""
        return -self.mean

    @property
    def house_edge_resolved(self) -> Fraction | None:
        """The house edge per unit that is won or lost; None for a bet that always pushes."""
        resolved = 1 - self.push
        return self.house_edge / resolved if resolved else None

    @property
    def variance(self) -> Fraction:
        return self._moment(2) - self.mean**2

    @property
    def sd(self) -> float:
        return sqrt(self.variance)

    def _moment(self, power: int) -> Fraction:
        """The mean of a power of the net, summed in integers because adding fractions is slow."""
        part = lcm(*(one.net.denominator for one in self.chances))
        whole = sum(
            (one.net.numerator * (part // one.net.denominator)) ** power * one.sequences for one in self.chances
        )
        return Fraction(whole, part**power * self.total)


def net(ruling: Ruling) -> Fraction:
    """Won for each unit staked, after commission."""
    if ruling.outcome is Outcome.WIN:
        return Fraction(ruling.gross - ruling.commission)
    return Fraction(-1 if ruling.outcome is Outcome.LOSE else 0)
