"""The odds of bets: published edges, enumeration of every sequence, covariance, effects of removal, a dealt shoe."""

import random
from fractions import Fraction
from functools import cache

import msgspec
import pytest
from hypothesis import assume, given, settings

from sabot.odds.bet_odds import net
from sabot.odds.composition import Composition
from sabot.odds.dealt_shoe import before_each_coup
from sabot.odds.next_coup import NextCoup
from sabot.odds.outcome_class import outcome_classes
from sabot.odds.removal import effects_of_removal
from sabot.odds.study import Study
from sabot.rules.aspect import Aspect
from sabot.rules.condition import Condition
from sabot.rules.coup import Coup, Winner
from sabot.rules.hand import Pair
from sabot.rules.odds import Odds
from sabot.rules.part import Clause
from sabot.rules.rule_set import Bet, BetRules, PayTableLine, RuleSet
from sabot.rules.shipped import IDS, rule_set
from sabot.rules.shoe import burn, full_shoe
from sabot.rules.terms import Outcome, Terms
from tests.chance import coups
from tests.odds.compositions import SMALL, compositions
from tests.odds.test_exact import walk
from tests.tables import rows


@cache
def _fresh(decks: int) -> NextCoup:
    return NextCoup(Composition.fresh(decks))


@cache
def _study(identity: str) -> Study:
    return Study.of_all_options(rule_set(identity), 8)


@pytest.mark.parametrize("row", rows("published_edges.tsv"), ids=lambda row: row["bet"] + row["option"])
def test_every_published_edge_is_reproduced(row: dict[str, str]) -> None:
    option, _, choice = row["option"].partition("=")
    terms = Terms(rule_set(row["rule_set"]), 8, {option: int(choice)} if option else {})
    bet = Study.of(terms).bets[row["bet"]]
    for decks in range(4, 11):
        assert f"{float(bet.odds(_fresh(decks)).house_edge) * 100:.5f}" == row[str(decks)]
    eight = bet.odds(_fresh(8))
    assert f"{eight.sd:.6f}" == row["sd_8"]
    assert eight.mean == Fraction(row["mean_8"])


@given(coup=coups)
@settings(max_examples=80)
def test_a_coup_is_ruled_as_its_outcome_class_is(coup: Coup) -> None:
    """Studies rely on this: a ruling depends on nothing that the outcome class omits."""
    place = list(Pair).index(coup.player.pair) * 4 + list(Pair).index(coup.banker.pair)
    drew = 2 * len(coup.player.cards) + len(coup.banker.cards) - 6
    outcome_class = outcome_classes(Aspect.ALL)[place * 400 + drew * 100 + coup.player.total * 10 + coup.banker.total]
    assert [hand.pair for hand in (outcome_class.player, outcome_class.banker)] == [coup.player.pair, coup.banker.pair]
    assert outcome_class.winner is coup.winner
    for identity in IDS:
        asked, known = Terms(rule_set(identity)), Terms(rule_set(identity))
        assert asked.rulings(outcome_class) == known.rulings(coup)


def with_a_bet_on_everything() -> RuleSet:
    """A casino's own bet that depends on the ending and on both pairs."""
    lines = (
        PayTableLine(
            name="Tie with a pair",
            when=Condition(winner=Winner.TIE, player_pair="any"),
            clause=Clause("OWN 1"),
            pays=(Odds("40"),),
        ),
        PayTableLine(
            name="Perfect pair",
            when=Condition(banker_pair="perfect"),
            clause=Clause("OWN 2"),
            pays=(Odds("7"),),
            commission=Odds("1/20"),
        ),
        PayTableLine(name="Nine", when=Condition(winner=Winner.BANKER, total=9), clause=Clause("OWN 3"), result="push"),
    )
    own = BetRules(title="Own", clause=Clause("OWN 0"), lines=lines, otherwise=Clause("OWN 4"))
    crown = rule_set("crown-baccarat")
    return msgspec.structs.replace(crown, bets={**crown.bets, Bet("own"): own})


@pytest.mark.parametrize("composition", SMALL)
def test_bets_come_out_as_settling_every_sequence_does(composition: Composition) -> None:
    terms = Terms(with_a_bet_on_everything())
    study, coming = Study.of(terms), NextCoup(composition)
    sequences = walk(composition)
    odds = study.odds(coming)
    assert set(odds) == set(terms.bets)
    for bet in terms.bets:
        found = [(terms.rulings(coup)[bet], count) for coup, count in sequences.items()]
        mean = Fraction(sum(net(ruling) * count for ruling, count in found), coming.total)
        square = Fraction(sum(net(ruling) ** 2 * count for ruling, count in found), coming.total)
        assert odds[bet].house_edge == -mean
        assert odds[bet].variance == square - mean**2
        for outcome in Outcome:
            hits = sum(count for ruling, count in found if ruling.outcome is outcome)
            assert odds[bet].probability(outcome) == Fraction(hits, coming.total)


@pytest.mark.parametrize("composition", SMALL[:4])
def test_covariance_is_that_of_settling_every_sequence(composition: Composition) -> None:
    terms = Terms(with_a_bet_on_everything())
    study, coming, sequences = Study.of(terms), NextCoup(composition), walk(composition)
    for one, other in [("player", "banker"), ("tie", "player_pair"), ("own", "super_6"), ("own", "own")]:
        together = x = y = Fraction(0)
        for coup, count in sequences.items():
            rulings = terms.rulings(coup)
            mine, theirs = net(rulings[Bet(one)]), net(rulings[Bet(other)])
            together, x, y = together + count * mine * theirs, x + count * mine, y + count * theirs
        expected = together / coming.total - x * y / coming.total**2
        assert study.covariance(one, other, coming) == expected


@pytest.mark.parametrize("identity", IDS)
def test_a_bet_covaries_with_itself_by_its_variance(identity: str) -> None:
    study, coming = _study(identity), _fresh(8)
    for name, odds in study.odds(coming).items():
        assert study.covariance(name, name, coming) == odds.variance


@given(composition=compositions)
@settings(max_examples=20)
def test_removals_that_nobody_sees_change_nothing_on_average(composition: Composition) -> None:
    """A card burned unseen does not change the odds, so the effects weighted by the cards left add up to zero."""
    study = _study("crown-baccarat")
    assume(composition.size > 6)
    copies = {name: count for name, count in zip(_names(), composition.cards, strict=True) if count}
    for effects in effects_of_removal(study, composition).values():
        assert sum(copies[card] * effect for card, effect in effects.items()) == 0


def _names() -> list[str]:
    return [card.notation for card in full_shoe(1)]


def test_a_bet_that_always_pushes_has_no_edge_of_what_is_resolved() -> None:
    only_nines = Composition.read({"9S": 8}, 8)
    player = Study.of(Terms(rule_set("mbs-baccarat"))).odds(NextCoup(only_nines))["player"]
    assert player.push == 1
    assert player.house_edge == 0
    assert player.house_edge_resolved is None


def test_ranks_alone_answer_all_but_the_bets_on_suits() -> None:
    study = Study.of(Terms(rule_set("crown-baccarat")))
    by_card = study.odds(_fresh(8))
    by_rank = study.odds(NextCoup(Composition.read(dict.fromkeys("A23456789TJQK", 32), 8)))
    assert set(by_card) - set(by_rank) == {"player_perfect_pairs", "banker_perfect_pairs"}
    assert all(by_rank[name].house_edge == by_card[name].house_edge for name in by_rank)


@pytest.mark.parametrize("by_face_value", [False, True])
def test_before_each_coup_everything_unseen_may_come(by_face_value: bool) -> None:
    cards = list(full_shoe(8))
    random.Random(5).shuffle(cards)
    burned = burn(cards, by_face_value=by_face_value)
    seen = [] if burned.shown is None else [burned.shown]
    number = 0
    for number, before in enumerate(before_each_coup(cards, rule_set("crown-baccarat").shoe, burned, 20), 1):
        assert before.dealt.number == number
        assert before.unseen == Composition.of(cards).without(seen)
        seen += before.dealt.coup.cards
    assert number > 60
