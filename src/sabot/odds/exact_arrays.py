"""The same count as `exact`, with NumPy, for all reduced shoes at once.

The 66 ways to take no, one or two third cards out of a shoe make 66 reduced shoes. Their four-card starts are counted
in double precision, which is exact because no figure reaches 2**53: with N cards there are fewer than N**4 starts.
Sequences of six may exceed 2**53, so the rest is in 64-bit integers, which are large enough for any shoe that a rule
set permits.
"""

from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sabot.odds.composition import Composition
from sabot.odds.exact import BANKER_DRAWS, CELLS, PLAYER_DRAWS, Counted, cell, with_rest
from sabot.rules.table_of_play import NO_CARD

Integers = NDArray[np.int64]
Doubles = NDArray[np.float64]


class _Plan(NamedTuple):
    """Which start, with which weight of third cards, adds to which cell. It is the same for every shoe."""

    gone: Doubles
    """The cards taken out of each reduced shoe, by points."""
    other: NDArray[np.intp]
    """By a and s: the points that make a total of s together with a."""
    double: Doubles
    """By a and s: one where the other card of a total of s is of a points itself."""
    start: NDArray[np.intp]
    """For each term, its place among the starts: reduced shoe, Player's total, Banker's total."""
    weight: NDArray[np.intp]
    """For each term, its place among the weights: no third card, one of ten, two of a hundred."""
    begins: NDArray[np.intp]
    """Terms are sorted by cell; here each cell's terms begin."""
    cells: NDArray[np.intp]


def count(composition: Composition) -> Counted:
    plan = _plan()
    cards = np.array(composition.cards, dtype=np.int64).reshape(4, 13)
    ranks = cards.sum(axis=0)
    points = np.empty(10, dtype=np.int64)
    points[0] = ranks[9:].sum()
    points[1:] = ranks[:9]
    terms = _starts(points, plan).take(plan.start)
    terms *= _weights(points).take(plan.weight)
    cells = np.zeros(CELLS, dtype=np.int64)
    cells[plan.cells] = np.add.reduceat(terms, plan.begins)
    return Counted(tuple(cells.tolist()), with_rest(int(ranks.sum()), _pairs(cards, ranks)))


def _starts(points: Integers, plan: _Plan) -> Integers:
    """F(s, t) of each reduced shoe; `exact` explains it."""
    left = points - plan.gone
    others = left[:, plan.other] - plan.double
    weighted = others * left[:, :, None]
    hands = weighted.sum(axis=1)
    ways = hands[:, :, None] * hands[:, None, :]
    ways -= 4 * np.matmul(weighted.transpose(0, 2, 1), others)
    ways.reshape(-1, 100)[:, ::11] += 2 * hands
    whole: Integers = ways.astype(np.int64)
    return whole


def _weights(points: Integers) -> Integers:
    left = int(points.sum()) - 4
    weights = np.empty(111, dtype=np.int64)
    weights[0] = left * (left - 1)
    weights[1:11] = points * (left - 1)
    two = weights[11:].reshape(10, 10)
    np.multiply(points[:, None], points, out=two)
    two.reshape(-1)[::11] -= points
    return weights


def _pairs(cards: Integers, ranks: Integers) -> tuple[int, int, int]:
    size = int(ranks.sum())
    every = int(ranks @ ranks) - size
    perfect = int(np.vdot(cards, cards)) - size
    coloured = 2 * int(cards[0] @ cards[3] + cards[1] @ cards[2])
    return every - coloured - perfect, coloured, perfect


@cache
def _plan() -> _Plan:
    taken = [(), *((x,) for x in range(10)), *combinations_with_replacement(range(10), 2)]
    shoe = {third: number for number, third in enumerate(taken)}
    gone = np.array([[third.count(points) for points in range(10)] for third in taken], dtype=np.float64)
    totals = np.arange(10)
    other = (totals[None, :] - totals[:, None]) % 10
    terms = sorted(_terms(shoe))
    cells, begins = np.unique([term[0] for term in terms], return_index=True)
    return _Plan(
        gone,
        other,
        (other == totals[:, None]).astype(np.float64),
        np.array([term[1] for term in terms]),
        np.array([term[2] for term in terms]),
        begins,
        cells,
    )


def _terms(shoe: dict[tuple[int, ...], int]) -> list[tuple[int, int, int]]:
    """Cell, place of the start and place of the weight, for each way in which a coup can continue after its start."""
    terms = []
    for s in range(10):
        for t in range(10):
            start = s * 10 + t
            stood = BANKER_DRAWS[s][t][NO_CARD]
            if not PLAYER_DRAWS[s][t] and not stood:
                terms.append((cell(0, 0, s, t), start, 0))
            elif not PLAYER_DRAWS[s][t]:
                terms += [(cell(0, 1, s, t + y), shoe[y,] * 100 + start, 1 + y) for y in range(10)]
            else:
                for x in range(10):
                    if BANKER_DRAWS[s][t][x + 1]:
                        terms += [
                            (cell(1, 1, s + x, t + y), shoe[min(x, y), max(x, y)] * 100 + start, 11 + 10 * x + y)
                            for y in range(10)
                        ]
                    else:
                        terms.append((cell(1, 0, s + x, t), shoe[x,] * 100 + start, 1 + x))
    return terms
