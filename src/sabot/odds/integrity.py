"""Is the table what it should be? What a live table took, held against what the exact odds say it should.

Everything here is a function of plain figures: meters of stations, stakes by bet and coup, cards seen by shoe. Whoever
has a ledger and a journal reads them off; nothing here knows where they come from.
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
"""A normal variable lies within so many standard deviations of its mean in 95 of 100 cases."""


class Takings(msgspec.Struct, frozen=True):
    """A table's or a station's business over some time, in cents."""

    drop: int
    """All that came in, of whatever kind: cash, chips, notes, vouchers, tokens."""
    turnover: int
    """What was wagered in settled coups."""
    win: int
    """What the house kept of it; below nought it paid out more than it took."""

    @property
    def hold(self) -> float | None:
        """The win as a part of the drop, as casinos state it; None when nothing was dropped."""
        return self.win / self.drop if self.drop else None


def takings(came_in: Iterable[Mapping[str, int]], wagered: int, credited: int) -> Takings:
    """From the meters of stations: money in by kind, stakes of settled coups, and what was credited for them."""
    return Takings(sum(sum(kinds.values()) for kinds in came_in), wagered, wagered - credited)


class Moments(msgspec.Struct, frozen=True):
    """What a unit on each bet may be expected to do in one coup."""

    house_edge: Mapping[str, float]
    covariance: Mapping[tuple[str, str], float]

    @staticmethod
    def of(study: Study, coming: NextCoup, bets: Sequence[str]) -> "Moments":
        """Before this coup: of a full shoe, for all coups alike, or of the very cards that were left."""
        return Moments(
            {bet: float(study.bets[bet].odds(coming).house_edge) for bet in bets},
            {(one, other): float(study.covariance(one, other, coming)) for one in bets for other in bets},
        )


class SettledCoup(msgspec.Struct, frozen=True):
    """All wagers of one coup together: whoever made them, they win and lose with the same cards."""

    stakes: Mapping[str, int]
    """Cents by bet."""
    house_won: int
    """Cents that the house kept of them in the end, commission included."""


class Returned(msgspec.Struct, frozen=True):
    """What patrons got back, against what they should have. Money is in cents, returns are parts of the turnover."""

    coups: int
    turnover: int
    house_won: int
    expected: float
    """What the house should have won on average with these stakes."""
    sd: float
    """How far from it chance alone takes it."""

    @property
    def actual_return(self) -> float:
        return 1 - self.house_won / self.turnover

    @property
    def theoretical_return(self) -> float:
        return 1 - self.expected / self.turnover

    @property
    def interval(self) -> tuple[float, float]:
        """Where the actual return lies in 95 of 100 honest cases."""
        half = NORMAL_95 * self.sd / self.turnover
        return self.theoretical_return - half, self.theoretical_return + half

    @property
    def deviations(self) -> float:
        """By how many standard deviations the house won more than expected; nought where chance had no part."""
        return (self.house_won - self.expected) / self.sd if self.sd else 0.0

    @property
    def likelihood(self) -> float:
        """In what part of honest cases the win strays at least so far, either way."""
        return erfc(abs(self.deviations) / sqrt(2))


def returned(coups: Iterable[tuple[SettledCoup, Moments]]) -> Returned | None:
    """Each coup with what was to be expected before it; None when nothing was wagered.

    Given the cards that were left before it, a coup owes nothing to the coups before, so means and variances add up
    however stakes followed results.
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
    return Returned(number, turnover, won, expected, sqrt(max(variance, 0.0))) if turnover else None


class Census(msgspec.Struct, frozen=True):
    """The cards seen, against what fair shoes show."""

    seen: Mapping[Card, int]
    expected: float
    """Of each of the 52."""
    chi_square: float
    likelihood: float
    """In what part of fair cases the cards stray at least so far from even."""
    foreign: tuple[tuple[int, Card], ...]
    """Shoes, counted from 1, that showed a card more often than their decks hold it."""


def census(shoes: Iterable[Sequence[Card]], decks: int) -> Census | None:
    """Every card seen, shoe by shoe; None when that says nothing, because none was seen or only whole shoes were.

    Cards leave a shoe without being put back, so counts vary less than those of independent draws, by (N-k)/(N-1) for
    k of N cards seen; a shoe seen whole does not vary at all.
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
