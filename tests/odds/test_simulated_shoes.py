"""Simulated shoes: three simulators that agree in every count, and their fit to the exact odds."""

import threading
from collections import Counter
from functools import cache

import msgspec
import numpy as np
import pytest

from sabot.basics.mistake import Mistake
from sabot.odds import simulated_arrays, simulated_kernel, workers
from sabot.odds.chi_square import chance_of_more, fit
from sabot.odds.composition import Composition
from sabot.odds.dealing import BANKER_DRAWS_UP_TO, PLAYER_DRAWS_UP_TO, Dealing
from sabot.odds.histogram import Histogram
from sabot.odds.next_coup import NextCoup
from sabot.odds.simulated_arrays import CELLS, Counts
from sabot.odds.simulation import Simulation
from sabot.odds.study import Study
from sabot.odds.tally import BetTally
from sabot.odds.workers import BLOCK, Threads
from sabot.rules.aspect import Aspect
from sabot.rules.cards import DECK, Rank
from sabot.rules.rule_set import Bet
from sabot.rules.shipped import all_rule_sets, rule_set
from sabot.rules.shoe import deal_shoe
from sabot.rules.table_of_play import BANKER_DECISIONS, PLAYER_DECISIONS
from sabot.rules.terms import Outcome, Terms
from tests.odds.plain_shoes import PlainShoe, cell_of, deal_plainly

CROWN = rule_set("crown-traditional")
DEALINGS = {
    "as Crown deals": Dealing.of(CROWN, 8),
    "burning by face value": Dealing.of(CROWN, 6, burns_by_face_value=True, behind_cutting_card=13),
    "no coup after the cutting card": Dealing(
        decks=1, burns_by_face_value=True, behind_cutting_card=14, coups_after_cutting_card=0
    ),
    "until the cards run out": Dealing(
        decks=2, burns_by_face_value=False, behind_cutting_card=2, coups_after_cutting_card=1
    ),
    "so many coups a shoe": Dealing.of(CROWN, 4, burns_by_face_value=True, coups_a_shoe=32),
    "as many decks as a rule set may have": Dealing(
        decks=12, burns_by_face_value=True, behind_cutting_card=14, coups_after_cutting_card=1
    ),
}
kinds_of_dealing = pytest.mark.parametrize("dealing", DEALINGS.values(), ids=DEALINGS)
needs_kernel = pytest.mark.skipif(not simulated_kernel.is_there(), reason="this machine has no C compiler")


def quietly(_: Histogram) -> None:
    """Nobody watches."""


def _plain_counts(dealing: Dealing, seed: int, shoes: range) -> Counts:
    coups = [coup for shoe in deal_plainly(dealing, seed, shoes) for coup in shoe.coups]
    return np.bincount([cell_of(coup) for coup in coups], minlength=CELLS)


@kinds_of_dealing
@pytest.mark.parametrize(("first", "shoes"), [(0, 70), (1000, 7)])
def test_numpy_deals_what_plain_python_deals(dealing: Dealing, first: int, shoes: int) -> None:
    plainly = _plain_counts(dealing, 11, range(first, first + shoes))
    assert np.array_equal(simulated_arrays.deal(dealing, 11, first, shoes), plainly)


@needs_kernel
@kinds_of_dealing
@pytest.mark.parametrize(("first", "shoes"), [(0, 9000), (4_000_000_000_004, 33), (8, 1)])
def test_every_path_through_the_kernel_deals_what_numpy_deals(dealing: Dealing, first: int, shoes: int) -> None:
    by_numpy = simulated_arrays.deal(dealing, 2**63 - 1, first, shoes)
    for path in simulated_kernel.paths():
        assert np.array_equal(simulated_kernel.deal(dealing, 2**63 - 1, first, shoes, path), by_numpy)


UNEVEN = 28_709
"""Of seed 11 and eight decks, the first shoe with a pile of more than 250 cards, which is split again."""


def test_a_shoe_with_too_large_a_pile_is_split_again_by_all_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    dealing, first = DEALINGS["as Crown deals"], UNEVEN // 4 * 4
    plainly = _plain_counts(dealing, 11, range(first, first + 4))
    assert np.array_equal(simulated_arrays.deal(dealing, 11, first, 4), plainly)
    for path in simulated_kernel.paths() if simulated_kernel.is_there() else ():
        assert np.array_equal(simulated_kernel.deal(dealing, 11, first, 4, path), plainly)
    monkeypatch.setattr(simulated_arrays, "MOST_OF_A_PILE", 255)
    assert not np.array_equal(simulated_arrays.deal(dealing, 11, first, 4), plainly)


@pytest.mark.parametrize("name", ["as Crown deals", "burning by face value"])
def test_a_shoe_ends_where_the_rules_end_it(name: str) -> None:
    """The same shoe as a list, with arbitrary cards in the unseen places, has the same coups and the same last one."""
    dealing = DEALINGS[name]
    for shoe in deal_plainly(dealing, 5, range(12)):
        seen = [card for coup in shoe.coups for card in coup.cards]
        burned, rest = DECK[:1] * shoe.burned, DECK[:1] * (dealing.cards - shoe.burned - len(seen))
        dealt = list(deal_shoe([*burned, *seen, *rest], CROWN.shoe, shoe.burned, dealing.behind_cutting_card))
        assert [one.coup.cards for one in dealt] == [coup.cards for coup in shoe.coups]
        assert dealt[-1].last


def test_the_thresholds_are_the_table_of_play() -> None:
    for player in range(8):
        for banker in range(8):
            assert PLAYER_DECISIONS[player][banker].drawn == (player <= PLAYER_DRAWS_UP_TO)
            columns = range(1, 11) if player <= PLAYER_DRAWS_UP_TO else range(1)
            for column in columns:
                decision = BANKER_DECISIONS[player][banker][column]
                assert decision.drawn == (banker <= BANKER_DRAWS_UP_TO[column])


@pytest.mark.parametrize("name", [rules.id for rules in all_rule_sets()])
def test_bets_tallied_from_the_histogram_are_bets_settled_coup_by_coup(name: str) -> None:
    terms = Terms(rule_set(name), 8)
    dealing = Dealing.of(terms.rule_set, 8)
    shoes = deal_plainly(dealing, 17, range(12))
    coups = [coup for shoe in shoes for coup in shoe.coups]
    histogram = Histogram(12, _plain_counts(dealing, 17, range(12)))
    stake = 2000
    settled = [{one.bet: one for one in terms.settle(dict.fromkeys(terms.bets, stake), coup)} for coup in coups]
    for bet, odds in ((Bet(bet), studied.odds(histogram)) for bet, studied in Study.of(terms).bets.items()):
        tallied = BetTally.of(odds, odds)
        outcomes = [one[bet].outcome for one in settled]
        counted = tuple(outcomes.count(outcome) for outcome in (Outcome.WIN, Outcome.PUSH, Outcome.LOSE))
        assert (tallied.win, tallied.push, tallied.lose) == counted
        assert odds.mean * stake * len(coups) == sum(one[bet].net_cents for one in settled)


@pytest.mark.parametrize("threads", [2, 5])
def test_the_number_of_threads_does_not_matter(threads: int) -> None:
    simulation = Simulation(dealing=Dealing.of(CROWN, 8), seed=23, shoes=3 * BLOCK + 5)
    one = simulation.run(Threads(1), quietly)
    assert one.shoes == simulation.shoes
    assert np.array_equal(simulation.run(Threads(threads), quietly).counts, one.counts)


def test_who_watches_sees_the_first_shoes_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint relies on this: a block that is dealt before an earlier one waits for it."""
    dealing, later_is_dealt = Dealing.of(CROWN, 8), threading.Event()
    seen: list[Histogram] = []

    def deal_the_first_last(dealing: Dealing, seed: int, shoes: range) -> Counts:
        if shoes.start == 0:
            assert later_is_dealt.wait(60)
        counts = simulated_arrays.deal(dealing, seed, shoes.start, len(shoes))
        if shoes.start == 8:
            later_is_dealt.set()
        return counts

    monkeypatch.setattr(workers, "BLOCK", 4)
    monkeypatch.setattr(workers, "GLANCE", 0.001)
    monkeypatch.setattr(workers, "deal_block", deal_the_first_last)
    Threads(2).deal(dealing, 23, range(16), seen.append)
    assert {0, 16} <= {dealt.shoes for dealt in seen}
    for dealt in seen:
        assert np.array_equal(dealt.counts, simulated_arrays.deal(dealing, 23, 0, dealt.shoes))


@pytest.mark.parametrize("wanted", [{"shoes": 3 * BLOCK + 5}, {"coups": 1_000_000}])
@pytest.mark.parametrize("before", [0, 4, BLOCK, BLOCK + 8])
def test_a_run_that_goes_on_ends_as_one_without_a_break(wanted: dict[str, int], before: int) -> None:
    dealing = Dealing.of(CROWN, 8)
    simulation = Simulation(dealing=dealing, seed=29, **wanted)
    begun = Simulation(dealing=dealing, seed=29, shoes=before).run(Threads(1), quietly) if before else Histogram()
    whole, resumed = simulation.run(Threads(2), quietly), simulation.run(Threads(2), quietly, begun)
    assert resumed.shoes == whole.shoes
    assert np.array_equal(resumed.counts, whole.counts)


def test_a_failure_in_a_thread_is_heard_of() -> None:
    dealing = Dealing(decks=8, burns_by_face_value=False, behind_cutting_card=14, coups_after_cutting_card=1)
    before = threading.active_count()
    with pytest.raises(AssertionError):
        Threads(2).deal(dealing, 1, range(2, 100), quietly)
    assert threading.active_count() == before


@pytest.mark.parametrize("coups", [1, 81, 1000, 1_000_000])
def test_whole_shoes_until_there_are_so_many_coups(coups: int) -> None:
    dealing = Dealing.of(CROWN, 8)
    histogram = Simulation(dealing=dealing, seed=29, coups=coups).run(Threads(2), quietly)
    assert coups <= histogram.total < 1.001 * coups + 200
    again = Simulation(dealing=dealing, seed=29, shoes=histogram.shoes).run(Threads(1), quietly)
    assert np.array_equal(histogram.counts, again.counts)


COUPS = 20_000_000
ASPECTS = (Aspect.ENDING, Aspect.PLAYER_PAIR, Aspect.BANKER_PAIR, Aspect.BOTH_PAIRS, Aspect.ALL)


def test_simulated_coups_fit_the_exact_distribution_in_all_cells() -> None:
    """With the same number of coups from every shoe the fit must be good; one in ten thousand fair runs would fail.

    The same counts must not fit shoes of six decks, which shows that the test can fail.
    """
    dealing = Dealing.of(CROWN, 8, burns_by_face_value=True, coups_a_shoe=60)
    histogram = Simulation(dealing=dealing, seed=31, coups=COUPS).run(Threads(2), quietly)
    exact, other = NextCoup(Composition.fresh(8)), NextCoup(Composition.fresh(6))
    for aspect in ASPECTS:
        fitted = fit(histogram.weights(aspect), exact.weights(aspect))
        assert fitted is not None
        assert fitted.p > 1e-4, aspect
    wrong = fit(histogram.weights(Aspect.ALL), other.weights(Aspect.ALL))
    assert wrong is not None
    assert wrong.p < 1e-9


@pytest.mark.parametrize("decks", [8, 10])
@pytest.mark.parametrize("place", [1, 2, 20, 39, 40, 41, 42, 43, 65])
def test_each_coup_of_a_shoe_has_the_odds_of_a_fresh_one(decks: int, place: int) -> None:
    """Also where a pile ends and the next is joined to it. One in ten thousand fair runs would fail in one of these.

    The coups of a given number are those of shoes with so many coups, less those of the same shoes with one fewer.
    """
    shoes = 100_000 if simulated_kernel.is_there() else 8_000
    dealing = Dealing(
        decks=decks, burns_by_face_value=True, behind_cutting_card=14, coups_after_cutting_card=1, coups_a_shoe=place
    )
    counts = Simulation(dealing=dealing, seed=43, shoes=shoes).run(Threads(2), quietly).counts
    if place > 1:
        fewer = msgspec.structs.replace(dealing, coups_a_shoe=place - 1)
        counts = counts - Simulation(dealing=fewer, seed=43, shoes=shoes).run(Threads(2), quietly).counts
    assert counts.min() == 0
    assert counts.sum() == shoes
    for aspect in ASPECTS:
        fitted = fit(Histogram(shoes, counts).weights(aspect), NextCoup(Composition.fresh(decks)).weights(aspect))
        assert fitted is not None
        assert fitted.p > 1e-4 / 18, aspect


@pytest.mark.parametrize(("one", "other"), [(0, 1), (1, 25), (22, 23), (25, 26), (27, 30), (3, 35)])
def test_every_two_places_of_a_shoe_have_every_two_ranks_equally_often(one: int, other: int) -> None:
    """The order of the cards, by chi-square over 169 pairs of ranks; the two piles of a deck meet about place 26."""
    dealing = Dealing(decks=1, burns_by_face_value=False, behind_cutting_card=2, coups_after_cutting_card=1)
    counts = Counter(
        (cards[one].rank, cards[other].rank)
        for shoe in _plain_decks(dealing)
        if len(cards := [card for coup in shoe.coups for card in coup.cards]) > other
    )
    ranks = tuple(Rank)
    weights = [3 if first is second else 4 for first in ranks for second in ranks]
    fitted = fit([counts[first, second] for first in ranks for second in ranks], weights)
    assert fitted is not None
    assert fitted.degrees_of_freedom == 168
    assert fitted.p > 1e-4


@cache
def _plain_decks(dealing: Dealing) -> list[PlainShoe]:
    return deal_plainly(dealing, 47, range(2000))


@pytest.mark.parametrize("decks", [4, 6])
def test_every_bet_and_option_comes_to_its_exact_edge(decks: int) -> None:
    """Within four and a half standard errors: one in seven thousand fair runs would fail in one of twenty bets."""
    dealing = Dealing.of(CROWN, decks, coups_a_shoe=30)
    histogram = Simulation(dealing=dealing, seed=37, coups=5_000_000).run(Threads(2), quietly)
    exact = NextCoup(Composition.fresh(decks))
    for rules in all_rule_sets():
        if rules.decks.minimum <= decks <= rules.decks.maximum:
            for name, bet in Study.of_all_options(rules, decks).bets.items():
                tallied = BetTally.of(bet.odds(histogram), bet.odds(exact))
                assert tallied.z is not None
                assert abs(tallied.z) < 4.5, (rules.id, name)
                assert tallied.confidence_95[0] < tallied.house_edge < tallied.confidence_95[1]


@pytest.mark.parametrize(
    ("statistic", "degrees", "chance"),
    [(3.841459, 1, 0.05), (5.991465, 2, 0.05), (16.266236, 3, 0.001), (124.342113, 100, 0.05), (0.0, 7, 1.0)],
)
def test_the_tail_of_chi_square_is_the_printed_tables(statistic: float, degrees: int, chance: float) -> None:
    assert chance_of_more(statistic, degrees) == pytest.approx(chance, rel=1e-5)


def test_rare_cells_are_counted_as_one() -> None:
    fitted = fit([50, 44, 3, 3], [50, 44, 3, 3])
    assert fitted is not None
    assert (fitted.statistic, fitted.degrees_of_freedom) == (0, 2)
    assert fit([1, 1], [1, 1]) is None


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"decks": 11}, "decks, not 11"),
        ({"behind_cutting_card": 18}, "19 to 22 or 13 cards behind the cutting card, not 18"),
        ({"coups_a_shoe": 70}, "has cards for 1 to 69 coups, not 70"),
        ({"coups_a_shoe": 0}, "has cards for 1 to 69 coups, not 0"),
    ],
)
def test_what_the_rule_set_does_not_permit_is_refused(asked: dict[str, int], said: str) -> None:
    with pytest.raises(Mistake, match=said):
        Dealing.of(CROWN, asked.pop("decks", 8), **asked)  # type: ignore[arg-type]
