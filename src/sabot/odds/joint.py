"""The joint distribution of cells, pairs and third cards: how often a coup ends in a cell and its hands hold them.

A pair fixes a hand's first two cards, both of the same points. So a coup that starts with a pair of v points is played
from a shoe with two cards of v points fewer, and the rest is counted as in `exact`. The ranks and suits that made the
pair change only the number of ways to get it. A rank that is asked for as a third card is a kind of card of its own;
all other ranks of the same points are one kind.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import product
from typing import NamedTuple, TypeVar

import numpy as np

from sabot.odds.both_pairs import PAIRS, ways_of_a_pair, ways_of_two_pairs
from sabot.odds.composition import Composition
from sabot.odds.exact import (
    ALL_TOTALS,
    BANKER_DRAWS,
    CELLS,
    NO_NATURAL,
    PLAYER_DRAWS,
    FourCardStart,
    Starting,
    cell,
    less,
    starts,
)
from sabot.rules.aspect import Aspect
from sabot.rules.cards import Rank
from sabot.rules.hand import Pair
from sabot.rules.table_of_play import NO_CARD

Pairs = tuple[Pair, Pair, bool]
"""Player's pair, Banker's pair, and whether they are of one rank where that is asked."""

_Key = TypeVar("_Key", bound=Hashable)
_Dealing = Callable[[Sequence[int], Starting], list[int]]
"""Sequences by third cards and cell, from so many cards of each kind."""


class _Kinds(NamedTuple):
    """The kinds of card that an aspect tells apart, each with an entry here."""

    points: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]
    """The places of its ranks, from the ace."""
    player: tuple[int, ...]
    """Its place among the third cards that are asked of Player; zero if it is not."""
    banker: tuple[int, ...]
    width: int
    """How many third cards of Banker are told apart."""
    size: int
    """The number of classes by third cards and cell."""


def joint(composition: Composition, aspect: Aspect, cells: Sequence[int]) -> list[int]:
    """Sequences in each of `outcome_classes(aspect)`, for one that asks for the ending. A solver counted the cells."""
    kinds = _kinds(aspect.player_thirds, aspect.banker_thirds)
    counts = [sum(composition.ranks[place] for place in places) for places in kinds.places]
    deal = partial(_deal, kinds, composition.size - 4)
    whole = deal(counts, starts) if kinds.size > CELLS else cells
    if not aspect.player_pair:
        return list(whole)
    by_pairs = _by_pairs(composition, kinds, counts, deal, whole)
    if not aspect.same_pair:
        return [count for p, b in product(Pair, Pair) for count in _plus(by_pairs[p, b, False], [by_pairs[p, b, True]])]
    return [count for p, b in product(Pair, Pair) for same in (False, True) for count in by_pairs[p, b, same]]


def _by_pairs(
    composition: Composition, kinds: _Kinds, counts: Sequence[int], deal: _Dealing, whole: Sequence[int]
) -> dict[Pairs, list[int]]:
    suits = np.array(composition.cards, dtype=np.int64).reshape(4, 13)
    one, two = ways_of_a_pair(suits).tolist(), ways_of_two_pairs(suits).tolist()
    player, banker = ({pair: [0] * kinds.size for pair in PAIRS} for _ in range(2))
    for kind, v in enumerate(kinds.points):
        ways = {pair: sum(one[number][place] for place in kinds.places[kind]) for number, pair in enumerate(PAIRS)}
        if any(ways.values()):
            rest = less(counts, kind, kind)
            _add(player, ways, deal(rest, partial(_against_player_pair, v)))
            _add(banker, ways, deal(rest, partial(_against_banker_pair, v)))
    both = _both(kinds, counts, deal, one, two)
    by_pairs: dict[Pairs, list[int]] = {key: [0] * kinds.size for key in product(Pair, Pair, (False, True))}
    by_pairs |= both
    for pair in PAIRS:
        by_pairs[pair, Pair.NONE, False] = _minus(player[pair], [both[key] for key in both if key[0] is pair])
        by_pairs[Pair.NONE, pair, False] = _minus(banker[pair], [both[key] for key in both if key[1] is pair])
    one_or_both = _minus(whole, [*player.values(), *banker.values()])
    by_pairs[Pair.NONE, Pair.NONE, False] = _plus(one_or_both, both.values())
    return by_pairs


def _both(
    kinds: _Kinds, counts: Sequence[int], deal: _Dealing, one: list[list[int]], two: list[list[list[int]]]
) -> dict[Pairs, list[int]]:
    """Both hands start with a pair. Where both have one rank, the second is made of the cards that the first left."""
    both: dict[Pairs, list[int]] = {key: [0] * kinds.size for key in product(PAIRS, PAIRS, (False, True))}
    for k, m in product(range(len(kinds.points)), repeat=2):
        places = list(product(kinds.places[k], kinds.places[m]))
        unlike = [(first, second) for first, second in places if first != second]
        ways: dict[Pairs, int] = {}
        for (p, mine), (b, theirs) in product(enumerate(PAIRS), repeat=2):
            ways[mine, theirs, True] = sum(two[p][b][first] for first, second in places if first == second)
            ways[mine, theirs, False] = sum(one[p][first] * one[b][second] for first, second in unlike)
        if any(ways.values()):
            _add(both, ways, deal(less(counts, k, k, m, m), partial(_two_pairs, kinds.points[k], kinds.points[m])))
    return both


@cache
def _kinds(player: tuple[Rank, ...], banker: tuple[Rank, ...]) -> _Kinds:
    asked = [rank for rank in Rank if rank in player or rank in banker]
    places = {rank: place for place, rank in enumerate(Rank)}
    kinds: list[tuple[int, tuple[int, ...], Rank | None]] = [(rank.points, (places[rank],), rank) for rank in asked]
    for points in range(10):
        others = tuple(places[rank] for rank in Rank if rank.points == points and rank not in asked)
        kinds += [(points, others, None)] if others else []
    return _Kinds(
        tuple(points for points, _, _ in kinds),
        tuple(places for _, places, _ in kinds),
        tuple((None, *player).index(rank) if rank in player else 0 for *_, rank in kinds),
        tuple((None, *banker).index(rank) if rank in banker else 0 for *_, rank in kinds),
        1 + len(banker),
        CELLS * (1 + len(player)) * (1 + len(banker)),
    )


def _deal(kinds: _Kinds, left: int, counts: Sequence[int], starting: Starting) -> list[int]:
    """As `exact.deal`, by third cards. `left` cards remain after a start."""
    points = [sum(n for n, p in zip(counts, kinds.points, strict=True) if p == value) for value in range(10)]
    started = cache(lambda *gone: list(starting(less(points, *gone), NO_NATURAL)))
    classes = [0] * kinds.size
    for s, t, ways in starting(points, ALL_TOTALS):
        if not PLAYER_DRAWS[s][t] and not BANKER_DRAWS[s][t][NO_CARD]:
            classes[cell(0, 0, s, t)] += ways * left * (left - 1)
    for k in [kind for kind, number in enumerate(counts) if number]:
        x, weight = kinds.points[k], counts[k] * (left - 1)
        players, bankers = kinds.player[k] * kinds.width * CELLS, kinds.banker[k] * CELLS
        for s, t, ways in started(x):
            if PLAYER_DRAWS[s][t]:
                if not BANKER_DRAWS[s][t][x + 1]:
                    classes[players + cell(1, 0, s + x, t)] += ways * weight
            elif BANKER_DRAWS[s][t][NO_CARD]:
                classes[bankers + cell(0, 1, s, t + x)] += ways * weight
    _add_six_cards(kinds, counts, started, classes)
    return classes


def _add_six_cards(
    kinds: _Kinds, counts: Sequence[int], started: Callable[..., list[FourCardStart]], classes: list[int]
) -> None:
    for k, m in product(range(len(counts)), repeat=2):
        x, y, weight = kinds.points[k], kinds.points[m], counts[k] * (counts[m] - (k == m))
        thirds = (kinds.player[k] * kinds.width + kinds.banker[m]) * CELLS
        for s, t, ways in started(min(x, y), max(x, y)) if weight else ():
            if PLAYER_DRAWS[s][t] and BANKER_DRAWS[s][t][x + 1]:
                classes[thirds + cell(1, 1, s + x, t + y)] += ways * weight


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


def _add(sums: Mapping[_Key, list[int]], ways: Mapping[_Key, int], classes: list[int]) -> None:
    for key, weight in ways.items():
        if weight:
            sums[key][:] = [total + weight * count for total, count in zip(sums[key], classes, strict=True)]


def _plus(cells: Sequence[int], more: Iterable[Sequence[int]]) -> list[int]:
    return [sum(counts) for counts in zip(cells, *more, strict=True)]


def _minus(cells: Sequence[int], fewer: Iterable[Sequence[int]]) -> list[int]:
    return [count - sum(taken) for count, *taken in zip(cells, *fewer, strict=True)]
