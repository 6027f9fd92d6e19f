"""Returns are held against exact theory: honest evidence never grows on average, and a cheat's does."""

import random
from collections import Counter
from itertools import permutations
from math import exp

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot.integrity.light import Kind, Light, LightState
from sabot.integrity.returns import Returns, ReturnsState
from sabot.integrity.watch import TableWatch
from sabot.odds.composition import Composition
from sabot.rules.cards import DECK, Card
from sabot.rules.coup import read_coup
from sabot.rules.terms import Ruling
from tests.integrity.dealt import TERMS, Stakes, hands, play_shoe, seen

SHOE = list(DECK) * 8
BETS: list[str] = sorted(TERMS.bets)


def _light(returns: Returns, kind: Kind, subject: str = "") -> Light:
    return next(one for one in returns.lights("T1") if (one.kind, one.subject) == (kind, subject))


def _shuffled(seed: int) -> list[Card]:
    order = list(SHOE)
    random.Random(seed).shuffle(order)
    return order


def _stakes() -> st.SearchStrategy[dict[str, dict[str, int]]]:
    cents = st.sampled_from([500, 1_000, 20_000, 1_000_000])
    wagers = st.dictionaries(st.sampled_from(BETS), cents, min_size=1, max_size=4)
    return st.dictionaries(st.sampled_from(["A1", "A2", "A3"]), wagers, min_size=1)


@settings(max_examples=12)
@given(st.lists(st.sampled_from(DECK), min_size=6, max_size=7), _stakes(), _stakes())
def test_over_all_orders_of_a_small_shoe_the_evidence_grows_by_nothing_on_average(
    cards: list[Card], before: Stakes, stakes: Stakes
) -> None:
    """All orders are dealt, so it is the exact expectation given the past, for every subject and every tilt."""
    past = play_shoe(_shuffled(3), before, coups=2)
    unseen = Composition.of(cards)
    coups = _coups_of(cards)
    total: dict[tuple[Kind, str], float] = {}
    now: dict[tuple[Kind, str], float] = {}
    for one, chance in coups.items():
        returns = Returns()
        for coup in past:
            returns.take_coup(coup)
        now = _standing(returns)
        returns.take_coup(seen(stakes, one, unseen, number=3))
        for subject, reached in _standing(returns).items():
            total[subject] = total.get(subject, 0.0) + reached * chance
    for subject, mean in total.items():
        assert mean <= now.get(subject, 1.0) * (1 + 1e-9)


def _coups_of(cards: list[Card]) -> dict[tuple[Card, ...], float]:
    """Coups with their chances, one for each outcome that the bets tell apart, over all orders of these cards."""
    orders = Counter(permutations(cards, 6))
    found: dict[tuple[Ruling, ...], tuple[tuple[Card, ...], int]] = {}
    for order, number in orders.items():
        coup = hands(order)
        outcome = tuple(TERMS.rulings(read_coup(coup)).values())
        found[outcome] = (coup, found.get(outcome, (coup, 0))[1] + number)
    return {coup: number / orders.total() for coup, number in found.values()}


def _standing(returns: Returns) -> dict[tuple[Kind, str], float]:
    """The evidence as it stands, which is not the most that it came to."""
    again = Returns(_kept(returns))
    figures = np.frombuffer(again.state.figures).reshape(-1, len(again.state.subjects))
    return {
        (kind, subject): float(np.exp(figures[:14, column]).mean())
        for column, (kind, subject) in enumerate(again.state.subjects)
    }


def _kept(returns: Returns) -> ReturnsState:
    returns.before_keeping()
    return msgspec.msgpack.decode(msgspec.msgpack.encode(returns.state), type=ReturnsState)


@settings(max_examples=10)
@given(st.sampled_from(["player", "banker", "tie", "player_pair", "super_6"]), st.integers(1, 10**6))
def test_for_a_wager_on_one_bet_the_expectation_is_exactly_one(bet: str, cents: int) -> None:
    """Nothing is given away where one part alone decides."""
    cards = [DECK[place] for place in (0, 13, 5, 7, 20, 33, 46)]
    mean = 0.0
    for one, chance in _coups_of(cards).items():
        returns = Returns()
        returns.take_coup(seen({"A1": {bet: cents * 20}}, one, Composition.of(cards)))
        mean += _standing(returns)[Kind.RETURN_OF_SEAT, "A1"] * chance
    assert mean == pytest.approx(1, abs=1e-9)


def test_the_theoretical_return_is_that_of_the_cards_left() -> None:
    returns = Returns()
    tens = Composition.of([DECK[9]] * 8)
    returns.take_coup(seen({"A1": {"banker": 10_000}}, [DECK[9]] * 6, tens))
    shown = _light(returns, Kind.RETURN_OF_SEAT, "A1").returned
    assert shown is not None
    assert (shown.actual, shown.theoretical, shown.turnover_cents) == (1, 1, 10_000), "tens alone always tie"


def test_a_coup_whose_unseen_cards_are_not_known_shows_nothing_and_is_told() -> None:
    returns, coup = Returns(), play_shoe(_shuffled(1), {"A1": {"banker": 10_000}}, coups=1)[0]
    returns.take_coup(msgspec.structs.replace(coup, unseen=None))
    light = _light(returns, Kind.RETURN_OF_SEAT, "A1")
    assert (light.coups, light.evidence, light.returned) == (0, 1, None)
    assert light.seen.values["skipped"] == 1


def test_an_honest_night_is_quiet_and_theory_lies_in_every_interval() -> None:
    returns = Returns()
    stakes = {f"A{number}": {"banker" if number % 2 else "player": 2_500 * number} for number in range(1, 8)}
    for shoe in range(5):
        for coup in play_shoe(_shuffled(shoe), stakes, coups=60, first=1 + 60 * shoe):
            returns.take_coup(coup)
    for light in returns.lights("T1"):
        assert light.state is LightState.QUIET
        assert light.returned is not None
        assert light.returned.lower < light.returned.theoretical < light.returned.upper
    assert list(returns.raised("T1")) == []


def test_a_seat_that_knows_the_cards_is_found_and_the_others_are_not() -> None:
    """It wagers on the hand that will win in three of four coups."""
    returns, chance, coups = Returns(), random.Random(5), 0
    for shoe in range(10):
        for coup in play_shoe(_shuffled(shoe), {"A1": {"banker": 10_000}, "A2": {"player": 10_000}}, coups=60):
            won = {bet for seat in coup.nets.values() for bet, net in seat.items() if net > 0} or {"banker"}
            bet = won.pop() if chance.random() < 0.75 else chance.choice(["banker", "player"])
            stakes = {**coup.stakes, "A9": {bet: 10_000}}
            cards = [DECK[place] for place in coup.cards]
            returns.take_coup(seen(stakes, cards, coup.unseen, number=coup.coup))
            coups += 1
            if _light(returns, Kind.RETURN_OF_SEAT, "A9").state is LightState.ALARM:
                break
        else:
            continue
        break
    assert coups < 150
    raised = [light.subject for light in returns.raised("T1") if light.state is LightState.ALARM]
    assert "A9" in raised
    assert not {"A1", "A2"} & set(raised)
    shown = _light(returns, Kind.RETURN_OF_SEAT, "A9").returned
    assert shown is not None
    assert shown.lower > shown.theoretical


def test_a_watch_that_is_kept_and_read_again_goes_on_the_same() -> None:
    stakes = {"A1": {"banker": 10_000, "tie": 500}, "A2": {"player": 5_000}}
    coups = play_shoe(_shuffled(9), stakes, coups=40)
    whole, parted = TableWatch("T1"), TableWatch("T1")
    for coup in coups:
        whole.take(coup)
        parted.take(coup)
        if coup.coup % 7 == 0:
            parted = TableWatch("T1", parted.states())
        if coup.coup == 21:
            whole.begin_day()
            parted.begin_day()
    assert whole.states() == parted.states()
    assert whole.lights() == parted.lights()


def test_an_alarm_stands_until_the_gaming_day_ends() -> None:
    returns, cards = Returns(), [DECK[place] for place in (8, 9, 22, 23)]
    for _ in range(40):
        returns.take_coup(seen({"A1": {"player": 10_000}}, cards, Composition.fresh(8)))
    light = _light(returns, Kind.RETURN_OF_SEAT, "A1")
    assert light.state is LightState.ALARM
    assert light.evidence > light.threshold > exp(10)
    returns.begin_day()
    assert _light(returns, Kind.RETURN_OF_SEAT, "A1").evidence == pytest.approx(1)
