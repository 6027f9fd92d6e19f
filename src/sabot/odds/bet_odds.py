"""The odds of a bet over all coups that the remaining cards allow, in exact fractions.

They are kept as counts: a fraction is made when its property is read.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm, sqrt
from operator import itemgetter, mul
from typing import Final

import msgspec

from sabot.rules.terms import Outcome, Ruling

Weights = Sequence[int]
"""Numbers of coups, or of sequences of six cards, by place: an outcome class, or a group of them."""


class RulingChance(msgspec.Struct, frozen=True):
    """One ruling of a bet, its net, and how many sequences lead to it."""

    ruling: Ruling
    net: Fraction
    """Won for each unit staked, after commission; minus one for a loss."""
    sequences: int
    """Of six cards."""


class RuledPlaces:
    """The rulings of a bet in the order of its pay table, each with the places of the weights that it decides."""

    def __init__(self, ruled: Sequence[tuple[Ruling, Sequence[int]]]) -> None:
        self.rulings: Final = tuple(ruling for ruling, _ in ruled)
        self.places: Final = tuple(tuple(places) for _, places in ruled)
        self.nets: Final = tuple(map(net, self.rulings))
        self.unit: Final = lcm(*(one.denominator for one in self.nets))
        """How many of its parts make a unit staked, so that every net is a whole number of them."""
        self.whole_nets: Final = tuple(int(one * self.unit) for one in self.nets)
        self.squared_nets: Final = tuple(one * one for one in self.whole_nets)
        self.takers: Final = tuple(map(taker, self.places))
        """For each ruling, takes its weights."""
        self.outcome_takers: Final = {
            outcome: taker(tuple(number for number, ruling in enumerate(self.rulings) if ruling.outcome is outcome))
            for outcome in Outcome
        }
        """For each outcome, takes its counts out of those of all rulings."""

    def is_like(self, other: "RuledPlaces") -> bool:
        """Whether both always have the same odds, as the pair of one hand and that of the other."""
        mine, theirs = ((*one.places, *one.nets, *(ruling.outcome for ruling in one.rulings)) for one in (self, other))
        return mine == theirs


class BetOdds:
    """Probabilities, mean and variance of one bet. A house edge above zero favours the house."""

    __slots__ = ("_net_parts", "counts", "ruled", "title", "total")

    def __init__(self, title: str, total: int, ruled: RuledPlaces, weights: Weights) -> None:
        self.title = title
        self.total = total
        self.ruled = ruled
        self._net_parts: int | None = None
        self.counts = [sum(take(weights)) for take in ruled.takers]
        """Sequences by ruling, in the order of the pay table; they add up to the total."""

    @property
    def chances(self) -> tuple[RulingChance, ...]:
        return tuple(map(RulingChance, self.ruled.rulings, self.ruled.nets, self.counts))

    def sequences(self, outcome: Outcome) -> int:
        return sum(self.ruled.outcome_takers[outcome](self.counts))

    def probability(self, outcome: Outcome) -> Fraction:
        return Fraction(self.sequences(outcome), self.total)

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
    def net_parts(self) -> int:
        """The net of a unit staked, summed over all sequences, in parts of the unit."""
        if self._net_parts is None:
            self._net_parts = sum(map(mul, self.ruled.whole_nets, self.counts))
        return self._net_parts

    @property
    def variance_ratio(self) -> tuple[int, int]:
        """The variance as numerator and denominator, not in lowest terms."""
        parts, staked = self.net_parts, self.ruled.unit * self.total
        return sum(map(mul, self.ruled.squared_nets, self.counts)) * self.total - parts * parts, staked * staked

    @property
    def mean(self) -> Fraction:
        """The expected net of a unit staked."""
        return Fraction(self.net_parts, self.ruled.unit * self.total)

    @property
    def house_edge(self) -> Fraction:
        """The part of each unit staked that the house keeps on average."""
        return -self.mean

    @property
    def house_edge_resolved(self) -> Fraction | None:
        """The house edge per unit that is won or lost; None for a bet that always pushes."""
        resolved = self.total - self.sequences(Outcome.PUSH)
        return Fraction(-self.net_parts, self.ruled.unit * resolved) if resolved else None

    @property
    def variance(self) -> Fraction:
        return Fraction(*self.variance_ratio)

    @property
    def sd(self) -> float:
        numerator, denominator = self.variance_ratio
        return sqrt(numerator / denominator)  # Python rounds the quotient of two integers correctly.


def net(ruling: Ruling) -> Fraction:
    """Won for each unit staked, after commission."""
    if ruling.outcome is Outcome.WIN:
        return Fraction(ruling.gross - ruling.commission)
    return Fraction(-1 if ruling.outcome is Outcome.LOSE else 0)


def taker(places: tuple[int, ...]) -> Callable[[Weights], Sequence[int]]:
    """Takes the weights at these places; by a slice where they follow one another, as one place alone does."""
    if places == tuple(range(places[0], places[-1] + 1) if places else ()):
        return itemgetter(slice(places[0], places[-1] + 1) if places else slice(0))
    return itemgetter(*places)
