"""The three solvers compared with published integers, with an enumeration of every sequence, and with each other."""

import random
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from math import perm

import pytest
from hypothesis import given, settings

from sabot.odds import exact, exact_arrays, exact_kernel
from sabot.odds.composition import MOST_DECKS, Composition
from sabot.odds.exact import CELLS, Counted, cell
from sabot.odds.next_coup import NextCoup, Solver
from sabot.rules.aspect import Aspect
from sabot.rules.cards import DECK, Card
from sabot.rules.coup import Coup, read_in_shoe_order
from sabot.rules.hand import Pair
from tests.odds.compositions import SMALL, compositions, too_few
from tests.tables import rows

PATHS = exact_kernel.paths() if exact_kernel.is_there() else ()
SOLVERS = [
    pytest.param(exact.count, id="pure"),
    pytest.param(exact_arrays.count, id="numpy"),
    *(
        pytest.param(
            partial(exact_kernel.count, path=path),
            id=f"compiled, {name}",
            marks=pytest.mark.skipif(path not in PATHS, reason="no compiler made this path, or the processor lacks it"),
        )
        for path, name in enumerate(("any size", "plain", "256 bits", "512 bits"), exact_kernel.ANY_SIZE)
    ),
]
OTHERS = SOLVERS[1:]

Ending = Callable[[bool, bool, int, int], bool]
"""Whether a coup with these third cards drawn and these totals belongs to a figure."""


def _ending(figure: str) -> Ending:
    """The condition on a cell that a published figure's name stands for."""
    natural: Ending = lambda pd, bd, p, b: not pd and not bd and max(p, b) >= 8  # noqa: E731
    by_name: dict[str, Ending] = {
        "total": lambda *_: True,
        "player": lambda _pd, _bd, p, b: p > b,
        "banker": lambda _pd, _bd, p, b: b > p,
        "tie": lambda _pd, _bd, p, b: p == b,
        "natural tie": lambda pd, bd, p, b: natural(pd, bd, p, b) and p == b,
        "player natural win": lambda pd, bd, p, b: natural(pd, bd, p, b) and p > b,
        "banker natural win": lambda pd, bd, p, b: natural(pd, bd, p, b) and b > p,
        "player dragon bonus loses": lambda pd, bd, p, b: p - b < 4 and not (natural(pd, bd, p, b) and p >= b),
        "banker dragon bonus loses": lambda pd, bd, p, b: b - p < 4 and not (natural(pd, bd, p, b) and b >= p),
    }
    if figure in by_name:
        return by_name[figure]
    if found := re.fullmatch(r"(\d) cards", figure):
        cards = int(found[1])
        return lambda pd, bd, _p, _b: 4 + pd + bd == cards
    if found := re.fullmatch(r"tie on (\d)", figure):
        total = int(found[1])
        return lambda _pd, _bd, p, b: p == b == total
    if found := re.fullmatch(r"(player|banker) by (\d), no natural", figure):
        lead = int(found[2]) * (1 if found[1] == "player" else -1)
        return lambda pd, bd, p, b: p - b == lead and not natural(pd, bd, p, b)
    found = re.fullmatch(r"(player|banker) with (\d)(?: of (\d) cards)?", figure)
    assert found, figure
    players, total, third = found[1] == "player", int(found[2]), None if found[3] is None else found[3] == "3"
    return lambda pd, bd, p, b: (
        (p > b if players else b > p) and (p if players else b) == total and third in (None, pd if players else bd)
    )


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize("decks", [4, 6, 8])
def test_every_published_count_is_reproduced(solve: Solver, decks: int) -> None:
    cells = solve(Composition.fresh(decks)).cells
    published = [row for row in rows("published_counts.tsv") if int(row["decks"]) == decks]
    assert len(published) >= 6
    for row in published:
        belongs = _ending(row["figure"])
        counted = sum(
            count
            for place, count in enumerate(cells)
            if belongs(place // 200 == 1, place // 100 % 2 == 1, place // 10 % 10, place % 10)
        )
        assert counted == int(row["sequences"]), row["figure"]


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize(("decks", "chance"), [(8, Fraction(31, 415)), (6, Fraction(23, 311)), (4, Fraction(15, 207))])
def test_the_published_chance_of_a_pair_is_reproduced(solve: Solver, decks: int, chance: Fraction) -> None:
    none, *paired = solve(Composition.fresh(decks)).pairs
    assert none + sum(paired) == perm(52 * decks, 6)
    assert Fraction(sum(paired), perm(52 * decks, 6)) == chance


@pytest.mark.parametrize("solve", OTHERS)
@pytest.mark.parametrize("decks", range(1, MOST_DECKS + 1))
def test_solvers_agree_on_fresh_shoes(solve: Solver, decks: int) -> None:
    fresh = Composition.fresh(decks)
    assert solve(fresh) == exact.count(fresh)


@pytest.mark.parametrize("solve", OTHERS)
@given(composition=compositions)
@settings(max_examples=150)
def test_solvers_agree_on_any_composition(solve: Solver, composition: Composition) -> None:
    assert solve(composition) == exact.count(composition)


@pytest.mark.parametrize("solve", SOLVERS)
@given(composition=too_few)
@settings(max_examples=40)
def test_fewer_than_six_cards_have_no_sequence_of_six(solve: Solver, composition: Composition) -> None:
    assert solve(composition) == Counted((0,) * CELLS, (0, 0, 0, 0))


@pytest.mark.parametrize("solve", OTHERS)
@pytest.mark.parametrize("cards", [450, 451, 456, 457, 624])
def test_solvers_agree_where_sequences_outgrow_a_double(solve: Solver, cards: int) -> None:
    """One point value as often as a shoe can hold it makes the largest figures; 457 cards are the first too many."""
    for twos in (0, 6):
        kings, rest = divmod(cards - twos, 4)
        suits = [[0, twos * (suit == 1), *[0] * 10, kings + (suit < rest)] for suit in range(4)]
        composition = Composition(tuple(count for suit in suits for count in suit))
        assert composition.size == cards
        assert solve(composition) == exact.count(composition)


def test_more_copies_of_a_card_than_a_byte_holds_are_counted_too() -> None:
    many = Composition((300, *(1,) * 51))
    assert NextCoup(many).cells == exact.count(many).cells


@given(composition=compositions)
def test_the_cells_are_all_sequences_of_six(composition: Composition) -> None:
    assert sum(NextCoup(composition).cells) == perm(composition.size, 6)


def walk(composition: Composition) -> Counter[Coup]:
    """Every ordered sequence of six cards, read through the table of play."""
    cards: list[Card] = [card for card, copies in zip(DECK, composition.cards, strict=True) for _ in range(copies)]
    return Counter(read_in_shoe_order(six)[0] for six in permutations(cards, 6))


def _cell(coup: Coup) -> int:
    player, banker = coup.player, coup.banker
    return cell(len(player.cards) - 2, len(banker.cards) - 2, player.total, banker.total)


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize("composition", SMALL)
def test_solvers_count_what_a_walk_through_all_sequences_finds(solve: Solver, composition: Composition) -> None:
    coming = NextCoup(composition, solve)
    cells, pairs, together = [0] * 400, dict.fromkeys(Pair, 0), Counter[tuple[Pair, Pair, int]]()
    for coup, count in walk(composition).items():
        cells[_cell(coup)] += count
        pairs[coup.player.pair] += count
        together[coup.player.pair, coup.banker.pair, _cell(coup)] += count
    assert list(coming.cells) == cells
    assert coming.pairs == pairs
    for (player, banker), by_cell in _by_pairs(coming).items():
        assert by_cell == [together[player, banker, place] for place in range(400)]


def _by_pairs(coming: NextCoup) -> dict[tuple[Pair, Pair], list[int]]:
    """The cells of the next coup by both hands' pairs."""
    weights = list(coming.weights(Aspect.ALL))
    return {pairs: weights[400 * place : 400 * place + 400] for place, pairs in enumerate(product(Pair, Pair))}


@given(composition=compositions)
@settings(max_examples=40)
def test_cells_by_pairs_add_up_to_cells_and_to_pairs(composition: Composition) -> None:
    coming = NextCoup(composition)
    joint = _by_pairs(coming)
    assert [sum(counts) for counts in zip(*joint.values(), strict=True)] == list(coming.cells)
    assert list(coming.weights(Aspect.BOTH_PAIRS)) == [sum(joint[pairs]) for pairs in product(Pair, Pair)]
    for pair in Pair:
        assert sum(sum(joint[pair, other]) for other in Pair) == coming.pairs[pair]
        assert sum(sum(joint[other, pair]) for other in Pair) == coming.pairs[pair]
    assert min(min(by_cell) for by_cell in joint.values()) >= 0


@pytest.mark.skipif(not PATHS, reason="there is no kernel")
@pytest.mark.parametrize("highest", [7, 9])
@pytest.mark.parametrize("seed", range(4))
def test_the_kernel_plays_by_any_table_that_it_is_handed(highest: int, seed: int) -> None:
    """No rule of the game is in it; the second kind of table draws even after a natural."""
    chance = random.Random(seed)

    def draws(s: int, t: int) -> bool:
        return max(s, t) <= highest and chance.random() < 0.5

    player = [[draws(s, t) for t in range(10)] for s in range(10)]
    banker = [[[draws(s, t) for _ in range(11)] for t in range(10)] for s in range(10)]
    cards = chance.sample(DECK * 2, 7)
    cells = [0] * CELLS
    for p1, b1, p2, b2, fifth, sixth in permutations([card.points for card in cards], 6):
        s, t = (p1 + p2) % 10, (b1 + b2) % 10
        drawn = banker[s][t][fifth + 1 if player[s][t] else 0]
        thirds = (fifth, sixth * drawn) if player[s][t] else (0, fifth * drawn)
        cells[cell(player[s][t], drawn, s + thirds[0], t + thirds[1])] += 1
    play = exact_kernel.write_table_of_play(player, banker)
    for path in PATHS:
        plan = exact_kernel.Plan(range(CELLS), CELLS, path, play)
        assert list(plan.count(Composition.of(cards))[:CELLS]) == cells
