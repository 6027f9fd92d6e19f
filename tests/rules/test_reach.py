"""The reach of one coup: no lawful wager goes further, and the bounds are reached where the purse covers the maxima."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.basics.money import Cents
from sabot.odds import exact
from sabot.odds.composition import Composition
from sabot.rules.aspect import Aspect
from sabot.rules.coup import Coup
from sabot.rules.limits import Limits
from sabot.rules.reach import coups_of_every_kind, reach_of
from sabot.rules.rule_set import Bet
from sabot.rules.shipped import IDS, rule_set
from sabot.rules.terms import Terms
from tests.chance import coups

MAXIMA = {"player": 100_000, "banker": 80_000, "tie": 20_000, "player_pair": 10_000, "super_6": 4_000}


def _limits(**maxima: int) -> dict[Bet, Limits]:
    return {Bet(bet): Limits(Cents(500), Cents(500), Cents(maximum)) for bet, maximum in maxima.items()}


def _all_bets(terms: Terms) -> dict[Bet, Limits]:
    return _limits(**{bet: MAXIMA.get(bet, 6_000) for bet in terms.bets})


def _net(terms: Terms, wagers: Mapping[Bet, int], coup: Coup) -> int:
    return sum(one.net_cents for one in terms.settle(wagers, coup))


@pytest.mark.clause("CROWN 12.3.5(a)")
@pytest.mark.parametrize(
    ("identity", "maxima", "balance", "gained", "lost"),
    [
        ("crown-traditional", (50_000, 50_000, 10_000), 120_000, 80_000, 60_000),
        ("crown-traditional", (50_000, 50_000, 50_000), 120_000, 400_000, 100_000),
        ("crown-traditional", (50_000, 50_000, 10_000), 5_000, 40_000, 5_000),
        ("crown-traditional", (50_000, 50_000, 10_000), 0, 0, 0),
        ("crown-traditional", (0, 50_000, 0), 100_000, 47_500, 50_000),
        ("crown-baccarat", (0, 50_000, 0), 100_000, 50_000, 50_000),
        ("crown-baccarat", (20_000, 20_000, 5_000), 200_000, 40_000, 25_000),
    ],
)
def test_gain_and_loss_of_player_banker_and_tie(
    identity: str, maxima: tuple[int, ...], balance: int, gained: int, lost: int
) -> None:
    named = {bet: most for bet, most in zip(("player", "banker", "tie"), maxima, strict=True) if most}
    reach = reach_of(Terms(rule_set(identity)), _limits(**named))
    assert (reach.gain(balance), reach.loss(balance)) == (gained, lost)


def test_a_compulsory_wager_can_cost_more_than_what_is_lost() -> None:
    reach = reach_of(Terms(rule_set("crown-traditional")), _limits(tie=1_000))
    assert [reach.loss(balance, 5_000) for balance in (9_000, 4_000, 0, -300)] == [5_000, 4_000, 0, 0]
    assert reach.loss(9_000) == 1_000
    assert reach.gain(-300) == 0


def test_no_bets_reach_nothing() -> None:
    reach = reach_of(Terms(rule_set("crown-traditional")), {})
    assert (reach.gain(10**6), reach.loss(10**6)) == (0, 0)


def test_the_best_face_of_all_side_bets_together() -> None:
    """Player wins by nine without a natural, and both hands begin with perfect pairs."""
    terms = Terms(rule_set("crown-traditional"))
    reach = reach_of(terms, _limits(**dict.fromkeys(terms.bets, 1_000)))
    assert reach.gain(10**6) == 1_000 * (30 + 25 + 25 + 11 + 11 + 1)
    assert reach.gain(1_000) == 30_000
    assert reach.gain(1_500) == 30_000 + 25 * 500


def test_every_ending_that_can_be_dealt_is_looked_at_and_no_other() -> None:
    cells = exact.count(Composition.fresh(8)).cells
    dealt = {
        exact.cell(len(coup.player.cards) == 3, len(coup.banker.cards) == 3, coup.player.total, coup.banker.total)
        for coup in coups_of_every_kind(Aspect.ENDING)
    }
    assert dealt == {cell for cell, count in enumerate(cells) if count}


def _kind(coup: Coup) -> tuple[object, ...]:
    player, banker = coup.player, coup.banker
    return (player.total, len(player.cards), player.pair, banker.total, len(banker.cards), banker.pair)


@given(coups)
def test_every_coup_is_of_a_kind_that_is_looked_at(coup: Coup) -> None:
    assert _kind(coup) in _KINDS


_KINDS = {_kind(coup) for coup in coups_of_every_kind(Aspect.ALL)}


@pytest.mark.parametrize("identity", IDS)
def test_the_bounds_are_reached_by_the_maxima_of_some_coup(identity: str) -> None:
    terms = Terms(rule_set(identity))
    limits = _all_bets(terms)
    reach = reach_of(terms, limits)
    stakes = {bet: limit.maximum for bet, limit in limits.items()}
    nets = [[one.net_cents for one in terms.settle(stakes, coup)] for coup in coups_of_every_kind(Aspect.ALL)]
    assert reach.gain(10**9) == max(sum(net for net in one if net > 0) for one in nets)
    assert reach.loss(10**9) == max(-sum(net for net in one if net < 0) for one in nets)


@st.composite
def _plays(draw: st.DrawFn) -> tuple[Terms, dict[Bet, Limits], int, dict[Bet, int]]:
    """A rule set, and lawful stakes on some bets within a balance."""
    identity = draw(st.sampled_from(IDS))
    terms = Terms(rule_set(identity))
    limits = _all_bets(terms)
    balance = left = draw(st.integers(0, 150_000))
    wagers = {}
    for bet in draw(st.permutations(list(limits))):
        stake = limits[bet].permitted(draw(st.integers(0, left)))
        if stake:
            wagers[bet] = int(stake)
            left -= stake
    return terms, limits, balance, wagers


@given(_plays(), coups)
def test_no_wager_within_the_limits_and_the_balance_goes_further(
    play: tuple[Terms, dict[Bet, Limits], int, dict[Bet, int]], coup: Coup
) -> None:
    terms, limits, balance, wagers = play
    reach = reach_of(terms, limits)
    assert -reach.loss(balance) <= _net(terms, wagers, coup) <= reach.gain(balance)


@given(st.integers(0, 300_000), st.integers(0, 6), st.sampled_from([0, 5_000, 500_000]))
def test_several_coups_reach_what_they_reach_one_by_one(balance: int, left: int, compulsory: int) -> None:
    terms = Terms(rule_set("crown-traditional"))
    reach = reach_of(terms, _all_bets(terms))
    low = high = balance
    for _ in range(left):
        low -= reach.loss(low, compulsory)
        high += reach.gain(high)
    assert (reach.lowest(balance, left, compulsory), reach.highest(balance, left)) == (low, high)


@given(st.integers(0, 300_000), st.integers(0, 300_000))
def test_more_balance_never_ends_lower(one: int, other: int) -> None:
    """So bounds may be worked out coup by coup."""
    terms = Terms(rule_set("crown-traditional"))
    reach = reach_of(terms, _all_bets(terms))
    less, more = sorted((one, other))
    assert less + reach.gain(less) <= more + reach.gain(more)
    assert less - reach.loss(less, 5_000) <= more - reach.loss(more, 5_000)
