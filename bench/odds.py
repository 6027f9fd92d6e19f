"""Shoes a second whose next coup is counted exactly, one at a time from Python: cells and pairs, by each solver.

The baseline is the walk that everybody thinks of first: all million sequences of six point values, each weighed by the
cards that are left and read through the table of play, in plain Python. A tenth of it is walked, those sequences that
begin with one point value, and the time is taken ten times; all tenths are the same work. The last row is a whole
answer with every bet of a rule set, as a live table would ask for it before each coup.
"""

import random
from collections.abc import Callable, Iterator
from itertools import product

from sabot.cli.stopwatch import Row, row, seconds
from sabot.odds import exact, exact_arrays, exact_kernel
from sabot.odds.answer import answer
from sabot.odds.composition import Composition
from sabot.odds.exact import BANKER_DRAWS, CELLS, PLAYER_DRAWS, cell
from sabot.odds.next_coup import NextCoup, Solver
from sabot.odds.study import Study
from sabot.rules.cards import DECK
from sabot.rules.shipped import rule_set
from sabot.rules.table_of_play import NO_CARD
from sabot.rules.terms import Terms

COMPOSITIONS = 200


def measure() -> Iterator[Row]:
    shoes = _half_dealt_shoes()
    assert sum(_walk(shoes[0].points, range(10))) == NextCoup(shoes[0]).total, "the baseline counts the same"
    walk = 10 * seconds(lambda: _walk(shoes[0].points, range(1)), runs=3)
    solvers: dict[str, tuple[Solver, int]] = {"pure": (exact.count, 10), "numpy": (exact_arrays.count, COMPOSITIONS)}
    if exact_kernel.is_there():
        solvers["compiled"] = exact_kernel.count, COMPOSITIONS
    for name, (solve, many) in solvers.items():
        yield _row(f"odds_exact_{name}", _each(solve, shoes[:many]), walk)
    study = Study.of(Terms(rule_set("crown-baccarat")))
    yield _row("odds_answer", _each(lambda shoe: answer(study, NextCoup(shoe)), shoes), walk)


def _each(work: Callable[[Composition], object], shoes: list[Composition]) -> float:
    def work_all() -> None:
        for shoe in shoes:
            work(shoe)

    return seconds(work_all, runs=7) / len(shoes)


def _row(name: str, taken: float, walk: float) -> Row:
    return row(name, 1 / taken, f"shoes/s, {taken * 1e6:,.1f} µs each", 1 / walk)


def _half_dealt_shoes() -> list[Composition]:
    chance = random.Random(1)
    return [Composition.of(chance.sample(DECK * 8, 208)) for _ in range(COMPOSITIONS)]


def _walk(points: tuple[int, ...], firsts: range) -> list[int]:
    cells = [0] * CELLS
    for six in product(firsts, *[range(10)] * 5):
        left, weight = list(points), 1
        for value in six:
            weight *= left[value]
            left[value] -= 1
        p1, b1, p2, b2, fifth, sixth = six
        player, banker = (p1 + p2) % 10, (b1 + b2) % 10
        drew = PLAYER_DRAWS[player][banker]
        if drew:
            banker_drew = BANKER_DRAWS[player][banker][fifth + 1]
            place = cell(1, banker_drew, player + fifth, banker + sixth * banker_drew)
        else:
            banker_drew = BANKER_DRAWS[player][banker][NO_CARD]
            place = cell(0, banker_drew, player, banker + fifth * banker_drew)
        cells[place] += weight
    return cells
