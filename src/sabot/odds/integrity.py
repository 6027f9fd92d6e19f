"""Integrity of a live table: its takings, returns and cards compared with what the exact odds predict.

All functions take plain figures: meters of stations, stakes by bet and coup, cards seen by shoe. The caller reads them
from its ledger and journal.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import erfc, sqrt
from typing import Final

import msgspec

from sabot.odds.chi_square import chance_of_more
from sabot.odds.next_coup import NextCoup
from sabot.odds.study import Study
from sabot.rules.cards import DECK, Card

NORMAL_95: Final = 1.959964
"""A normal variable is within this many standard deviations of its mean in 95 per cent of cases."""


class Takings(msgspec.Struct, frozen=True):
    """The business of a table or a station over a period, in cents."""

    drop: int
    """All money in, of every kind: cash, chips, notes, vouchers, tokens."""
    turnover: int
    """The wagers of settled coups."""
    win: int
    """The part of the turnover that the house kept; negative where it paid out more than it took."""

    @property
    def hold(self) -> float | None:
        """The win as a fraction of the drop; None when nothing was dropped."""
        return self.win / self.drop if self.drop else None


def takings(came_in: Iterable[Mapping[str, int]], wagered: int, credited: int) -> Takings:
    """From the meters of stations: money in by kind, stakes of settled coups, and the amount credited for them."""
    return Takings(sum(sum(kinds.values()) for kinds in came_in), wagered, wagered - credited)


class Moments(msgspec.Struct, frozen=True):
    """Means and covariances of a unit on each bet in one coup."""

    house_edge: Mapping[str, float]
    covariance: Mapping[tuple[str, str], float]

    @staticmethod
    def of(study: Study, coming: NextCoup, bets: Sequence[str]) -> "Moments":
        """For a coup from a full shoe, as an approximation for all coups, or from the cards that were left."""
        return Moments(
            {bet: float(study.bets[bet].odds(coming).house_edge) for bet in bets},
            {(one, other): float(study.covariance(one, other, coming)) for one in bets for other in bets},
        )


class SettledCoup(msgspec.Struct, frozen=True):
    """The wagers of all stations on one coup, added up because the same cards decide them."""

    stakes: Mapping[str, int]
    """Cents by bet."""
    house_won: int
    """Cents that the house kept of them, commission included."""


class ReturnComparison(msgspec.Struct, frozen=True):
    """The actual return to patrons beside the theoretical one. Money is in cents, returns are fractions of turnover."""

    coups: int
    turnover: int
    house_won: int
    expected: float
    """The mean win of the house with these stakes."""
    sd: float
    """The standard deviation of that win."""

    @property
    def actual_return(self) -> float:
        return 1 - self.house_won / self.turnover

    @property
    def theoretical_return(self) -> float:
        return 1 - self.expected / self.turnover

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds of the actual return in 95 per cent of honest cases."""
        half = NORMAL_95 * self.sd / self.turnover
        return self.theoretical_return - half, self.theoretical_return + half

    @property
    def deviations(self) -> float:
        """By how many standard deviations the house won more than expected; zero where nothing was random."""
        return (self.house_won - self.expected) / self.sd if self.sd else 0.0

    @property
    def likelihood(self) -> float:
        """The fraction of honest cases in which the win deviates at least this far, in either direction."""
        return erfc(abs(self.deviations) / sqrt(2))


def returned(coups: Iterable[tuple[SettledCoup, Moments]]) -> ReturnComparison | None:
    """Compare coups, each with its moments before it was dealt; None when nothing was wagered.

    Given the cards left before it, a coup is independent of earlier coups, so means and variances add up even where
    stakes depended on earlier results.
    """
    number = turnover = won = 0
    expected = variance = 0.0
    for coup, moments in coups:
        stakes = coup.stakes
        number += 1
        turnover += sum(stakes.values())
        won += coup.house_won
        expected += sum(stake * moments.house_edge[bet] for bet, stake in stakes.items())
        variance += sum(
            stakes[one] * stakes[other] * moments.covariance[one, other] for one in stakes for other in stakes
        )
    return ReturnComparison(number, turnover, won, expected, sqrt(max(variance, 0.0))) if turnover else None


class Census(msgspec.Struct, frozen=True):
    """The cards seen, compared with those of fair shoes."""

    seen: Mapping[Card, int]
    expected: float
    """The mean number seen of each of the 52 cards."""
    chi_square: float
    likelihood: float
    """The fraction of fair cases in which the counts are at least this uneven."""
    foreign: tuple[tuple[int, Card], ...]
    """Shoes, counted from 1, that showed a card more often than their decks hold it."""


def census(shoes: Iterable[Sequence[Card]], decks: int) -> Census | None:
    """Count every card seen, shoe by shoe; None where no card was seen or only whole shoes were, which cannot vary.

    Cards are drawn without replacement, so the variance of a count is that of independent draws times (N-k)/(N-1) for k
    of N cards seen.
    """
    size, number_seen, varying = 52 * decks, 0, 0.0
    seen: Counter[Card] = Counter()
    foreign = []
    for number, cards in enumerate(shoes, 1):
        counted = Counter(cards)
        seen += counted
        number_seen += len(cards)
        varying += len(cards) * max(size - len(cards), 0) / (size - 1)
        foreign += [(number, card) for card, copies in counted.items() if copies > decks]
    if not varying:
        return None
    expected = number_seen / len(DECK)
    chi_square = sum((seen[card] - expected) ** 2 for card in DECK) / (varying / len(DECK))
    return Census(
        {card: seen[card] for card in DECK},
        expected,
        chi_square,
        chance_of_more(chi_square, len(DECK) - 1),
        tuple(foreign),
    )
