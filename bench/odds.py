"""Shoes a second whose next coup is counted exactly, one at a time from Python: cells and pairs, by each solver.

The baseline is the walk that everybody thinks of first: all million sequences of six point values, each weighed by the
cards that are left and read through the table of play, in plain Python. A tenth of it is walked, those sequences that
begin with one point value, and the time is taken ten times; all tenths are the same work.

The last rows are exact odds of every bet of a rule set: of one shoe as a live table asks for them, as its JSON answer
with all fractions, before each coup of simulated shoes, and of a row of an array with all counts and edges. They are
compared with the earlier program, too, which has no arrays: a row of an array is compared with one shoe.
"""

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import msgspec
import numpy as np

from sabot.basics.mistake import Mistake
from sabot.cli.earlier_program import EARLIER, earlier_program, run_beside
from sabot.cli.stopwatch import Row, row, seconds
from sabot.odds import exact, exact_arrays, exact_kernel
from sabot.odds.answer import answer
from sabot.odds.composition import Composition
from sabot.odds.dealing import Dealing
from sabot.odds.edges import BLOCK, edges_over_shoes
from sabot.odds.exact import BANKER_DRAWS, CELLS, PLAYER_DRAWS, cell
from sabot.odds.next_coup import NextCoup, Solver
from sabot.odds.odds_arrays import OddsArrays
from sabot.odds.study import Study
from sabot.rules.cards import DECK
from sabot.rules.shipped import rule_set
from sabot.rules.table_of_play import NO_CARD
from sabot.rules.terms import Terms

COMPOSITIONS = 200
TURNS = 3


EARLIER_ODDS = """
import json, random, sys, time
import msgspec
from sabot.odds.answer import answer
from sabot.odds.composition import Composition
from sabot.odds.dealt_shoe import before_each_coup
from sabot.odds.next_coup import NextCoup
from sabot.odds.study import Study
from sabot.rules.cards import DECK
from sabot.rules.shelf import rule_set
from sabot.rules.shoe import burn
from sabot.rules.terms import Terms

study = Study.of(Terms(rule_set("crown-baccarat")))
chance = random.Random(1)
shoes = [Composition.of(chance.sample(DECK * 8, 208)) for _ in range(200)]

def deal():
    cards = list(DECK * 8)
    chance.shuffle(cards)
    ahead = before_each_coup(cards, study.terms.rule_set.shoe, burn(cards, by_face_value=False), 20)
    return sum(study.odds(NextCoup(before.unseen))["player"].house_edge is not None for before in ahead)

def each(work):
    taken = []
    for _ in range(5):
        started = time.process_time()
        for shoe in shoes:
            work(shoe)
        taken.append((time.process_time() - started) / len(shoes))
    return min(taken)

def coup():
    started = time.process_time()
    return sum(deal() for _ in range(3)) / (time.process_time() - started)

print(json.dumps([
    each(lambda shoe: study.odds(NextCoup(shoe))),
    each(lambda shoe: msgspec.json.encode(answer(study, NextCoup(shoe)))),
    1 / max(coup() for _ in range(3)),
]))
"""
"""Seconds of the earlier program: all bets of a shoe, its JSON answer, and a coup of a dealt shoe with its odds."""


def measure() -> Iterator[Row]:
    shoes = _half_dealt_shoes()
    assert sum(_walk(shoes[0].points, range(10))) == NextCoup(shoes[0]).total, "the baseline counts the same"
    walk = 10 * seconds(lambda: _walk(shoes[0].points, range(1)), runs=3)
    solvers: dict[str, tuple[Solver, int]] = {"pure": (exact.count, 10), "numpy": (exact_arrays.count, COMPOSITIONS)}
    if exact_kernel.is_there():
        for path, name in zip(exact_kernel.paths(), ("any_size", "plain", "256_bits", "512_bits"), strict=False):
            solvers[f"compiled_{name}"] = partial(exact_kernel.count, path=path), COMPOSITIONS
    for name, (solve, many) in solvers.items():
        yield _row(f"odds_exact_{name}", _each(solve, shoes[:many]), walk)
    yield from _whole_answers(shoes, walk)


def _whole_answers(shoes: list[Composition], walk: float) -> Iterator[Row]:
    """All bets, beside the walk and beside the earlier program, in turns with it."""
    try:
        program = earlier_program()
    except Mistake:
        program = None
    turns, beside = [], []
    for _ in range(TURNS):
        turns.append(_answers(shoes))
        if program is not None:
            beside.append(run_beside(program, EARLIER_ODDS))
    names = ("odds_all_bets", "odds_answer", "odds_before_each_coup", "odds_arrays")
    here = dict(zip(names, map(min, zip(*turns, strict=True)), strict=True))
    for name, taken in here.items():
        yield _row(name, taken, walk)
    if beside:
        one, answered, coup = map(min, zip(*beside, strict=True))
        for (name, taken), earlier in zip(here.items(), (one, answered, coup, one), strict=True):
            yield _row(f"{name}, against {EARLIER}", taken, earlier)


def _answers(shoes: list[Composition]) -> tuple[float, float, float, float]:
    """Seconds for all bets of a shoe, its JSON answer, a coup of a simulated shoe with its odds, a row of an array."""
    study = Study.of(Terms(rule_set("crown-baccarat")))
    dealing = Dealing.of(study.terms.rule_set, 8)
    many = np.array([shoe.cards for shoe in shoes] * 20)
    coups = edges_over_shoes(study, dealing, 1, BLOCK).coups

    def arrays() -> None:
        found = OddsArrays(study, many)
        for bet in found.bets:
            found.counts(bet)
            found.house_edge(bet)

    return (
        _each(lambda shoe: study.odds(NextCoup(shoe)), shoes),
        _each(lambda shoe: msgspec.json.encode(answer(study, NextCoup(shoe))), shoes),
        seconds(lambda: edges_over_shoes(study, dealing, 1, BLOCK)) / coups,
        seconds(arrays) / len(many),
    )


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
