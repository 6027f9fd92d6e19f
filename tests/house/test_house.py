"""The house: tickets are paid at most once, and options change everywhere at once."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.floor.pit import Pit
from sabot.house import house
from sabot.house.events import HouseEvent, OptionChanged, TableBusy, TableEntered
from sabot.house.state import HouseState, evolve, fold
from sabot.table.fixtures import fixture

TICKETS = ("000000000000000001", "000000000000000002", "000000000000000003")

act = st.tuples(st.sampled_from(["register", "redeem", "void"]), st.sampled_from(TICKETS), st.integers(1, 10**6))


@given(st.lists(act, max_size=40))
def test_a_ticket_is_paid_at_most_once_and_the_books_balance(acts: list[tuple[str, str, int]]) -> None:
    state = HouseState()
    history: list[HouseEvent] = []
    paid: dict[str, int] = {}
    for verb, ticket, cents in acts:
        try:
            if verb == "register":
                events = house.register_ticket(state, ticket, cents, "T1", "R1")
            elif verb == "void":
                events = house.void_ticket(state, ticket, "jam")
            else:
                events = house.redeem(state, ticket, "CA1", 0)
                paid[ticket] = paid.get(ticket, 0) + 1
        except house.NotByTheHouse:
            continue
        for event in events:
            state = evolve(state, event)
        history += events
        assert state.ledger.is_balanced
        assert state.liability == sum(one.cents for one in state.tickets.values() if one.status == "issued")
    assert set(paid.values()) <= {1}
    assert fold(history) == state


def test_an_option_waits_for_the_last_table_that_offers_the_bet() -> None:
    offers = ("dragon_bonus",)
    state = fold([TableEntered(table="T1", offers=offers), TableEntered(table="T2", offers=offers)])
    state = fold([TableEntered(table="T3", offers=()), TableBusy(table="T3", busy=True)], state)
    state = fold([TableBusy(table="T1", busy=True)], state)
    state = fold(house.order_option(state, "dragon_bonus", 2, "operator"), state)
    assert (state.options, state.ordered) == ({}, {"dragon_bonus": 2})
    assert house.options_due(state) == ()
    state = fold([TableBusy(table="T1", busy=False)], state)
    (changed,) = house.options_due(state)
    assert changed == OptionChanged(option="dragon_bonus", choice=2, clause="CROWN 10.1 note *")
    assert fold([changed], state).ordered == {}


def test_a_ticket_that_was_paid_by_hand_is_void_at_the_cage() -> None:
    table = Pit().enter(fixture("crown"))
    for line in (
        {"do": "sign_on", "by": "D1"},
        {"do": "open_table", "by": "D1"},
        {"do": "note", "station": "R1", "cents": 5000},
        {"do": "leave", "station": "R1", "ticket": TICKETS[0]},
        {"do": "print_failed", "by": "TE1", "ticket": TICKETS[0], "fault": "jam"},
        {"do": "manual_pay", "by": "CS1", "ticket": TICKETS[0], "reason": "jam"},
    ):
        assert table.answer(line).ok
    refused = table.answer({"do": "redeem", "by": "CA1", "ticket": TICKETS[0]})
    assert refused.refusal is not None
    assert "already been voided" in refused.refusal.text
    assert table.pit.house.liability == 0


@pytest.mark.parametrize(
    "line",
    [
        {"do": "option", "option": "dragon_bonus", "choice": "two"},
        {"do": "option", "option": "super_6", "choice": 1},
        {"do": "redeem", "by": "CA1"},
        {"do": "redeem", "by": "nobody", "ticket": TICKETS[0]},
    ],
)
def test_what_the_house_cannot_do_is_refused_in_the_one_form(line: dict[str, object]) -> None:
    table = Pit().enter(fixture("crown"))
    answer = table.answer(line)
    assert not answer.ok
    assert answer.refusal is not None
    assert msgspec.json.encode(answer)


def test_two_tables_of_the_same_name_are_told_apart() -> None:
    pit = Pit()
    assert [pit.enter(fixture("crown")).name, pit.enter(fixture("crown")).name] == ["T1", "T1-2"]
