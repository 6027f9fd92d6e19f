"""Paths on which money could have gone astray, each walked to its end."""

from typing import Any

import pytest

from sabot.floor.lines.table import LineFloor, LineTable
from sabot.ledger.audit import discrepancy
from sabot.table.events import PaidOut
from sabot.table.fixtures import fixture

PLAYER_WINS = ("9S", "2D", "KH", "3C")
TICKET = "000000000000000008"


@pytest.fixture
def table() -> LineTable:
    return ready(LineFloor())


def ready(floor: LineFloor) -> LineTable:
    table = floor.enter(fixture("crown"))
    lines: list[dict[str, Any]] = [
        {"do": "sign_on", "by": "D1"},
        {"do": "open_table", "by": "D1"},
        {"do": "check_cards", "by": "GS1", "cards": 416},
        {"do": "new_shoe", "by": "D1"},
        {"do": "cut", "by": "GS1", "at": 200},
        {"do": "burn", "by": "D1"},
        {"do": "buy_in", "by": "D1", "station": "A1", "cents": 10_000},
    ]
    for line in lines:
        say(table, **line)
    return table


def say(table: LineTable, **line: Any) -> Any:
    answer = table.answer(line)
    assert answer.ok, (line, answer.refusal)
    assert discrepancy(table.state.ledger, table.state.meters) is None
    return answer


def refused(table: LineTable, **line: Any) -> str:
    answer = table.answer(line)
    assert answer.refusal is not None, answer.events
    return answer.refusal.code


def wager(table: LineTable, bet: str, cents: int, station: str = "A1") -> None:
    say(table, do="set_wager", station=station, bet=bet, cents=cents)


def deal(table: LineTable) -> None:
    for card in PLAYER_WINS:
        say(table, do="card", by="D1", card=card)


def paid(table: LineTable) -> int:
    if not table.state.stations["A1"].leaving:
        say(table, do="leave", by="D1", station="A1")
    answer = say(table, do="pay", by="D1", station="A1")
    assert table.state.purse("A1").total == 0
    return sum(event.cents for event in answer.events if isinstance(event, PaidOut))


def test_a_leaving_patron_gets_what_a_breach_gave_back(table: LineTable) -> None:
    say(table, do="open", by="D1")
    wager(table, "banker", 5000)
    say(table, do="close", by="D1")
    say(table, do="leave", station="A1")
    say(table, do="breach", by="CS1", station="A1", contravened="4.5", reason="noise")
    say(table, do="act_on_breach", by="CS1", case=1, act="void_wagers")
    assert paid(table) == 10_000


def test_a_leaving_patron_gets_what_a_dispute_brings(table: LineTable) -> None:
    say(table, do="leave", station="A1")
    say(table, do="dispute", by="D1", station="A1", text="short")
    say(table, do="decide_dispute", by="CS1", case=1, decision="paid", adjustments={"A1": 700})
    assert paid(table) == 10_700


def test_a_leaving_patron_gets_what_the_close_did_not_recognise(table: LineTable) -> None:
    say(table, do="notice", by="D1", kind="aggregate_minimum", cents=5000, from_ms=1_200_000)
    say(table, do="open", by="D1", at_ms=1_300_000)
    wager(table, "banker", 2500)
    say(table, do="leave", station="A1", at_ms=1_330_000)
    say(table, do="tick", at_ms=1_330_000)
    assert paid(table) == 10_000


def test_a_coup_is_not_undone_twice(table: LineTable) -> None:
    say(table, do="open", by="D1")
    wager(table, "banker", 5000)
    say(table, do="close", by="D1")
    deal(table)
    say(table, do="confirm", by="D1")
    say(table, do="fault", by="D1", station="A1")
    say(table, do="invalidate", by="GS1", coup=1, cause="malfunction", reason="shoe")
    assert refused(table, do="cannot_confirm", by="D1", station="A1") == "nothing_to_void"
    assert paid(table) == 10_000


@pytest.mark.clause("CROWN 6.7.2", "CROWN 6.7.2(b)")
def test_a_ticket_is_paid_by_the_cage_or_by_hand_never_both(table: LineTable) -> None:
    say(table, do="note", station="R1", cents=10_000)
    say(table, do="leave", station="R1", ticket=TICKET)
    say(table, do="redeem", by="CA1", ticket=TICKET)
    assert refused(table, do="print_failed", by="TE1", ticket=TICKET, fault="jam") == "paid_already"
    other = ready(LineFloor())
    say(other, do="note", station="R1", cents=10_000)
    say(other, do="leave", station="R1", ticket=TICKET)
    say(other, do="print_failed", by="TE1", ticket=TICKET, fault="jam")
    assert refused(other, do="redeem", by="CA1", ticket=TICKET) == "by_hand_only"
    say(other, do="manual_pay", by="CS1", ticket=TICKET, reason="jam")


@pytest.mark.clause("G-62")
def test_a_ticket_buys_nothing(table: LineTable) -> None:
    line = {"do": "buy_in", "by": "D1", "station": "A2", "cents": 5000, "tender": "voucher", "reference": TICKET}
    assert refused(table, **line) == "unknown_tender"


def test_a_breach_never_reaches_the_next_patron(table: LineTable) -> None:
    line = {"do": "breach", "by": "CS1", "station": "A1", "contravened": "13.1", "reason": "device"}
    say(table, **line, prohibited_device=True)
    say(table, do="leave", by="D1", station="A1")
    say(table, do="pay", by="D1", station="A1")
    say(table, do="buy_in", by="D1", station="A1", cents=10_000)
    assert refused(table, do="seize", by="CS1", case=1, cents=100) == "patron_gone"
    assert refused(table, do="act_on_breach", by="CS1", case=1, act="exclude") == "patron_gone"


def test_undo_never_overdraws(table: LineTable) -> None:
    say(table, do="open", by="D1")
    wager(table, "banker", 10_000)
    wager(table, "banker", 2500)
    say(table, do="dispute", by="D1", station="A1", text="over")
    say(table, do="decide_dispute", by="CS1", case=1, decision="taken back", adjustments={"A1": -2500})
    assert refused(table, do="undo", station="A1") == "insufficient_credit"


@pytest.mark.parametrize("cents", [0, -500])
def test_no_table_takes_a_note_that_is_worth_nothing(cents: int) -> None:
    table = LineFloor().enter(fixture("crown"))
    assert refused(table, do="configure", set={"notes": [cents]}) == "malformed"


@pytest.mark.parametrize(
    "line",
    [
        {"do": "configure", "by": "D1", "role": "operator", "set": {}},
        {"do": "restart", "by": "A1", "role": "clock", "last_sign_ms": 0},
        {"do": "print_failed", "by": "nobody", "role": "station", "ticket": TICKET, "fault": "jam"},
        {"do": "take_up_option", "by": "CS1", "option": "perfect_pairs", "choice": 2},
        {"do": "option", "by": "operator", "option": "perfect_pairs", "choice": 99},
        {"do": "redeem", "by": ["x"]},
        {"do": ["x"]},
    ],
)
def test_a_role_is_not_believed_and_odd_lines_are_refused(table: LineTable, line: dict[str, Any]) -> None:
    before = table.state
    answer = table.answer(line)
    assert not answer.ok
    assert table.state is before


def test_time_does_not_run_backwards(table: LineTable) -> None:
    say(table, do="open", by="D1", at_ms=0)
    late = {"do": "set_wager", "station": "A1", "bet": "banker", "cents": 2500}
    assert refused(table, **late, at_ms=31_000) == "wagering_closed"
    assert refused(table, **late, at_ms=29_999) == "wagering_closed"


def test_a_correction_that_is_made_invalid_does_not_keep_the_table_frozen(table: LineTable) -> None:
    say(table, do="open", by="D1")
    wager(table, "banker", 5000)
    say(table, do="close", by="D1")
    deal(table)
    say(table, do="confirm", by="D1")
    say(table, do="freeze", by="D1")
    say(table, do="correct", by="D1", coup=1, cards=["2S", "9D", "KH", "KC"])
    say(table, do="invalidate", by="GS1", coup=1, cause="malfunction", reason="shoe")
    say(table, do="unfreeze", by="D1")
    assert paid(table) == 10_000


def test_a_closed_table_still_pays_its_remote_stations(table: LineTable) -> None:
    say(table, do="note", station="R1", cents=10_000)
    say(table, do="notice", by="CS1", kind="closure", from_ms=1_200_000)
    say(table, do="check_cards", by="GS1", cards=416, when="closing")
    say(table, do="close_table", by="CS1", at_ms=1_200_000)
    say(table, do="leave", station="R1")
    assert table.floor.house.liability == 10_000


@pytest.mark.clause("CROWN 6.7.2")
def test_two_tables_never_issue_the_same_ticket() -> None:
    pit = LineFloor()
    for table in (ready(pit), ready(pit)):
        say(table, do="note", station="R1", cents=10_000)
        say(table, do="leave", station="R1")
    assert pit.house.liability == 20_000
    third = ready(pit)
    say(third, do="note", station="R1", cents=5_000)
    assert refused(third, do="leave", station="R1", ticket=next(iter(pit.house.tickets))) == "ticket_number"


@pytest.mark.clause("CROWN 11.11", "CROWN 10.1")
def test_a_correction_uses_the_odds_of_its_coup(table: LineTable) -> None:
    say(table, do="open", by="D1")
    wager(table, "player", 5000)
    wager(table, "player_perfect_pairs", 500)
    say(table, do="close", by="D1")
    for card in ("9S", "2D", "9S", "3C"):
        say(table, do="card", by="D1", card=card)
    say(table, do="confirm", by="D1")
    before = table.state.purse("A1").balance
    say(table, do="option", by="operator", option="perfect_pairs", choice=2)
    say(table, do="freeze", by="D1")
    say(table, do="correct", by="D1", coup=1, cards=["9S", "2D", "9S", "4C"])
    say(table, do="recalculate", by="D1")
    assert table.state.purse("A1").balance == before


def test_a_card_of_an_open_fact_is_not_entered_twice(table: LineTable) -> None:
    say(table, do="open", by="D1")
    wager(table, "player", 2500)
    for card in ("2S", "4H", "3D", "2C"):
        say(table, do="card", by="D1", card=card)
    say(table, do="fact", by="D1", kind="card_on_wrong_hand", cards=["7S"], hand="banker")
    assert refused(table, do="card", by="D1", card="7S") == "fact_open"
    assert refused(table, do="amend", by="D1", card="7S") == "fact_open"


def test_a_coup_is_reconstructed_once(table: LineTable) -> None:
    say(table, do="open", by="D1")
    wager(table, "player", 2500)
    for card in ("2S", "3H", "3D"):
        say(table, do="card", by="D1", card=card)
    say(table, do="fact", by="D1", kind="missed_burn")
    say(table, do="resolve", by="D1", id="reconstruct")
    say(table, do="fact", by="D1", kind="missed_burn")
    assert refused(table, do="resolve", by="D1", id="reconstruct") == "unknown_resolution"


@pytest.mark.clause("CROWN 11.5.2")
def test_a_first_card_by_way_of_a_fact_makes_a_dummy_coup_too(table: LineTable) -> None:
    say(table, do="open", by="D1")
    say(table, do="close", by="D1")
    say(table, do="fact", by="D1", kind="card_on_wrong_hand", cards=["TH"], hand="banker")
    say(table, do="resolve", by="D1", id="in_shoe_order")
    assert table.state.coup is not None
    assert table.state.coup.dummy


@pytest.mark.clause("CROWN 11.15(b)")
def test_records_are_confirmed_before_any_card_and_only_for_their_coup(table: LineTable) -> None:
    say(table, do="open", by="D1")
    wager(table, "player", 2500)
    for card in ("2S", "4H", "3D", "3C"):
        say(table, do="card", by="D1", card=card)
    say(table, do="fact", by="D1", kind="card_on_wrong_hand", cards=["TH"], hand="banker")
    say(table, do="restart", by="clock", last_sign_ms=99_999, at_ms=99_999)
    assert refused(table, do="resolve", by="D1", id="in_shoe_order") == "records_unconfirmed"
    say(table, do="invalidate", by="GS1", coup=1, cause="malfunction", reason="shoe")
    say(table, do="open", by="D1")
    wager(table, "banker", 2500)
    assert refused(table, do="cannot_confirm", by="D1", station="A1") == "nothing_to_confirm"


@pytest.mark.clause("CROWN 11.15(a)", "CROWN 11.14(a)", "G-90")
def test_a_freeze_stops_the_clock_for_faults_too(table: LineTable) -> None:
    say(table, do="open", by="D1", at_ms=0)
    wager(table, "banker", 2500)
    say(table, do="freeze", by="D1", at_ms=10_000)
    faulted = say(table, do="fault", by="D1", station="A2", at_ms=60_000).events[0]
    assert faulted.clause == "CROWN 11.14(a)"
    restarted = say(table, do="restart", by="clock", last_sign_ms=69_000, at_ms=70_000).events[0]
    assert restarted.clause == "CROWN 11.15(a)"
    assert table.state.purse("A1").balance == 10_000


@pytest.mark.clause("G-96", "CROWN 11.16")
def test_a_dummy_coup_that_follows_at_once_does_not_hide_the_coup_before_it(table: LineTable) -> None:
    say(table, do="open", by="D1")
    wager(table, "player", 2500)
    for card in ("2S", "4H", "3D", "3C", "8S"):
        say(table, do="card", by="D1", card=card)
    say(table, do="fault", by="D1", station="A1")
    say(table, do="fact", by="D1", kind="wrong_third_card", cards=["TH"], hand="banker")
    say(table, do="resolve", by="CS1", id="settle_then_dummy")
    say(table, do="confirm", by="D1")
    assert table.state.coup is not None
    assert table.state.coup.dummy
    say(table, do="seen", by="A1", wagers={"player": 5000}, coup=1)
    say(table, do="cannot_confirm", by="GS1", station="A1", reason="the screen shows 50")
    assert table.state.purse("A1").total == 10_000


@pytest.mark.clause("CROWN 11.12", "CROWN 13.2.3")
def test_a_case_names_a_coup_that_was_and_a_release_its_reason(table: LineTable) -> None:
    assert refused(table, do="claim", by="A1", station="A1", coup=77, text="paid wrongly") == "unknown_coup"
    say(table, do="open", by="D1")
    wager(table, "player", 2500)
    say(table, do="close", by="D1")
    deal(table)
    say(table, do="confirm", by="D1")
    line = {"do": "breach", "by": "CS1", "station": "A1", "contravened": "13.1", "reason": "device"}
    say(table, **line, prohibited_device=True)
    say(table, do="seize", by="CS1", case=1, cents=2500)
    assert refused(table, do="release", by="CS1", case=1, reason=" ") == "reason_missing"
    say(table, do="release", by="CS1", case=1, reason="no device was found")


@pytest.mark.clause("G-118")
@pytest.mark.parametrize(
    "change",
    [
        {"staff": {"A1": ["dealer"]}},
        {"staff": {"operator": ["dealer"]}},
        {"staff": {"X": ["clock"]}},
        {"stations": {"clock": {"approval": "A-1"}}},
    ],
)
def test_no_name_stands_for_two_kinds_of_actors(change: dict[str, Any]) -> None:
    assert refused(LineFloor().enter(fixture("crown")), do="configure", set=change) == "configuration"


@pytest.mark.clause("CROWN 11.16", "CROWN 11.5.2")
def test_a_fault_in_a_coup_without_wagers_leaves_the_coup_before_alone(table: LineTable) -> None:
    say(table, do="open", by="D1")
    wager(table, "player", 2500)
    say(table, do="close", by="D1")
    deal(table)
    say(table, do="confirm", by="D1")
    say(table, do="open", by="D1")
    say(table, do="close", by="D1")
    say(table, do="card", by="D1", card="2S")
    say(table, do="fault", by="D1", station="A1")
    assert refused(table, do="cannot_confirm", by="D1", station="A1") == "nothing_to_void"
    assert table.state.purse("A1").total == 12_500
