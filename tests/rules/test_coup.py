"""Reading a coup: hands, totals, naturals, winner, margin, and the cards left over."""

import itertools
from collections import Counter
from functools import cache
from math import perm, prod

import pytest
from hypothesis import assume, given

from sabot.basics.mistake import Mistake
from sabot.rules.cards import DECK, Card, read_cards, write_cards
from sabot.rules.coup import Coup, TooFewCards, Winner, next_card, read_coup, read_in_shoe_order
from sabot.rules.hand import Pair
from tests.chance import coups, six_cards
from tests.tables import rows

BY_POINTS: dict[int, Card] = {card.points: card for card in DECK}


@given(coups)
def test_totals_are_the_last_digit_of_the_points(coup: Coup) -> None:
    for hand in (coup.player, coup.banker):
        assert hand.total == sum(card.points for card in hand.cards) % 10
        assert hand.natural is (len(hand.cards) == 2 and hand.total in (8, 9))
    assert coup.margin == abs(coup.player.total - coup.banker.total)
    assert (coup.winner is Winner.TIE) is (coup.margin == 0)


@given(six_cards)
def test_no_card_is_skipped_or_invented(drawn: list[Card]) -> None:
    coup, left_over = read_in_shoe_order(drawn)
    assert [*coup.cards, *left_over] == drawn
    assert read_coup(coup.cards) == coup


@given(six_cards)
def test_exchanging_the_hands_of_a_four_card_coup_exchanges_the_result(drawn: list[Card]) -> None:
    p1, b1, p2, b2, *_ = drawn
    coup, _ = read_in_shoe_order(drawn)
    assume(len(coup.cards) == 4)
    other = read_coup([b1, p1, b2, p2])
    exchanged = {Winner.PLAYER: Winner.BANKER, Winner.BANKER: Winner.PLAYER, Winner.TIE: Winner.TIE}
    assert (other.player, other.banker) == (coup.banker, coup.player)
    assert (other.winner, other.margin) == (exchanged[coup.winner], coup.margin)


@given(six_cards)
def test_suits_decide_nothing_but_the_kind_of_pair(drawn: list[Card]) -> None:
    coup, _ = read_in_shoe_order(drawn)
    spades, _ = read_in_shoe_order([read_cards([card.rank + "S"])[0] for card in drawn])
    assert (coup.winner, coup.margin, coup.draws) == (spades.winner, spades.margin, spades.draws)
    assert (coup.player.pair is Pair.NONE) is (spades.player.pair is Pair.NONE)


@given(six_cards)
def test_guidance_and_reading_agree_on_every_partial_deal(drawn: list[Card]) -> None:
    coup, _ = read_in_shoe_order(drawn)
    needed = len(coup.cards)
    for dealt in range(needed):
        decision = next_card(drawn[:dealt])
        assert decision is not None
        assert drawn[dealt] in (coup.player if decision.side == "player" else coup.banker).cards
        with pytest.raises(TooFewCards):
            read_in_shoe_order(drawn[:dealt])
    assert next_card(drawn[:needed]) is None


@pytest.mark.clause("G-13")
@pytest.mark.parametrize(
    ("first", "second", "pair"),
    [
        ("8S", "8H", "mixed"),
        ("8S", "8C", "coloured"),
        ("8H", "8D", "coloured"),
        ("8S", "8S", "perfect"),
        ("TS", "KD", "none"),
        ("JS", "QS", "none"),
    ],
)
def test_ranks_pair_not_points(first: str, second: str, pair: str) -> None:
    assert Pair.of(*read_cards([first, second])) == pair


@pytest.mark.parametrize("row", rows("worked_coups.tsv"), ids=lambda row: f"{row['number']}: {row['case']}")
def test_worked_coup_is_read_as_the_rule_books_read_it(row: dict[str, str]) -> None:
    coup = read_coup(read_cards(row["cards"].split()))
    assert coup.winner == row["winner"].lower()
    for hand, expected in ((coup.player, row["player_hand"]), (coup.banker, row["banker_hand"])):
        assert f"{write_cards(hand.cards)} = {hand.total}" == expected.upper()


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ("", "a coup starts with four cards, and there are only 0"),
        ("AS", "a coup starts with four cards, and there is only 1"),
        ("AS KS 2S", "there are only 3"),
        ("2S 4H 3D 3C", "card 5 is missing: Player has 5 and draws"),
        ("2S 4H 3D 2C 7S", "card 6 is missing: Banker has 6 and Player's third card counts 7: Banker draws"),
        ("5S KH 4D QC 8H", "card 5, 8H, belongs to no hand: Player has a natural 9"),
        ("2S 4H 3D 3C 8S 9S", "card 6, 9S, belongs to no hand: Player has 5 and draws; Banker has 7"),
        ("KS TH 5D QC 8D 9S AS", "a coup has at most six cards, and 7 were given"),
    ],
)
def test_too_few_and_too_many_cards_are_refused_with_the_reason(cards: str, sentence: str) -> None:
    with pytest.raises(Mistake, match=sentence):
        read_coup(read_cards(cards.split()))


@pytest.mark.slow
@pytest.mark.parametrize("decks", [4, 6, 8, 10])
def test_every_deal_of_the_whole_shoe_counts_as_published(decks: int) -> None:
    """All sequences of six cards, weighted by their number: an error in any cell of the tables would show here."""
    copies = {points: 16 * decks if points == 0 else 4 * decks for points in range(10)}
    counts: Counter[str] = Counter()
    for points, names in _outcomes_of_all_sequences().items():
        if all(points.count(one) <= copies[one] for one in set(points)):
            weight = prod(perm(copies[one], points.count(one)) for one in set(points))
            counts.update({name: weight * orders for name, orders in names.items()})
    expected = {row["outcome"]: int(row[str(decks)]) for row in rows("exhaustive_counts.tsv")}
    assert counts == expected


@cache
def _outcomes_of_all_sequences() -> dict[tuple[int, ...], Counter[str]]:
    """By the points of six cards: in how many of their orders each outcome comes about, which no deck changes."""
    outcomes = {}
    for points in itertools.combinations_with_replacement(range(10), 6):
        outcomes[points] = Counter(
            name
            for order in set(itertools.permutations(points))
            for name in _published_names(read_in_shoe_order([BY_POINTS[one] for one in order])[0])
        )
    return outcomes


def _published_names(coup: Coup) -> list[str]:
    names = [coup.winner.capitalize()]
    winner = coup.player if coup.winner is Winner.PLAYER else coup.banker
    if coup.winner is Winner.TIE:
        return [*names, "Natural tie"] if winner.natural else names
    names.append(f"{names[0]} natural win" if winner.natural else f"{names[0]} non-natural by {coup.margin}")
    if coup.winner is Winner.BANKER and winner.total == 6:
        names.append("Banker wins on 6")
    return names
