"""A table that locked itself: what disagrees is shown, booked or paid by hand, and nothing else leaves it (G-153)."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.floor.lines.answer import LineAnswer
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.ledger.account import DIFFERENCE, UNEXPLAINED
from sabot.ledger.audit import Disagreement, discrepancy
from sabot.table import events as e
from sabot.table.fixtures import fixture
from sabot.table.rules import RULES
from tests.table.any_commands import any_line
from tests.table.playing import put_into
from tests.table.test_refusals import READY, say, say_all

BEFORE_CARDS = ("D1 buy_in A1 100", "D1 buy_in A2 100", "D1 open", "A1 set_wager banker 25")


def locked_by_meters(*lines: str, cents: int = 1) -> LineTable:
    """A2's meters count more than came in, and the dealer tries to pay A3, whose patron leaves."""
    talk = LineFloor().enter(fixture("crown"))
    say_all(talk, (*READY, *lines))
    say_all(talk, ["D1 buy_in A3 25", "D1 leave A3"])
    meters = {**talk.state.meters, "A2": talk.state.meters["A2"].bought_in("cash", cents)}
    put_into(talk, msgspec.structs.replace(talk.state, meters=meters))
    assert [type(event).__name__ for event in say(talk, "D1 pay A3").events] == ["TableLocked"]
    return talk


def locked_by_ledger() -> LineTable:
    """A1's account holds more than came in, so that the sums do not balance either."""
    talk = LineFloor().enter(fixture("crown"))
    say_all(talk, (*READY, "D1 buy_in A1 100"))
    purses = {**talk.state.ledger.purses, "A1": msgspec.structs.replace(talk.state.purse("A1"), balance=99_900)}
    put_into(
        talk, msgspec.structs.replace(talk.state, ledger=msgspec.structs.replace(talk.state.ledger, purses=purses))
    )
    say_all(talk, ["D1 open"])
    assert talk.state.locked
    return talk


def code(answer: LineAnswer) -> str:
    assert answer.refusal is not None, answer.events
    return answer.refusal.code


def happened(answer: LineAnswer) -> list[str]:
    assert answer.ok, answer.refusal
    return [type(event).__name__ for event in answer.events]


def agree(talk: LineTable) -> bool:
    return discrepancy(talk.state.ledger, talk.state.meters) is None


def test_it_says_what_disagrees_with_both_figures() -> None:
    talk = locked_by_meters("D1 buy_in A2 100")
    assert talk.answer({"do": "show", "what": ["ledger"]}).disagreements == (Disagreement("A2", 10_000, 10_001),)
    talk = locked_by_ledger()
    shown = talk.answer({"do": "show", "what": ["ledger"]}).disagreements
    assert shown == (Disagreement("sums", 10_000, 99_900), Disagreement("A1", 99_900, 10_000))


def test_the_meters_follow_the_ledger() -> None:
    talk = locked_by_meters("D1 buy_in A2 100")
    assert code(say(talk, "GS1 book_difference A2 ledger counted second=CS1")) == "wrong_role"
    assert code(say(talk, "CS1 book_difference A2 ledger counted")) == "second_person_due"
    assert code(say(talk, "CS1 book_difference A2 ledger counted second=D1")) == "second_role"
    assert code(say(talk, "CS1 book_difference A2 second=GS1")) == "reason_missing"
    assert code(say(talk, "CS1 book_difference A1 ledger counted second=GS1")) == "nothing_to_book"
    assert code(say(talk, "CS1 book_difference reason=counted second=GS1")) == "nothing_to_book"
    answer = say(talk, "CS1 book_difference A2 ledger counted second=GS1")
    assert happened(answer) == ["DifferenceBooked", "TableUnlocked", "Countersigned"]
    assert agree(talk)
    assert talk.state.ledger.balance(DIFFERENCE) == 0
    assert happened(say(talk, "D1 pay A3"))[-2:] == ["PaidOut", "AccountClosed"]


@pytest.mark.parametrize(("cents", "balance"), [(-2500, 7500), (2500, 12_500)])
def test_the_account_follows_the_meters(cents: int, balance: int) -> None:
    talk = locked_by_meters("D1 buy_in A2 100", cents=cents)
    say_all(talk, ["CS1 book_difference A2 meters counted second=GS1"])
    assert agree(talk)
    assert not talk.state.locked
    assert talk.state.purse("A2").balance == balance
    assert talk.state.ledger.balance(DIFFERENCE) == -cents


def test_no_account_goes_below_zero_and_wagers_are_ended_first() -> None:
    talk = locked_by_meters("D1 buy_in A2 100", "D1 open", "A2 set_wager banker 100", cents=-2500)
    assert code(say(talk, "CS1 book_difference A2 meters counted second=GS1")) == "wagers_running"
    assert code(say(talk, "CS1 pay_by_hand A2 75 counted second=GS1")) == "wagers_running"
    say_all(talk, ("CS1 invalidate 1 malfunction books", "CS1 book_difference A2 meters counted second=GS1"))
    assert talk.state.purse("A2").total == 7500
    assert agree(talk)


def test_what_is_held_for_a_leaving_patron_is_taken_after_the_balance() -> None:
    talk = locked_by_meters("D1 buy_in A2 100", "D1 leave A2", cents=-2500)
    say_all(talk, ["CS1 book_difference A2 meters counted second=GS1"])
    assert (talk.state.purse("A2").balance, talk.state.purse("A2").held) == (0, 7500)
    assert agree(talk)


def test_sums_that_do_not_balance_are_booked_with_the_account() -> None:
    talk = locked_by_ledger()
    answer = say(talk, "CS1 book_difference A1 meters a_disk_failed second=GS1")
    assert happened(answer) == ["DifferenceBooked", "DifferenceBooked", "TableUnlocked", "Countersigned"]
    assert agree(talk)
    assert talk.state.purse("A1").balance == 10_000
    assert talk.state.ledger.balance(DIFFERENCE) == 0
    assert talk.state.ledger.balance(UNEXPLAINED) == 89_900


def test_where_the_ledger_is_right_the_house_bears_the_difference() -> None:
    talk = locked_by_ledger()
    say_all(talk, ["CS1 book_difference A1 ledger a_disk_failed second=GS1"])
    assert agree(talk)
    assert talk.state.purse("A1").balance == 99_900
    assert talk.state.ledger.balance(DIFFERENCE) == -89_900


def test_patrons_are_paid_by_hand_between_the_two_figures_and_the_table_closes() -> None:
    talk = locked_by_meters("D1 buy_in A1 50", "D1 buy_in A2 100", cents=2500)
    assert code(say(talk, "CS1 pay_by_hand A2 99.95 counted second=GS1")) == "not_between"
    assert code(say(talk, "CS1 pay_by_hand A2 125.05 counted second=GS1")) == "not_between"
    assert code(say(talk, "CS1 pay_by_hand A1 50.05 counted second=GS1")) == "not_between"
    assert code(say(talk, "CS1 pay_by_hand A2 110 counted")) == "second_person_due"
    assert happened(say(talk, "CS1 pay_by_hand A1 50 counted second=GS1")) == [
        "PaidByHand",
        "AccountClosed",
        "Countersigned",
    ]
    assert talk.state.locked
    assert code(say(talk, "CS1 close_table second=GS1")) == "stations_open"
    answer = say(talk, "CS1 pay_by_hand A2 110 counted second=GS1")
    assert happened(answer) == ["PaidByHand", "AccountClosed", "TableUnlocked", "Countersigned"]
    assert agree(talk)
    assert talk.state.ledger.balance(DIFFERENCE) == -1000
    assert talk.state.meters["A2"].paid == {"manual": 11_000}
    say_all(talk, ("D1 pay A3", "GS1 check_cards 416 closing", "CS1 close_table"))


def test_an_empty_table_closes_although_it_is_locked_and_stays_so() -> None:
    talk = locked_by_meters("D1 buy_in A2 100")
    sound = talk.state
    stations = {name: msgspec.structs.replace(one, control=0) for name, one in sound.stations.items()}
    put_into(talk, msgspec.structs.replace(sound, stations=stations))
    say_all(talk, ["GS1 check_cards 416 closing"])
    assert code(say(talk, "CS1 close_table")) == "second_person_due"
    assert happened(say(talk, "CS1 close_table second=GS1")) == ["TableClosed", "Countersigned"]
    assert code(say(talk, "D1 open_table")) == "table_locked"


def test_a_lock_of_which_nothing_disagrees_any_more_is_opened_by_the_same_two() -> None:
    talk = LineFloor().enter(fixture("crown"))
    say_all(talk, (*READY, "D1 buy_in A1 100"))
    put_into(talk, msgspec.structs.replace(talk.state, locked="a fault of the memory"))
    assert code(say(talk, "CS1 book_difference reason=counted")) == "second_person_due"
    assert happened(say(talk, "CS1 book_difference reason=counted second=GS1")) == ["TableUnlocked", "Countersigned"]


def test_only_these_acts_are_open_at_a_locked_table() -> None:
    """The list is the authority: an act that is added to it must let nothing out."""
    talk = locked_by_meters(*BEFORE_CARDS)
    tried = {kind.__name__ for kind, rule in RULES.items() if rule.while_locked is not _never()}
    assert tried == {
        *(
            "EndDay",
            "Invalidate",
            "CloseTable",
            "CheckCards",
            "BookDifference",
            "PayByHand",
            "ShowsSign",
            "HandBack",
            "BringBack",
        ),
        *("CallAttendant", "AnswerCall", "EndCall"),
        *("DropSignOn", "DropEscrow"),
    }
    assert code(say(talk, "D1 pay A1")) == "table_locked"


def _never() -> object:
    return RULES[next(kind for kind in RULES if kind.__name__ == "Pay")].while_locked


@given(st.lists(any_line, max_size=30))
def test_whatever_is_said_to_a_locked_table_value_leaves_it_only_by_hand(lines: list[dict[str, object]]) -> None:
    talk = locked_by_meters(*BEFORE_CARDS)
    for line in lines:
        before = talk.state
        answer = talk.answer(line)
        if not before.locked:
            break
        paid = [event for event in answer.events if isinstance(event, e.PaidByHand)]
        assert before.ledger.assets - talk.state.ledger.assets == sum(event.cents for event in paid)
        assert all(event.cents <= max(event.ledger_cents, event.meters_cents) for event in paid)
        if paid or not talk.state.locked:
            assert isinstance(answer.events[-1], e.Countersigned)
        assert talk.state.locked or agree(talk)
