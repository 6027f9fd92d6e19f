"""The integrity view: a table's takings, returns and cards compared with what they should be."""

import random
from collections.abc import Iterator
from functools import cache

import pytest

from sabot.odds.composition import Composition
from sabot.odds.dealt_shoe import before_each_coup
from sabot.odds.integrity import Moments, ReturnComparison, SettledCoup, Takings, census, returned, takings
from sabot.odds.next_coup import NextCoup
from sabot.odds.study import Study
from sabot.rules.cards import Card, card
from sabot.rules.rule_set import Bet
from sabot.rules.shipped import rule_set
from sabot.rules.shoe import burn, full_shoe
from sabot.rules.terms import Terms

STAKES = {Bet("player"): 10_000, Bet("banker"): 40_000, Bet("tie"): 1_000, Bet("banker_pair"): 500}
TERMS = Terms(rule_set("crown-traditional"))


@cache
def _study() -> Study:
    return Study.of(TERMS)


@cache
def _of_a_full_shoe() -> Moments:
    return Moments.of(_study(), NextCoup(Composition.fresh(8)), list(STAKES))


def _shoe(seed: int) -> list[Card]:
    cards = list(full_shoe(8))
    random.Random(seed).shuffle(cards)
    return cards


def _coups(shoes: int) -> Iterator[tuple[SettledCoup, Composition]]:
    for seed in range(shoes):
        cards = _shoe(seed)
        for before in before_each_coup(cards, TERMS.rule_set.shoe, burn(cards, by_face_value=False), 20):
            settled = TERMS.settle(STAKES, before.dealt.coup)
            won = -sum(one.net_cents for one in settled)
            yield SettledCoup({str(bet): stake for bet, stake in STAKES.items()}, won), before.unseen


def test_takings_are_drop_turnover_and_win() -> None:
    taken = takings([{"cash": 50_000, "notes": 20_000}, {"chips": 30_000}, {}], wagered=400_000, credited=390_000)
    assert taken == Takings(drop=100_000, turnover=400_000, win=10_000)
    assert taken.hold == pytest.approx(0.1)
    assert takings([], 0, 0).hold is None


def test_one_wager_is_expected_to_return_what_the_odds_say() -> None:
    result = returned([(SettledCoup({"banker": 10_000}, -9_500), _of_a_full_shoe())])
    assert result is not None
    assert result.theoretical_return == pytest.approx(1 - 0.0105790583)
    assert result.actual_return == pytest.approx(1.95)
    assert result.sd == pytest.approx(10_000 * 0.927372, rel=1e-6)


def test_opposite_wagers_vary_less_than_each_alone() -> None:
    both = returned([(SettledCoup({"player": 10_000, "banker": 10_000}, 0), _of_a_full_shoe())])
    assert both is not None
    assert both.sd < 10_000 * 0.3


def test_an_honest_table_stays_within_its_interval() -> None:
    result = returned((coup, _of_a_full_shoe()) for coup, _ in _coups(60))
    assert result is not None
    assert result.coups > 4_000
    assert result.turnover == result.coups * sum(STAKES.values())
    low, high = result.interval
    assert low < result.actual_return < high
    assert result.likelihood > 0.05


def test_a_table_that_pays_a_little_too_much_is_found_out() -> None:
    """Two per cent of the turnover too much, over the same coups."""
    too_much = round(sum(STAKES.values()) * 0.02)
    result = returned(
        (SettledCoup(coup.stakes, coup.house_won - too_much), _of_a_full_shoe()) for coup, _ in _coups(250)
    )
    assert result is not None
    assert result.deviations < -3
    assert result.likelihood < 0.01


def test_expectation_from_the_very_cards_left_adds_up_over_a_shoe() -> None:
    by_cards = returned(
        (coup, Moments.of(_study(), NextCoup(unseen), ["banker", "tie"]))
        for coup, unseen in ((SettledCoup({"banker": 10_000, "tie": 500}, 0), unseen) for _, unseen in _coups(1))
    )
    assert by_cards is not None
    assert by_cards.theoretical_return == pytest.approx((10_000 * 0.98942 + 500 * 0.8564) / 10_500, abs=0.01)


def test_without_wagers_there_is_nothing_to_say() -> None:
    assert returned([]) is None
    assert ReturnComparison(1, 100, 0, 0.0, 0.0).likelihood == 1


def test_fair_shoes_pass_the_census_and_a_marked_one_does_not() -> None:
    fair = census([_shoe(seed)[:340] for seed in range(40)], 8)
    assert fair is not None
    assert fair.expected == 340 * 40 / 52
    assert fair.likelihood > 0.01
    assert fair.foreign == ()
    nines_kept_back = [sorted(_shoe(seed), key=lambda one: one.rank == "9")[:340] for seed in range(40)]
    marked = census(nines_kept_back, 8)
    assert marked is not None
    assert marked.likelihood < 1e-9


def test_the_census_varies_as_cards_drawn_without_being_put_back_do() -> None:
    """Over many fair censuses chi-square has its theoretical mean; for independent draws it would not."""
    found = [census([_shoe(seed)[:340]], 8) for seed in range(400)]
    mean = sum(one.chi_square for one in found if one is not None) / len(found)
    assert mean == pytest.approx(51, abs=2)


def test_a_ninth_copy_names_its_shoe() -> None:
    found = census([_shoe(1)[:100], [card("AS")] * 9], 8)
    assert found is not None
    assert found.foreign == ((2, card("AS")),)
    assert census([], 8) is None
    assert census([full_shoe(8)], 8) is None
