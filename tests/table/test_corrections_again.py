"""Corrections on top of corrections, and of coups whose excess card still waits: every card is counted once."""

import pytest

from sabot.floor.lines.table import LineTable
from sabot.rules.cards import CARDS
from sabot.rules.coup import read_coup
from tests.table.playing import play_coup, table_with_money
from tests.table.test_money_paths import refused, say
from tests.table.test_money_paths import table as table  # noqa: PLC0414  # The fixture.

FIVE = ("2S", "4H", "3D", "3C", "3S")
"""Player 5 draws a three to 8, Banker 7 stands."""
FOUR_AND_ONE = ("6S", "4H", "3D", "3C", "3S")
"""Player 9 is a natural: the fifth card falls to nobody."""
NATURAL = ("9S", "2D", "KH", "3C")


def play(table: LineTable, cards: tuple[str, ...], *, confirm: bool = True) -> None:
    say(table, do="open", by="D1")
    say(table, do="set_wager", station="A1", bet="player", cents=2500)
    for card in cards:
        say(table, do="card", by="D1", card=card)
    if confirm:
        say(table, do="confirm", by="D1")


def correct(table: LineTable, coup: int, cards: tuple[str, ...]) -> None:
    say(table, do="correct", by="D1", coup=coup, cards=list(cards))
    say(table, do="recalculate", by="D1")


def counted(table: LineTable) -> tuple[dict[str, int], int, tuple[str | None, ...]]:
    shoe = table.state.shoe
    return {card: copies for card, copies in shoe.census.items() if copies}, shoe.out, shoe.carried


@pytest.mark.clause("G-110")
def test_a_correction_that_was_wrong_itself_is_taken_back_with_the_card_it_left_over(table: LineTable) -> None:
    play(table, FIVE)
    before, balance = counted(table), table.state.purse("A1").balance
    say(table, do="freeze", by="D1")
    correct(table, 1, FOUR_AND_ONE)
    assert counted(table)[2] == ("3S",)
    correct(table, 1, FOUR_AND_ONE)
    assert counted(table)[2] == ("3S",)
    correct(table, 1, FIVE)
    assert (counted(table), table.state.purse("A1").balance) == (before, balance)
    say(table, do="unfreeze", by="D1")
    assert table.state.coup is None


@pytest.mark.clause("G-110", "G-91")
def test_it_is_taken_back_too_when_a_later_coup_has_been_played(table: LineTable) -> None:
    play(table, FIVE)
    play(table, NATURAL)
    before, balance = counted(table), table.state.purse("A1").balance
    say(table, do="freeze", by="D1")
    correct(table, 1, FOUR_AND_ONE)
    line = {"do": "correct", "by": "D1", "coup": 1}
    assert refused(table, **line, cards=list(FOUR_AND_ONE[:4])) == "cards_drawn"
    correct(table, 1, FIVE)
    assert (counted(table), table.state.purse("A1").balance) == (before, balance)


@pytest.mark.clause("CROWN 11.2 first sentence", "G-70", "G-110")
def test_an_unseen_card_that_waits_is_the_one_that_was_missing(table: LineTable) -> None:
    play(table, NATURAL, confirm=False)
    say(table, do="fact", by="D1", kind="excess_card_unseen")
    say(table, do="resolve", by="D1", id="carry")
    say(table, do="confirm", by="D1")
    _, out, waiting = counted(table)
    assert waiting == (None,)
    say(table, do="freeze", by="D1")
    correct(table, 1, ("7S", "2D", "KH", "3C", "8H"))
    assert counted(table) == ({"7S": 1, "2D": 1, "KH": 1, "3C": 1, "8H": 1}, out, ())


@pytest.mark.clause("CROWN 11.16", "G-96")
def test_the_newest_coup_is_reversed_after_an_older_one_was_corrected(table: LineTable) -> None:
    play(table, NATURAL)
    play(table, NATURAL)
    say(table, do="fault", by="D1", station="A1")
    say(table, do="freeze", by="D1")
    correct(table, 1, ("8S", *NATURAL[1:]))
    say(table, do="unfreeze", by="D1")
    balance = table.state.purse("A1").balance
    say(table, do="seen", by="A1", wagers={"player": 5000})
    say(table, do="cannot_confirm", by="GS1", station="A1", reason="the screen shows 50")
    assert table.state.purse("A1").balance == balance - 2500


@pytest.mark.clause("MBS-R 5.2", "G-98")
def test_the_newest_coup_is_void_for_its_number_of_cards_after_an_older_one_was_corrected() -> None:
    talk = table_with_money("mbs-rapid-no-commission")
    coup = read_coup([CARDS[card] for card in NATURAL])
    for _ in range(2):
        play_coup(talk, [{"player": 2500}], coup)
    lines: list[dict[str, object]] = [
        {"do": "freeze", "by": "D1"},
        {"do": "correct", "by": "D1", "coup": 1, "cards": ["8S", *NATURAL[1:]]},
        {"do": "recalculate", "by": "D1"},
        {"do": "unfreeze", "by": "D1"},
        {"do": "fact", "by": "D1", "kind": "wrong_number_of_cards", "reconstructible": False},
        {"do": "resolve", "by": "GS1", "id": "void"},
    ]
    for line in lines:
        answer = talk.answer(line)
        assert answer.ok, (line, answer.refusal)
    assert talk.state.purse("P1").balance == 100_000 + 2500
