"""Bets on every condition that a pay line can state, against an enumeration that knows nothing of the engine.

The oracle below deals every sequence of a small shoe by a table of play and with words of its own.
"""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot.odds.composition import Composition
from sabot.odds.dealing import Dealing
from sabot.odds.next_coup import NextCoup
from sabot.odds.odds_arrays import OddsArrays
from sabot.odds.outcome_class import outcome_classes
from sabot.odds.simulation import Simulation
from sabot.odds.study import Study
from sabot.odds.workers import Threads
from sabot.rules.aspect import Aspect
from sabot.rules.cards import DECK
from sabot.rules.condition import Condition
from sabot.rules.coup import Coup
from sabot.rules.odds import Odds
from sabot.rules.part import Clause
from sabot.rules.reach import coups_of_every_kind
from sabot.rules.rule_set import Bet, BetRules, PayTableLine
from sabot.rules.shipped import rule_set
from sabot.rules.terms import Terms
from tests.chance import coups
from tests.odds.plain_shoes import deal_plainly

When = dict[str, Any]
"""A condition as a rule set file writes it."""

Hands = tuple[tuple[str, ...], tuple[str, ...]]
"""Player's cards and Banker's, each as rank and suit."""

# The oracle.


def _points(card: str) -> int:
    return "A23456789".find(card[0]) + 1


def _count(hand: tuple[str, ...]) -> int:
    return sum(map(_points, hand)) % 10


_BANKER_DRAWS = {3: "0123456790", 4: "234567", 5: "4567", 6: "67"}
"""The points of Player's third card on which Banker draws with so many."""


def _deal(p1: str, b1: str, p2: str, b2: str, fifth: str, sixth: str) -> Hands:
    player, banker = (p1, p2), (b1, b2)
    mine, theirs = _count(player), _count(banker)
    if mine > 7 or theirs > 7:
        return player, banker
    if mine > 5:
        return player, (*banker, fifth) if theirs <= 5 else banker
    draws = theirs < 3 or (theirs < 7 and str(_points(fifth)) in _BANKER_DRAWS[theirs])
    return (*player, fifth), (*banker, sixth) if draws else banker


def _pair(hand: tuple[str, ...], wanted: object) -> bool:
    first, second = hand[:2]
    red = [card[1] in "HD" for card in (first, second)]
    kind = "perfect" if first[1] == second[1] else "coloured" if red[0] == red[1] else "mixed"
    return first[0] == second[0] and wanted in ("any", kind)


def _is_one_of(card: str, written: str) -> bool:
    ranks = [sign for sign in written if sign in "A23456789TJQK"]
    suits = [sign for sign in written if sign in "SHDC"]
    return (not ranks or card[0] in ranks) and (not suits or card[1] in suits)


def _start(hand: tuple[str, ...], wanted: str) -> bool:
    first, second = hand[:2]
    words = wanted.split()
    about = words.pop() if words[-1].islower() else ""
    alike = {"suited": first[1] == second[1], "red": {first[1], second[1]} <= {"H", "D"}}
    alike |= {"black": {first[1], second[1]} <= {"S", "C"}, "": True}
    sets = words or ["*", "*"]
    return alike[about] and any(_is_one_of(a, sets[0]) and _is_one_of(b, sets[1]) for a, b in permutations(hand[:2]))


def _third(hand: tuple[str, ...], wanted: str) -> bool:
    if len(hand) < 3:
        return False
    flush = len({card[1] for card in hand}) == 1
    return _is_one_of(hand[2], wanted.replace("suited", "")) and (flush or "suited" not in wanted)


def _between(number: int, wanted: object) -> bool:
    first, *last = str(wanted).split("-")
    return int(first) <= number <= int((last or [first])[0])


def _holds(hands: Hands, when: When) -> bool:
    player, banker = hands
    mine, theirs = _count(player), _count(banker)
    winner = "tie" if mine == theirs else "player" if mine > theirs else "banker"
    winning = {"tie": [player, banker], "player": [player], "banker": [banker]}[winner]
    said: dict[str, Callable[[object], bool]] = {
        "winner": lambda want: winner == want,
        "total": lambda want: _between(max(mine, theirs), want),
        "natural": lambda want: all((len(hand) == 2 and _count(hand) >= 8) == want for hand in winning),
        "cards": lambda want: all(len(hand) == want for hand in winning),
        "margin": lambda want: abs(mine - theirs) == want,
        "coup_cards": lambda want: _between(len(player) + len(banker), want),
        "player_pair": lambda want: _pair(player, want),
        "banker_pair": lambda want: _pair(banker, want),
        "either_pair": lambda want: _pair(player, want) or _pair(banker, want),
        "same_pair": lambda want: (
            (_pair(player, "any") and _pair(banker, "any") and player[0][0] == banker[0][0]) == want
        ),
        "player_third": lambda want: _third(player, str(want)),
        "banker_third": lambda want: _third(banker, str(want)),
        "player_total": lambda want: _between(mine, want),
        "banker_total": lambda want: _between(theirs, want),
        "player_cards": lambda want: len(player) == want,
        "banker_cards": lambda want: len(banker) == want,
        "player_start": lambda want: _start(player, str(want)),
        "banker_start": lambda want: _start(banker, str(want)),
    }
    return all(said[name](want) for name, want in when.items())


@cache
def _sequences(cards: tuple[str, ...]) -> Counter[Hands]:
    return Counter(_deal(*six) for six in permutations(cards, 6))


# What is compared with it.

CONDITIONS: list[When] = [
    *({"coup_cards": cards} for cards in (4, 5, 6, "4-5", "5-6")),
    *({"winner": winner, "total": total} for winner in ("player", "banker", "tie") for total in (6, "0-5", "6-8")),
    *({"winner": winner, "cards": cards} for winner in ("player", "banker", "tie") for cards in (2, 3)),
    *({"either_pair": kind} for kind in ("any", "mixed", "coloured", "perfect")),
    {"player_pair": "any", "banker_pair": "any"},
    {"player_pair": "perfect", "banker_pair": "mixed"},
    {"same_pair": True},
    {"same_pair": False, "player_pair": "any", "banker_pair": "any"},
    {"same_pair": True, "either_pair": "perfect"},
    *({"player_third": rank} for rank in "A89K"),
    *({"banker_third": rank} for rank in "5TJ"),
    {"player_third": "9", "banker_third": "9"},
    {"player_third": "T", "winner": "player", "total": "6-9"},
    {"banker_third": "Q", "either_pair": "any"},
    {"player_third": "2", "same_pair": True},
    {"coup_cards": 6, "either_pair": "coloured"},
    {"winner": "tie", "total": "6-9", "coup_cards": 4, "player_pair": "any"},
    *({f"{side}_total": total} for side in ("player", "banker") for total in (0, 7, "8-9")),
    {"player_total": "8-9", "banker_total": "8-9"},
    {"banker_cards": 3, "banker_total": 7, "winner": "player"},
    {"player_cards": 3, "player_total": 6, "winner": "tie"},
    {"player_third": "8", "banker_cards": 2, "banker_total": 3},
    *({"player_third": card} for card in ("9H", "JQK", "HD", "KQSC", "suited", "9 suited")),
    {"banker_third": "suited", "player_third": "5HD"},
    {"banker_third": "9C", "either_pair": "perfect"},
    *({"player_start": start} for start in ("9 JQK", "9 JQK suited", "suited", "red", "black", "9S KH", "* 9", "8 8")),
    {"player_start": "9 TJQK suited", "banker_start": "9 TJQK"},
    {"banker_start": "A2345 6789 red", "same_pair": True},
    {"banker_start": "* *", "same_pair": False, "player_start": "TJQK TJQK suited"},
    {"winner": "player", "natural": True, "total": 9, "player_start": "red"},
    {"player_start": "suited", "player_third": "suited", "banker_start": "9 *"},
]
_FEW = [
    *("AS 2S 3H 4D 5C 6S 9S", "TS TS KS KH QD JC TH", "9S 9S 8H 8D KC KC 9H"),
    *("2S 3S 2H 3H 9C 8C 9D", "AS AH AS AC 9C 9D 5H", "9S KS 9S QS 9H 2S 4S"),
]
_any_few = st.lists(st.sampled_from(DECK), min_size=6, max_size=7)
shoes = st.one_of(st.sampled_from(_FEW), _any_few.map(lambda drawn: " ".join(card.notation for card in drawn)))


def _lines(*conditions: When) -> tuple[PayTableLine, ...]:
    return tuple(
        PayTableLine(
            name=f"Line {number}", when=msgspec.convert(when, Condition), clause=Clause("OWN 1"), pays=(Odds(number),)
        )
        for number, when in enumerate(conditions, 2)
    )


def _terms(**bets: tuple[PayTableLine, ...]) -> Terms:
    crown = rule_set("crown-baccarat")
    own = {
        Bet(name): BetRules(title=name, clause=Clause("OWN 0"), lines=lines, otherwise=Clause("OWN 2"))
        for name, lines in bets.items()
    }
    return Terms(msgspec.structs.replace(crown, bets={**crown.bets, **own}))


def _composition(cards: str) -> Composition:
    return Composition.of(next(one for one in DECK if one.notation == word) for word in cards.split())


@pytest.mark.parametrize("when", CONDITIONS, ids=str)
def test_every_condition_is_counted_as_every_sequence_has_it(when: When) -> None:
    study = Study.of(_terms(own=_lines(when)))
    for cards in _FEW:
        sequences = _sequences(tuple(cards.split()))
        hits = sum(count for hands, count in sequences.items() if _holds(hands, when))
        assert study.odds(NextCoup(_composition(cards)))["own"].win == Fraction(hits, sequences.total()), cards


@given(cards=shoes, whens=st.lists(st.sampled_from(CONDITIONS), min_size=2, max_size=3, unique_by=str))
@settings(max_examples=settings().max_examples // 4)
def test_bets_of_several_lines_have_the_mean_and_covariance_of_every_sequence(cards: str, whens: list[When]) -> None:
    mine, theirs = whens[:-1], whens[-1:]
    terms = _terms(mine=_lines(*mine), theirs=_lines(*theirs))
    study, coming, sequences = Study.of(terms), NextCoup(_composition(cards)), _sequences(tuple(cards.split()))

    def net(hands: Hands, lines: list[When]) -> int:
        return next((pays for pays, when in enumerate(lines, 2) if _holds(hands, when)), -1)

    nets = [(net(hands, mine), net(hands, theirs), count) for hands, count in sequences.items()]
    total = sequences.total()
    x, y = (Fraction(sum(row[place] * row[2] for row in nets), total) for place in (0, 1))
    together = Fraction(sum(a * b * count for a, b, count in nets), total)
    assert study.odds(coming)["mine"].mean == x
    assert study.odds(coming)["theirs"].mean == y
    assert study.covariance("mine", "theirs", coming) == together - x * y
    arrays = OddsArrays(study, np.array([coming.composition.cards] * 2))
    assert arrays.exact_house_edge("mine", 1) == -x


RANKS = Aspect.ALL | Aspect(
    same_pair=True, player_thirds=("8", "K"), banker_thirds=("9", "T"), banker_starts=("9 JQK",)
)
SUITS = Aspect.ALL | Aspect(
    same_pair=True,
    player_thirds=("8S", "suited"),
    banker_thirds=("T",),
    player_starts=("9 JQK suited",),
    banker_starts=("9 JQK",),
)


def _told(aspect: Aspect, coup: Coup) -> tuple[object, ...]:
    """All that the aspect tells of a coup."""
    player, banker = coup.player, coup.banker
    basic = (player.total, len(player.cards), player.pair, banker.total, len(banker.cards), banker.pair)
    return (*basic, *aspect.finer_class(coup))


@cache
def _places(aspect: Aspect) -> dict[tuple[object, ...], int]:
    """Where each outcome class stands, by what it tells of itself; the first, where later ones cannot be dealt."""
    return {_told(aspect, one): place for place, one in reversed(list(enumerate(outcome_classes(aspect))))}


@cache
def _kinds(aspect: Aspect) -> dict[tuple[object, ...], Coup]:
    return {_told(aspect, one): one for one in coups_of_every_kind(aspect)}


@pytest.mark.parametrize("aspect", [RANKS, SUITS], ids=["ranks", "suits"])
def test_what_is_told_apart_beside_pairs_is_dealt_from_the_same_shoes(aspect: Aspect) -> None:
    dealing = Dealing.of(rule_set("crown-baccarat"), 8, told_apart=aspect)
    histogram = Simulation(dealing=dealing, seed=5, shoes=24).run(Threads(1), lambda _: None)
    plain = [coup for shoe in deal_plainly(dealing, 5, range(24)) for coup in shoe.coups]
    places = [_places(aspect)[_told(aspect, coup)] for coup in plain]
    assert histogram.weights(aspect) == np.bincount(places, minlength=len(outcome_classes(aspect))).tolist()
    kernel = Simulation(dealing=Dealing.of(rule_set("crown-baccarat"), 8), seed=5, shoes=24)
    both = Aspect.ENDING if aspect.asks_for_suits else Aspect.ALL
    assert histogram.weights(both) == kernel.run(Threads(1), lambda _: None).weights(both)


@pytest.mark.parametrize("aspect", [RANKS, SUITS], ids=["ranks", "suits"])
def test_a_histogram_is_folded_to_what_is_asked(aspect: Aspect) -> None:
    dealing = Dealing.of(rule_set("crown-baccarat"), 8, told_apart=aspect)
    histogram = Simulation(dealing=dealing, seed=6, shoes=12).run(Threads(1), lambda _: None)
    coups = [coup for shoe in deal_plainly(dealing, 6, range(12)) for coup in shoe.coups]
    for fewer in (
        Aspect(ending=True, player_thirds=aspect.player_thirds[:1]),
        Aspect(banker_starts=("9 JQK",)),
        Aspect.BOTH_PAIRS,
    ):
        ruled = Counter(_told(fewer, coup)[6:] for coup in coups) if fewer.asks_for_cards else Counter()
        weights = histogram.weights(fewer)
        assert sum(weights) == len(coups)
        for told, number in ruled.items():
            classes = zip(outcome_classes(fewer), weights, strict=True)
            assert number == sum(weight for one, weight in classes if weight and _told(fewer, one)[6:] == told)


@given(coup=coups)
def test_a_coup_is_ruled_as_its_class_and_its_kind_are(coup: Coup) -> None:
    """Studies and reaches rely on this, also with third cards, first cards and pairs of one rank."""
    own = _lines(
        *({"same_pair": True}, {"player_third": "8S"}, {"banker_third": "T", "either_pair": "any"}),
        *({"player_start": "9 JQK suited"}, {"banker_start": "9 JQK"}, {"player_third": "suited"}),
    )
    terms = _terms(own=own)
    found = terms.rulings(coup)[Bet("own")]
    for alike in (outcome_classes(SUITS)[_places(SUITS)[_told(SUITS, coup)]], _kinds(SUITS)[_told(SUITS, coup)]):
        assert Terms(terms.rule_set).rulings(alike)[Bet("own")] == found
