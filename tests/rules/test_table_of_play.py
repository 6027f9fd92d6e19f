"""The table of play, cell by cell, and that all five documents state the same one."""

import itertools

import msgspec
import pytest

from sabot.rules.cards import DECK, Card
from sabot.rules.coup import next_card, read_in_shoe_order
from sabot.rules.drawing import clauses_by_cell, disagreements
from sabot.rules.hand import Side
from sabot.rules.shipped import all_rule_sets, rule_set
from sabot.rules.table_of_play import BANKER_DECISIONS, NO_CARD, PLAYER_DECISIONS, TABLE_1, TABLE_2

BY_POINTS: dict[int, Card] = {card.points: card for card in DECK}

DRAWS_WHEN_PLAYER_DREW = {
    # Banker's count: the points of Player's third card on which Banker draws, as any primer of the game has them.
    0: set(range(10)),
    1: set(range(10)),
    2: set(range(10)),
    3: set(range(10)) - {8},
    4: {2, 3, 4, 5, 6, 7},
    5: {4, 5, 6, 7},
    6: {6, 7},
    7: set(),
}


@pytest.mark.clause("CROWN 9 Table 1 row 0–5", "CROWN 9 Table 1 row 6–7", "CROWN 9.2.1", "CROWN 9.2.2")
def test_every_cell_of_table_1() -> None:
    for player, banker in itertools.product(range(8), range(8)):
        assert PLAYER_DECISIONS[player][banker].drawn is (player <= 5)
    assert TABLE_1 == "DDDDDDSSNN"


@pytest.mark.clause("CROWN 9.3", "CROWN 9.3.1", "CROWN 9.3.2", "MBS-B 3.9.3", "RWS 3.5")
def test_every_cell_of_table_2() -> None:
    for banker in range(8):
        assert (TABLE_2[banker][NO_CARD] == "D") is (banker <= 5)
        for points in range(10):
            assert (TABLE_2[banker][points + 1] == "D") is (points in DRAWS_WHEN_PLAYER_DREW[banker])
    assert TABLE_2[8] == TABLE_2[9] == "S" * 11


@pytest.mark.clause("CROWN 9.1", "MBS-B 3.9.1", "RWS 3.6 Player 8–9", "RWS 3.6 Banker 8–9", "G-15")
def test_a_natural_on_either_hand_ends_the_drawing_for_both() -> None:
    for player, banker in itertools.product(range(10), range(10)):
        if player >= 8 or banker >= 8:
            assert not PLAYER_DECISIONS[player][banker].drawn
            assert not any(decision.drawn for decision in BANKER_DECISIONS[player][banker])


@pytest.mark.clause("G-14")
def test_all_five_documents_agree_on_the_88_reachable_cells() -> None:
    """Each rule set file states its document's own table; none differs from CROWN's Table 2 in any reachable cell."""
    compared = 0
    for one in all_rule_sets():
        assert list(disagreements(one.table_of_play)) == []
        cells = clauses_by_cell(one.table_of_play)
        compared = sum(cell.rule == "table" and cell.side is Side.BANKER for cell in cells)
        assert compared == 88
        assert all(clause.startswith((one.document, "G-")) for clause in cells.values())


def test_the_reading_of_a_coup_follows_every_cell() -> None:
    """Every combination of points in six cards: who draws is exactly what the tables say."""
    for points in itertools.product(range(10), repeat=5):
        cards = [BY_POINTS[one] for one in points] + [BY_POINTS[0]]
        player, banker = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10
        coup, left_over = read_in_shoe_order(cards)
        natural = player >= 8 or banker >= 8
        player_draws = not natural and player <= 5
        banker_draws = not natural and (points[4] in DRAWS_WHEN_PLAYER_DREW[banker] if player_draws else banker <= 5)
        assert (len(coup.player.cards), len(coup.banker.cards)) == (2 + player_draws, 2 + banker_draws)
        assert len(left_over) == 2 - player_draws - banker_draws


def test_each_decision_says_why_in_words() -> None:
    assert PLAYER_DECISIONS[5][3].reason == "Player has 5 and draws"
    assert BANKER_DECISIONS[5][3][9].reason == "Banker has 3 and Player's third card counts 8: Banker stands"
    assert BANKER_DECISIONS[6][5][NO_CARD].reason == "Banker has 5 and Player took no card: Banker draws"
    assert PLAYER_DECISIONS[2][8].reason == "Banker has a natural 8, so Player does not draw"
    assert PLAYER_DECISIONS[9][8].reason == "both hands have a natural, 9 and 8, so neither draws"


@pytest.mark.clause("CROWN 8.3.3", "MBS-B 3.7.1", "MBS-B 3.7.2", "RWS 3.4")
def test_guidance_names_the_hand_of_every_next_card() -> None:
    dealt: list[Card] = []
    sides = []
    for notation in (2, 4, 3, 3, 8):  # Player 5 draws an eight; Banker 7 stands.
        decision = next_card(dealt)
        assert decision is not None
        sides.append(decision.side)
        dealt.append(BY_POINTS[notation])
    assert sides == [Side.PLAYER, Side.BANKER, Side.PLAYER, Side.BANKER, Side.PLAYER]
    assert next_card(dealt) is None


def test_a_table_that_differs_or_leaves_a_cell_open_is_named() -> None:
    tables = rule_set("mbs-baccarat").table_of_play
    row = tables.banker[3]
    wrong = msgspec.structs.replace(row, draws_on="0-9")
    changed = msgspec.structs.replace(tables, banker=(*tables.banker[:3], wrong, *tables.banker[4:]))
    assert list(disagreements(changed)) == [
        ("banker", "Banker stands on 3 when Player drew 8 points in the table of play")
    ]
    open_cell = msgspec.structs.replace(tables, banker=tables.banker[:-1])
    assert ("banker", "no row says what Banker does on 7 after a third card of 0 points") in disagreements(open_cell)
    garbled = msgspec.structs.replace(tables, player=(msgspec.structs.replace(tables.player[0], totals="0-x"),))
    assert next(iter(disagreements(garbled)))[1] == "'0-x' is neither a count, a range of counts nor 'none'"
