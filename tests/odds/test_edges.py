"""Odds before every coup of simulated shoes: the shoes follow the game's own procedures, and the figures add up."""

import numpy as np
import pytest

from sabot.basics.mistake import Mistake
from sabot.odds import edges as edges_module
from sabot.odds.chi_square import chance_of_more
from sabot.odds.composition import Composition
from sabot.odds.dealing import Dealing
from sabot.odds.dealt_shoe import before_each_coup
from sabot.odds.edges import edges_over_shoes
from sabot.odds.next_coup import NextCoup
from sabot.odds.shoes_ahead import deal, shuffled
from sabot.odds.study import Study
from sabot.rules.cards import DECK
from sabot.rules.shipped import rule_set
from sabot.rules.shoe import burn
from sabot.rules.terms import Terms

RULES = rule_set("crown-traditional")
STUDY = Study.of(Terms(RULES))


@pytest.mark.parametrize("by_face_value", [False, True])
def test_the_unseen_cards_are_those_of_a_shoe_dealt_by_the_game(by_face_value: bool) -> None:
    dealing = Dealing.of(RULES, 8, burns_by_face_value=by_face_value)
    ahead = deal(dealing, 5, range(7, 11))
    rows = iter(zip(*ahead, strict=True))
    for number, order in zip(range(7, 11), shuffled(8, 5, range(7, 11)), strict=True):
        cards = [DECK[place] for place in order]
        burned = burn(cards, by_face_value=by_face_value)
        for before in before_each_coup(cards, RULES.shoe, burned, dealing.behind_cutting_card):
            shoe, coup, unseen = next(rows)
            assert (shoe, coup) == (number, before.dealt.number)
            assert tuple(unseen.tolist()) == before.unseen.cards
    assert next(rows, None) is None


def test_a_shoe_depends_on_its_seed_and_number_alone() -> None:
    assert (shuffled(6, 3, range(10))[4:7] == shuffled(6, 3, range(4, 7))).all()
    assert (shuffled(6, 3, range(10)) != shuffled(6, 4, range(10))).any()


def test_every_card_is_as_likely_in_every_place() -> None:
    """Chi-square of the cards in the first, a middle and the last place of many shoes; in all places there are all."""
    order = shuffled(4, 11, range(20_000))
    assert (np.sort(order[:50], axis=1) == np.sort(np.tile(np.arange(52), 4))).all()
    for place in (0, 100, 207):
        counts = np.bincount(order[:, place], minlength=52)
        chi_square = float(((counts - 20_000 / 52) ** 2).sum() / (20_000 / 52))
        assert 0.001 < chance_of_more(chi_square, 51) < 0.999


def test_the_figures_are_those_of_the_coups_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    dealing = Dealing.of(RULES, 8)
    ahead = deal(dealing, 2, range(5))
    found = edges_over_shoes(STUDY, dealing, 2, 5)
    assert found.coups == len(ahead.coups)
    odds = [STUDY.odds(NextCoup(Composition(tuple(row)))) for row in ahead.unseen.tolist()]
    for bet, told in found.bets.items():
        exactly = [one[bet].house_edge for one in odds]
        assert told.mean == pytest.approx(float(sum(exactly) / len(exactly)), abs=1e-11)
        assert told.sd == pytest.approx(np.std([float(edge) for edge in exactly]), rel=1e-6)
        assert (told.least, told.greatest) == (float(min(exactly)), float(max(exactly)))
        assert told.favourable == sum(edge < 0 for edge in exactly) == sum(tenth.favourable for tenth in told.by_tenth)
        assert told.gain_a_shoe == pytest.approx(float(-sum(edge for edge in exactly if edge < 0) / 5), abs=1e-11)
        assert sum(tenth.coups for tenth in told.by_tenth) == found.coups
        median = sorted(exactly)[(len(exactly) - 1) // 2]
        assert told.percentiles["50"] == pytest.approx(float(median), abs=2e-4)
    monkeypatch.setattr(edges_module, "BLOCK", 2)
    assert edges_over_shoes(STUDY, dealing, 2, 5) == found


def test_the_edge_of_a_fixed_coup_is_that_of_a_fresh_shoe_on_average() -> None:
    """Before cards are seen, any coup of a shoe has the odds of the first, if no cutting card chooses among them."""
    found = edges_over_shoes(STUDY, Dealing.of(RULES, 8, coups_a_shoe=20), 9, 300)
    fresh = STUDY.odds(NextCoup(Composition.fresh(8)))
    for bet, told in found.bets.items():
        assert abs(told.mean - float(fresh[bet].house_edge)) < 5 * told.sd / (found.shoes**0.5)


@pytest.mark.parametrize(
    ("seed", "shoes", "sentence"), [(-1, 1, "a seed is"), (1, 0, "1 to 1,000,000,000 shoes, not 0")]
)
def test_wrong_numbers_are_refused(seed: int, shoes: int, sentence: str) -> None:
    with pytest.raises(Mistake, match=sentence):
        edges_over_shoes(STUDY, Dealing.of(RULES, 8), seed, shoes)
