"""The exact distribution of the next coup, in integers. This solver is the reference for the faster ones.

Weights count ordered sequences of six cards: N(N-1)...(N-5) in all for N cards left. A coup that uses only four or five
cards has as many sequences as there are ways to continue it.

Cards in a shuffled shoe are exchangeable, so the third cards may be picked before the first four. For each choice of
third cards the four-card starts after which they are drawn are counted. With m_a cards of a points left, a hand that
holds one of them reaches the total s with

    M_a(s) = m_(s-a) - [2a = s]                        (indices modulo ten)

others, so that A(s) = sum_a m_a M_a(s) ordered hands of two cards total s, and

    F(s, t) = A(s) A(t) - 4 sum_a m_a M_a(s) M_a(t) + 2 [s = t] A(s)

starts give Player s and Banker t: all pairs of hands, less those that share a card (four ways to share it), plus those
that share both, which were subtracted twice (two ways).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations_with_replacement
from math import perm
from typing import Final

import msgspec

from sabot.odds.composition import Composition
from sabot.rules.table_of_play import BANKER_DECISIONS, NO_CARD, PLAYER_DECISIONS

CELLS: Final = 400
"""Whether Player drew, whether Banker drew, Player's total, Banker's total."""

PLAYER_DRAWS: Final = tuple(tuple(decision.drawn for decision in row) for row in PLAYER_DECISIONS)
"""By the totals of the first two cards, Player's and Banker's."""

BANKER_DRAWS: Final = tuple(
    tuple(tuple(decision.drawn for decision in columns) for columns in row) for row in BANKER_DECISIONS
)
"""By the same totals and the column of the table of play: no card, or the points of Player's third card plus one."""

FourCardStart = tuple[int, int, int]
"""Player's total of two cards, Banker's, and the number of ways to get both."""

Starting = Callable[[Sequence[int], range], Iterable[FourCardStart]]
"""Counts the starts with these totals that can be made of so many cards of each point value."""

ALL_TOTALS: Final = range(10)
NO_NATURAL: Final = range(8)
"""No third card follows a natural."""


class Counted(msgspec.Struct, frozen=True):
    """The counts that a solver returns; all solvers return the same."""

    cells: tuple[int, ...]
    """Sequences of six cards by cell."""
    pairs: tuple[int, int, int, int]
    """Sequences of six cards by one hand's first two: no pair, a mixed, a coloured, a perfect one."""


Sums = tuple[int, ...]
"""Sequences of six cards: by group of cells, then by one hand's pair in the order of `Counted.pairs`, then all."""


def cell(player_drew: int, banker_drew: int, player_total: int, banker_total: int) -> int:
    return ((player_drew * 2 + banker_drew) * 10 + player_total % 10) * 10 + banker_total % 10


def count(composition: Composition) -> Counted:
    size = composition.size
    return Counted(tuple(deal(composition.points, size - 4, starts)), with_rest(size, pairs(composition)))


def with_rest(size: int, pairs: tuple[int, int, int]) -> tuple[int, int, int, int]:
    """Draws of two cards that pair, mixed, coloured and perfect, as sequences of six; those without a pair first."""
    rest = perm(max(size - 2, 0), 4)
    mixed, coloured, perfect = pairs
    return perm(size, 6) - (mixed + coloured + perfect) * rest, mixed * rest, coloured * rest, perfect * rest


def summed(counted: Counted, group_of_cell: Sequence[int], groups: int) -> Sums:
    sums = [0] * groups
    for group, sequences in zip(group_of_cell, counted.cells, strict=True):
        sums[group] += sequences
    return (*sums, *counted.pairs, sum(counted.pairs))


def starts(points: Sequence[int], totals: range) -> Iterator[FourCardStart]:
    """F(s, t) of the module's docstring, for these totals."""
    others = [[points[total - a] - (2 * a % 10 == total) for total in totals] for a in range(10)]
    held = [(points[a], others[a]) for a in range(10) if points[a]]
    hands = [sum([cards * other[total] for cards, other in held]) for total in totals]
    for s in totals:
        towards = [(cards * other[s], other) for cards, other in held]
        for t in totals[s:]:
            ways = hands[s] * hands[t] - 4 * sum([first * other[t] for first, other in towards])
            if s == t:
                yield s, t, ways + 2 * hands[s]
            else:
                yield s, t, ways
                yield t, s, ways


def deal(points: Sequence[int], left: int, starting: Starting) -> list[int]:
    """Sequences by cell. `starting` counts the starts that given cards allow; `left` cards remain after a start.

    Third cards are taken from `points`; the starts are made of the rest.
    """
    cells = [0] * CELLS
    for place, ways in _four_cards(starting(points, ALL_TOTALS)):
        cells[place] += ways * left * (left - 1)
    for x in range(10):
        if points[x]:
            for place, ways in _five_cards(x, starting(less(points, x), NO_NATURAL)):
                cells[place] += ways * points[x] * (left - 1)
    for x, y in combinations_with_replacement(range(10), 2):
        weight = points[x] * (points[y] - (x == y))
        if weight:
            for place, ways in _six_cards(x, y, starting(less(points, x, y), NO_NATURAL)):
                cells[place] += ways * weight
    return cells


def _four_cards(started: Iterable[FourCardStart]) -> Iterator[tuple[int, int]]:
    for s, t, ways in started:
        if not PLAYER_DRAWS[s][t] and not BANKER_DRAWS[s][t][NO_CARD]:
            yield cell(0, 0, s, t), ways


def _five_cards(x: int, started: Iterable[FourCardStart]) -> Iterator[tuple[int, int]]:
    """Exactly one hand draws, a card of x points."""
    for s, t, ways in started:
        if PLAYER_DRAWS[s][t]:
            if not BANKER_DRAWS[s][t][x + 1]:
                yield cell(1, 0, s + x, t), ways
        elif BANKER_DRAWS[s][t][NO_CARD]:
            yield cell(0, 1, s, t + x), ways


def _six_cards(x: int, y: int, started: Iterable[FourCardStart]) -> Iterator[tuple[int, int]]:
    """Both hands draw, one a card of x points and the other a card of y."""
    dealt = [(x, y)] if x == y else [(x, y), (y, x)]
    for s, t, ways in started:
        if PLAYER_DRAWS[s][t]:
            for player, banker in dealt:
                if BANKER_DRAWS[s][t][player + 1]:
                    yield cell(1, 1, s + player, t + banker), ways


def pairs(composition: Composition) -> tuple[int, int, int]:
    """Ordered draws of two cards that pair: mixed, coloured, perfect."""
    cards = composition.cards
    spades, hearts, diamonds, clubs = (cards[suit : suit + 13] for suit in range(0, 52, 13))
    every = sum(copies * (copies - 1) for copies in composition.ranks)
    perfect = sum(copies * (copies - 1) for copies in cards)
    coloured = 2 * sum(s * c + h * d for s, h, d, c in zip(spades, hearts, diamonds, clubs, strict=True))
    return every - coloured - perfect, coloured, perfect


def less(points: Sequence[int], *gone: int) -> list[int]:
    """The same cards without one of each of these points."""
    return [count - gone.count(value) for value, count in enumerate(points)]
