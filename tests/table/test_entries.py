"""Entries that are put right: hands are those of the cards, no card is lost, and there is always a way on."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.floor.lines.table import LineTable
from sabot.ledger.audit import discrepancy
from sabot.rules.cards import DECK
from sabot.rules.coup import next_card, read_in_shoe_order
from sabot.table.phase import Phase
from sabot.table.snapshot import read_state, write_state
from sabot.table.state import TableState
from tests.table.playing import SEATS, table_with_money

notations = st.sampled_from([card.notation for card in DECK])
touches = st.lists(
    st.one_of(
        st.tuples(st.just("card"), notations, st.just(0)),
        st.tuples(st.just("card"), notations, st.just(0)),
        st.tuples(st.just("amend"), notations, st.integers(1, 6)),
        st.tuples(st.just("take_back_card"), st.just(""), st.integers(1, 6)),
        st.tuples(st.just("fact"), notations, st.just(0)),
        st.tuples(st.just("resolve"), st.just(""), st.integers(0, 2)),
        st.tuples(st.just("unresolve"), st.just(""), st.just(0)),
        st.tuples(st.just("withdraw_fact"), st.just(""), st.just(0)),
        st.tuples(st.just("confirm"), st.just(""), st.just(0)),
    ),
    max_size=24,
)


def say(table: LineTable, **line: object) -> bool:
    return table.answer({"by": "CS1", **line}).ok


def touch(table: LineTable, verb: str, card: str, place: int) -> None:
    crown = "A1" in table.state.stations
    if verb == "fact":
        kind = "wrong_third_card" if crown else "wrong_number_of_cards"
        say(table, do="fact", kind=kind, cards=[card], hand="banker")
    elif verb == "resolve":
        ids = ("settle_then_dummy", "in_shoe_order", "void")
        say(table, do="resolve", id=ids[place])
    elif verb == "amend":
        say(table, do="amend", card=card, place=place, reason="misread")
    elif verb == "take_back_card":
        say(table, do="take_back_card", place=place, reason="never drawn")
    elif verb == "card":
        say(table, do="card", card=card)
    else:
        say(table, do=verb, **({} if verb == "confirm" else {"reason": "a slip"}))


def holds(state: TableState) -> None:
    """The coup never has a card too many, and the count of the shoe is that of its known cards and the one burned."""
    if state.coup is not None and next_card(state.coup.cards) is None:
        assert not read_in_shoe_order(state.coup.cards)[1]
    assert sum(state.shoe.census.values()) + 1 == state.shoe.out
    assert min(state.shoe.census.values(), default=0) >= 0
    waiting = Counter(card for card in state.shoe.carried if card is not None)
    assert all(state.shoe.census[card] >= count for card, count in waiting.items())
    assert discrepancy(state.ledger, state.meters) is None
    assert write_state(read_state(write_state(state))) == write_state(state)


@pytest.mark.clause("CROWN 11.2 second sentence", "CROWN 11.7", "G-161", "G-162", "G-163")
@pytest.mark.parametrize("identity", ["crown-traditional", "mbs-rapid-no-commission", "rws-non-commission"])
@given(touched=touches)
def test_no_card_is_lost_and_there_is_always_a_way_on(identity: str, touched: list[tuple[str, str, int]]) -> None:
    table = table_with_money(identity)
    seat = SEATS[identity.startswith("crown")][0]
    assert say(table, do="open")
    assert table.answer({"do": "set_wager", "station": seat, "bet": "tie", "cents": 2500}).ok
    assert say(table, do="close")
    for verb, card, place in touched:
        touch(table, verb, card, place)
        holds(table.state)
    _goes_on(table)
    assert table.state.phase is Phase.WAGERING


def _goes_on(table: LineTable) -> None:
    """A fact is withdrawn, a coup played to its end, and the next one opens."""
    for _ in range(40):
        fact, coup = table.state.fact, table.state.coup
        if fact is not None and fact.entered and coup is not None:
            assert say(table, do="take_back_card", reason="never drawn")
        elif fact is not None:
            assert say(table, do="withdraw_fact", reason="a slip")
        elif table.state.coup is None:
            assert say(table, do="open")
            return
        elif next_card(table.state.coup.cards) is None:
            assert say(table, do="confirm")
        else:
            waiting = table.state.shoe.carried[0] if table.state.shoe.carried else None
            assert say(table, do="card", card=waiting or "2S")
        holds(table.state)
    raise AssertionError("no coup could be opened")
