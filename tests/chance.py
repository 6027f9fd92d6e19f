"""What Hypothesis draws: cards, coups, results."""

from hypothesis import strategies as st

from sabot.roads.result import CoupResult
from sabot.rules.cards import DECK
from sabot.rules.coup import read_in_shoe_order

cards = st.sampled_from(DECK)


six_cards = st.lists(cards, min_size=6, max_size=6)
coups = six_cards.map(lambda drawn: read_in_shoe_order(drawn)[0])
results = st.builds(
    CoupResult,
    st.sampled_from("BBBBPPPPT"),
    player_pair=st.booleans(),
    banker_pair=st.booleans(),
    natural=st.booleans(),
)
shoes = st.lists(results, max_size=90)
