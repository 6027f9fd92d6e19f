"""The virtual shoe: an unbiased order from entropy, a commitment that binds it, and a file that only the key opens."""

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.basics.mistake import Mistake
from sabot.floor.virtual.locked_shoe import KEY_BYTES, NONCE_BYTES, lock, unlock
from sabot.floor.virtual.shoe import ENTROPY_BYTES, shuffle
from sabot.rules.cards import DECK
from sabot.table.shoe.commitment import Committed, place_of, proves, wrong_with_opening
from tests.floor.virtual_play import entropy, shoe_of

KEY, NONCE = bytes(range(KEY_BYTES)), bytes(NONCE_BYTES)


def test_each_card_comes_equally_often_to_each_place() -> None:
    """Chi-square over 52 cards at each of some places: 51 degrees of freedom, 99.9% of fair shuffles below 87.97."""
    shoes = [shoe_of(seed, decks=1).order for seed in range(2_000)]
    for place in (0, 1, 17, 50, 51):
        found = Counter(order[place] for order in shoes)
        expected = len(shoes) / 52
        chi_square = sum((found[card.notation] - expected) ** 2 / expected for card in DECK)
        assert chi_square < 87.97, (place, chi_square)


def test_neighbours_are_as_often_in_order_as_not() -> None:
    """Runs up: in a fair order each pair of neighbours rises with probability one half, within five sigma."""
    rank = {card.notation: place for place, card in enumerate(DECK)}
    orders = [shoe_of(seed, decks=1).order for seed in range(1_000)]
    rises = sum(rank[first] < rank[second] for order in orders for first, second in itertools.pairwise(order))
    sigma = (53 / 12 * len(orders)) ** 0.5  # The rises of one fair order of 52 cards vary by (52 + 1) / 12.
    assert abs(rises - 51 * len(orders) / 2) < 5 * sigma


def test_the_order_follows_from_the_entropy_and_from_all_of_it() -> None:
    drawn = entropy(1)
    assert shuffle("T1", 1, 8, drawn).order == shuffle("T1", 1, 8, drawn).order
    for at in (0, 100, 511):
        other = bytearray(drawn)
        other[at] ^= 1
        assert shuffle("T1", 1, 8, bytes(other)).order != shuffle("T1", 1, 8, drawn).order
    salted = bytearray(drawn)
    salted[-1] ^= 1
    again = shuffle("T1", 1, 8, bytes(salted))
    assert again.order == shuffle("T1", 1, 8, drawn).order
    assert again.commitment != shuffle("T1", 1, 8, drawn).commitment
    with pytest.raises(ValueError, match="544 bytes"):
        shuffle("T1", 1, 8, drawn[:-1])


def test_the_order_of_a_shoe_is_the_one_that_its_entropy_always_gave() -> None:
    """Shoes on record are opened by their order, and a laboratory shuffles them again from their entropy."""
    order = "".join(shoe_of(1).order)
    assert hashlib.sha256(order.encode()).hexdigest() == (
        "4cb751faba8e143d0b7138f93dd1e6c1629494ab4bc470796aa8e0839f710a61"
    )


def _places(cards: int) -> Iterator[int]:
    return iter((0, 1, 2, cards // 2, cards - 2, cards - 1))


@pytest.mark.parametrize("decks", [4, 5, 6, 7, 8])
def test_each_card_is_proved_by_itself_and_nothing_else_is(decks: int) -> None:
    shoe = shoe_of(3, decks=decks)
    cards, root = len(shoe.order), shoe.commitment
    for place in range(cards):
        assert proves(root, place, cards, shoe.order[place], shoe.proof(place))
    for place in _places(cards):
        proof, card = shoe.proof(place), shoe.order[place]
        other = next(one.notation for one in DECK if one.notation != card)
        assert not proves(root, place, cards, other, proof)
        assert not proves(root, (place + 1) % cards, cards, card, proof)
        assert not proves(root, place, cards - 52, card, proof)
        assert not proves(root, place, cards, card, proof.rpartition(".")[0])
        assert not proves(root, place, cards, card, proof + "." + "0" * 64)
        assert not proves(root, place, cards, card, "no proof")
        assert not proves("0" * 64, place, cards, card, proof)


@given(st.integers(1, 415), st.integers(1, 416))
def test_the_cut_turns_the_cards_round_and_loses_none(cut_at: int, position: int) -> None:
    order = list(range(416))
    turned = order[cut_at:] + order[:cut_at]
    assert turned[position - 1] == order[place_of(position, cut_at, 416)]


def test_an_opening_that_differs_in_anything_is_found() -> None:
    shoe = shoe_of(4)
    order, salt = "".join(shoe.order), shoe.salt.hex()
    assert wrong_with_opening(shoe.commitment, 8, order, salt) is None
    first = next(at for at in range(2, len(order), 2) if order[at : at + 2] != order[:2])
    exchanged = order[first : first + 2] + order[2:first] + order[:2] + order[first + 2 :]
    assert "do not come to the commitment" in str(wrong_with_opening(shoe.commitment, 8, exchanged, salt))
    assert "do not come to the commitment" in str(wrong_with_opening(shoe.commitment, 8, order, "0" * 64))
    assert "do not come to the commitment" in str(wrong_with_opening("0" * 64, 8, order, salt))
    assert "the cards of 6 decks" in str(wrong_with_opening(shoe.commitment, 6, order, salt))
    assert "the cards of 8 decks" in str(wrong_with_opening(shoe.commitment, 8, "AS" + order[2:-2] + "AS", salt))
    assert "two letters" in str(wrong_with_opening(shoe.commitment, 8, order + "X", salt))
    assert "64 hexadecimal" in str(wrong_with_opening(shoe.commitment, 8, order, "salt"))


def test_a_shoe_that_is_no_full_shoe_cannot_be_opened_though_it_was_committed_to() -> None:
    """A dealer who commits to too many aces is found out at the opening."""
    stacked = Committed(["AS"] * 416, bytes(32))
    assert "the cards of 8 decks" in str(
        wrong_with_opening(stacked.commitment, 8, "".join(stacked.order), stacked.salt.hex())
    )


def test_a_locked_shoe_comes_back_whole_and_hides_its_order() -> None:
    shoe = shoe_of(5)
    file = lock(shoe, KEY, NONCE)
    back = unlock(file, KEY, "T1", 1)
    assert (back.order, back.salt, back.commitment) == (shoe.order, shoe.salt, shoe.commitment)
    assert "".join(shoe.order[:20]).encode() not in file


@pytest.mark.parametrize(
    ("spoilt", "sentence"),
    [
        (lambda file: file[:-20], "not the file of a shoe"),
        (lambda _: b"", "not the file of a shoe"),
        (lambda _: b"\xff\xfe", "not the file of a shoe"),
        (lambda file: file.replace(b'"sabot_shoe":1', b'"sabot_shoe":2'), "form 2"),
        (lambda file: file.replace(b'"number":1', b'"number":2'), "shoe 2 of table T1, not shoe 1"),
        (lambda file: file.replace(b'"table":"T1"', b'"table":"T2"'), "shoe 1 of table T2, not shoe 1 of table T1"),
        (lambda file: file.replace(b'"nonce":"AA', b'"nonce":"AB'), "key does not open it"),
    ],
)  # fmt: skip
def test_a_spoilt_file_is_told_in_one_sentence(spoilt: object, sentence: str) -> None:
    file = lock(shoe_of(5), KEY, NONCE)
    assert callable(spoilt)
    with pytest.raises(Mistake, match=sentence):
        unlock(spoilt(file), KEY, "T1", 1)


def test_another_key_or_another_shoe_does_not_open_it() -> None:
    file = lock(shoe_of(5), KEY, NONCE)
    with pytest.raises(Mistake, match="key does not open it"):
        unlock(file, bytes(KEY_BYTES), "T1", 1)
    moved = lock(shoe_of(5, number=2), KEY, NONCE).replace(b'"number":2', b'"number":1')
    with pytest.raises(Mistake, match="key does not open it"):
        unlock(moved, KEY, "T1", 1)


def test_entropy_is_more_than_the_orders_of_eight_decks_need() -> None:
    orders = 1
    for number in range(2, 417):
        orders *= number
    assert orders.bit_length() == 3_025
    assert orders.bit_length() < (ENTROPY_BYTES - 32) * 8
