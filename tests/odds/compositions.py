"""Compositions to test the solvers with: a Hypothesis strategy, and small ones that can be enumerated."""

import random

import pytest
from hypothesis import strategies as st

from sabot.odds.composition import Composition
from sabot.rules.cards import DECK, read_cards

_a_few = st.lists(st.sampled_from(DECK), min_size=6, max_size=12).map(Composition.of)


@st.composite
def _skewed(draw: st.DrawFn) -> Composition:
    """Some suits and ranks gone, others plentiful, as no dealt shoe would be."""
    most = draw(st.integers(1, 10))
    suits = draw(st.lists(st.integers(0, most), min_size=4, max_size=4))
    ranks = draw(st.lists(st.integers(0, most), min_size=13, max_size=13))
    chance = random.Random(draw(st.integers(0, 2**32)))
    return Composition(tuple(chance.randint(0, min(suit, rank)) for suit in suits for rank in ranks))


compositions = st.one_of(_a_few, _skewed()).filter(lambda one: one.size >= 6)

too_few = st.lists(st.sampled_from(DECK), max_size=5).map(Composition.of)
"""No coup can be dealt from them."""

SMALL = [
    pytest.param(Composition.of(read_cards(cards.split())), id=cards)
    for cards in (
        "AS 2S 3H 4D 5C 6S",
        "AS AS AS AC AC AH",
        "TS TS KS KH QD JC",
        "9S 9S 8H 8D KC KC 9H",
        "2S 3S 4S 5S 2H 3H 4H",
        "TS TS TS TS TS TS TS",
        "6S 6S 6H KS KD 7C 7C",
        "AS AH 4S 4C 4C TD QD",
    )
]
