"""The joint distribution of cells and pairs: how often a coup ends in a cell and its hands start with given pairs.

A pair fixes a hand's first two cards, both of the same points. So a coup that starts with a pair of v points is played
from a shoe with two cards of v points fewer, and the rest is counted as in `exact`. The ranks and suits that made the
pair change only the number of ways to get it.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import TypeVar

from sabot.odds.composition import Composition
from sabot.odds.exact import CELLS, FourCardStart, deal, less
from sabot.rules.cards import Card, Rank, Suit, card
from sabot.rules.hand import Pair

Joint = Mapping[tuple[Pair, Pair], Sequence[int]]
"""By Player's pair and Banker's pair: sequences of six cards by cell."""

_Key = TypeVar("_Key", bound=Hashable)

PAIRS = (Pair.MIXED, Pair.COLOURED, Pair.PERFECT)
_RANKS = tuple(Rank)
_SUITS = tuple(Suit)
_WITH_POINTS = tuple([place for place, rank in enumerate(_RANKS) if rank.points == points] for points in range(10))
"""By points, the places of the ranks that count so many."""


def joint(composition: Composition, cells: Sequence[int]) -> Joint:
    """The cells of the next coup by pairs. They add up to `cells`, which a solver has counted."""
    points, left = composition.points, composition.size - 4
    one = [_ways_of_a_pair(_suits(composition, place)) for place in range(13)]
    player = {pair: [0] * CELLS for pair in PAIRS}
    banker = {pair: [0] * CELLS for pair in PAIRS}
    for v in range(10):
        ways = {pair: sum(one[place][pair] for place in _WITH_POINTS[v]) for pair in PAIRS}
        if any(ways.values()):
            rest = less(points, v, v)
            _add(player, ways, deal(rest, left, partial(_against_player_pair, v)))
            _add(banker, ways, deal(rest, left, partial(_against_banker_pair, v)))
    both = _both(composition, one, left)
    return {
        **both,
        **{(p, Pair.NONE): _minus(player[p], [both[p, b] for b in PAIRS]) for p in PAIRS},
        **{(Pair.NONE, b): _minus(banker[b], [both[p, b] for p in PAIRS]) for b in PAIRS},
        (Pair.NONE, Pair.NONE): _plus(_minus(cells, [*player.values(), *banker.values()]), both.values()),
    }


def _both(composition: Composition, one: list[dict[Pair, int]], left: int) -> dict[tuple[Pair, Pair], list[int]]:
    """Both hands start with a pair. Where both have one rank, the second is made of the cards that the first left."""
    both = {(p, b): [0] * CELLS for p, b in product(PAIRS, PAIRS)}
    two = [_ways_of_two_pairs(_suits(composition, place)) for place in range(13)]
    for u, v in product(range(10), range(10)):
        ways = {
            (p, b): sum(
                two[first][p, b] if first == second else one[first][p] * one[second][b]
                for first, second in product(_WITH_POINTS[u], _WITH_POINTS[v])
            )
            for p, b in both
        }
        if any(ways.values()):
            _add(both, ways, deal(less(composition.points, u, u, v, v), left, partial(_two_pairs, u, v)))
    return both


def _against_player_pair(v: int, points: Sequence[int], totals: range) -> Iterator[FourCardStart]:
    if 2 * v % 10 in totals:
        yield from ((2 * v % 10, t, _hands(points, t)) for t in totals)


def _against_banker_pair(v: int, points: Sequence[int], totals: range) -> Iterator[FourCardStart]:
    return ((s, t, ways) for t, s, ways in _against_player_pair(v, points, totals))


def _two_pairs(u: int, v: int, points: Sequence[int], totals: range) -> Iterator[FourCardStart]:  # noqa: ARG001  Both are given.
    if 2 * u % 10 in totals and 2 * v % 10 in totals:
        yield 2 * u % 10, 2 * v % 10, 1


def _hands(points: Sequence[int], total: int) -> int:
    """Ordered hands of two cards with this total: A(s) of `exact`."""
    return sum([points[a] * (points[total - a] - (2 * a % 10 == total)) for a in range(10)])


def _suits(composition: Composition, place: int) -> dict[Card, int]:
    """How many cards of one rank are left, by suit."""
    rank = _RANKS[place]
    return {card(rank + suit): copies for suit, copies in zip(_SUITS, composition.cards[place::13], strict=True)}


def _ways_of_a_pair(left: dict[Card, int]) -> dict[Pair, int]:
    ways = dict.fromkeys(PAIRS, 0)
    for first, second in product(left, left):
        ways[Pair.of(first, second)] += left[first] * (left[second] - (first is second))
    return ways


def _ways_of_two_pairs(left: dict[Card, int]) -> dict[tuple[Pair, Pair], int]:
    ways = dict.fromkeys(product(PAIRS, PAIRS), 0)
    for first, second in product(left, left):
        drawn = left[first] * (left[second] - (first is second))
        if drawn:
            rest = {one: copies - (one is first) - (one is second) for one, copies in left.items()}
            for pair, others in _ways_of_a_pair(rest).items():
                ways[Pair.of(first, second), pair] += drawn * others
    return ways


def _add(sums: Mapping[_Key, list[int]], ways: Mapping[_Key, int], cells: list[int]) -> None:
    for key, weight in ways.items():
        if weight:
            sums[key][:] = [total + weight * count for total, count in zip(sums[key], cells, strict=True)]


def _plus(cells: Sequence[int], more: Iterable[Sequence[int]]) -> list[int]:
    return [sum(counts) for counts in zip(cells, *more, strict=True)]


def _minus(cells: Sequence[int], fewer: Iterable[Sequence[int]]) -> list[int]:
    return [count - sum(taken) for count, *taken in zip(cells, *fewer, strict=True)]
