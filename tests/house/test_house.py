"""The house and its tables together: what is carried between them, and what each decides for itself."""

from pathlib import Path
from typing import get_args

import msgspec
import pytest

from sabot.basics.at_once import at_once
from sabot.basics.role import Role
from sabot.basics.stamp import clock_stamp
from sabot.floor.exchange.table_to_house import NEWS
from sabot.floor.lines.reader import HOUSE_VERBS
from sabot.floor.lines.table import LineFloor
from sabot.floor.lines.words import HOUSE_WORDS
from sabot.floor.sentences import told
from sabot.house import events as e
from sabot.house.acts import LockOut
from sabot.house.decide import decide
from sabot.house.evolve import fold
from sabot.house.liability import liability
from sabot.house.snapshot import read_state, write_state
from sabot.house.state import HouseSlipStatus, HouseState, TicketStatus
from sabot.table.events import PatronExcluded
from sabot.table.evolve import evolve
from sabot.table.state import UNCONFIGURED, AnyTable
from tests.house.talking import KEY, PRIZE_DUE, READY, TICKET, TICKETED, a_table, names, refusal, say, say_all
from tests.table.playing import put_into

DOCS = Path(__file__).parents[2] / "docs" / "table.md"
EVENTS = get_args(e.AnyHouseEvent)
SLIPS = (
    *PRIZE_DUE,
    "CS1 hold_slip SPRING-000002 a device",
    "CS1 release_slip SPRING-000002 no nothing was found",
    "clock cancel_slip SPRING-000002",
    "clock register_slip SPRING-000003 SPRING pay 50 prize_pool:5000 prize 1 P7",
    "CS1 hold_slip SPRING-000003 a device",
    "CS1 release_slip SPRING-000003 yes it was proved",
    "clock raise_pool SPRING 20",
    "clock register_slip SPRING-000004 SPRING pay 20 prize_pool:2000 prize 2 P8",
    "CA1 pay_slip SPRING-000004 second=CS1",
    "clock settle_stakes SPRING SPRING/night/1/T1 -10",
    "clock register_slip SPRING-000005 SPRING pay 10 stakes:1000 balance 2 P8",
)
"""Every event of a tournament's slips but two: the last slip expires, and is released and paid later."""


# Options


@pytest.mark.clause("CROWN 10.1 note *")
def test_an_option_waits_for_the_last_table_that_offers_the_bet() -> None:
    pit = LineFloor()
    first, second = a_table(pit, *READY), a_table(pit, *READY)
    say_all(first, "D1 open")
    say_all(second, "D1 open")
    assert names(say(second, "operator option dragon_bonus 2")) == ["OptionOrdered"]
    say_all(first, "D1 close", "D1 void")
    assert pit.house.options["dragon_bonus"] == 1
    say_all(second, "D1 close")
    assert names(say(second, "D1 void")) == ["CoupVoided", "OptionTakenUp"]
    assert pit.house.options["dragon_bonus"] == 2
    for table in (first, second):
        assert table.state.configuration.options["dragon_bonus"] == 2


@pytest.mark.clause("CROWN 10.1 note *")
def test_a_table_that_joins_later_plays_by_the_house() -> None:
    pit = LineFloor()
    a_table(pit, "operator option dragon_bonus 3")
    late = a_table(pit)
    assert late.state.configuration.options["dragon_bonus"] == 3


@pytest.mark.clause("CROWN 10.1 note *")
def test_a_table_that_comes_to_offer_a_bet_is_waited_for() -> None:
    pit = LineFloor()
    first, second = a_table(pit), a_table(pit)
    assert second.answer({"do": "configure", "set": {"offered": []}}).ok
    say_all(second, *READY, "D1 open")
    assert "OptionTakenUp" in names(say(first, "operator option dragon_bonus 2"))
    say_all(second, "D1 close", "D1 void")
    assert second.state.configuration.options["dragon_bonus"] == 1
    assert names(second.answer({"do": "configure", "set": {"offered": None}})) == ["Configured", "OptionTakenUp"]


def test_two_tables_of_the_same_name_are_told_apart() -> None:
    pit = LineFloor()
    assert [a_table(pit).name, a_table(pit).name] == ["T1", "T1-2"]


# Staff


def test_the_staff_of_a_table_is_appointed_when_it_joins_and_when_it_is_configured() -> None:
    table = a_table()
    assert table.floor.house.staff["S7"] == (Role.DEALER, Role.CASINO_SUPERVISOR)
    say_all(table, "operator dismiss CA1 left")
    staff = {"CA1": ["cashier"], "D9": ["dealer"]}
    assert table.answer({"do": "configure", "set": {"staff": staff}}).ok
    assert table.floor.house.staff["D9"] == (Role.DEALER,)
    assert table.floor.house.staff["CA1"] == (), "a table cannot take on whom the house has dismissed"


def test_who_was_dismissed_is_signed_off_and_does_nothing_more() -> None:
    table = a_table(None, *READY)
    assert "SignedOff" in names(say(table, "operator dismiss D1 theft"))
    assert refusal(table, "D1 open") == "not_on_staff"
    assert refusal(table, "D1 sign_on") == "not_on_staff"
    say_all(table, "operator appoint D1 dealer", "D1 sign_on", "D1 open")


def test_who_is_locked_out_works_on_but_signs_on_nowhere_and_approves_nothing() -> None:
    table = a_table(None, *READY, "clock lock_out D1", "clock lock_out GS1 6")
    say_all(table, "D1 open", "D1 close", "D1 void", "D1 sign_off")
    assert refusal(table, "D1 sign_on") == "locked_out"
    assert refusal(table, "CS1 invalidate 1 fraud x second=GS1") == "locked_out"
    assert names(say(table, "clock lock_out D1")) == [], "told again it changes nothing"
    say_all(table, "CS1 unlock D1 a digit was wrong", "D1 sign_on")
    assert table.floor.house.locked_out == ("GS1",)
    assert table.floor.house.unlocks == {"D1": 1}


def test_a_house_that_is_read_from_its_snapshot_writes_the_same_snapshot() -> None:
    table = a_table()
    for number in range(50):
        say_all(table, f"operator appoint P{number} dealer", f"clock lock_out P{number}")
    written = write_state(table.floor.house)
    assert write_state(read_state(written)) == written


def test_a_lock_out_of_an_earlier_program_stands_in_its_record_as_it_did() -> None:
    """Such records are decided and written anew by every replay, byte for byte."""
    decided = decide(HouseState(staff={"D1": (Role.DEALER,)}), LockOut(person="D1"), clock_stamp(5))
    assert isinstance(decided, tuple)
    assert msgspec.json.encode(decided) == (
        b'[{"event":"PersonLockedOut","person":"D1","failures":5,"at_ms":5,"clause":"G-118"}]'
    )
    assert fold(decided).locked_out == ("D1",)


def test_nobody_is_locked_out_who_does_not_work_here() -> None:
    assert refusal(a_table(), "clock lock_out nobody") == "not_appointed"


def test_a_role_that_the_house_took_away_is_gone_at_the_table() -> None:
    table = a_table(None, *READY)
    say_all(table, "operator appoint CS1 cashier")
    assert refusal(table, "CS1 order_shuffle dropped") == "not_on_staff"


def test_nobody_signs_on_by_saying_that_he_comes_in_another_role() -> None:
    table = a_table(None, *READY)
    say_all(table, "operator dismiss D2 gone", "operator appoint S7 dealer")
    assert refusal(table, "D2 sign_on role=operator") == "not_on_staff"
    assert refusal(table, "S7 sign_on casino_supervisor role=dealer") == "not_on_staff"
    say_all(table, "S7 sign_on dealer role=casino_supervisor")


def test_a_role_that_the_house_took_away_approves_nothing() -> None:
    table = a_table()
    assert table.answer({"do": "configure", "set": {"two_persons": ["manual_pay"]}}).ok
    say_all(table, *TICKETED, "TE1 print_failed TICKET jam", "operator appoint S7 dealer")
    assert refusal(table, "CS1 manual_pay TICKET jam second=S7") == "not_on_staff"
    say_all(table, "operator appoint S7 casino_supervisor", "CS1 manual_pay TICKET jam second=S7")


@pytest.mark.clause("G-99")
def test_who_deals_at_a_table_is_no_supervisor_at_the_house() -> None:
    table = a_table(None, *TICKETED, "S7 sign_on dealer")
    assert refusal(table, f"S7 void_ticket {TICKET} stolen second=GS1") == "wrong_role"
    assert refusal(table, f"S7 void_ticket {TICKET} stolen second=GS1 role=casino_supervisor") == "at_work"
    assert refusal(table, f"CS1 void_ticket {TICKET} stolen second=S7") == "second_role"
    say_all(table, "S7 sign_off", f"CS1 void_ticket {TICKET} stolen second=S7")


# Exclusions


@pytest.mark.clause("CROWN 13.2.2")
def test_an_exclusion_at_one_table_is_one_at_all_of_them() -> None:
    pit = LineFloor()
    first, second = a_table(pit, *READY), a_table(pit, *READY)
    say_all(second, "D1 buy_in A2 100 patron=P7")
    say_all(first, "D1 buy_in A1 100 patron=P7", "CS1 breach A1 13.1 a counting device")
    assert any(isinstance(event, PatronExcluded) for event in say(first, "CS1 act_on_breach 1 exclude").events)
    assert pit.house.exclusions["P7"].until_ms is None
    say_all(first, "D1 pay A1")
    assert refusal(first, "D1 buy_in A1 100 patron=P7") == "excluded"
    assert refusal(second, "D1 buy_in A2 100 top_up=yes") == "excluded"


@pytest.mark.clause("CROWN 13.2.2", "CROWN 6.6.2")
def test_a_patron_whom_the_house_excludes_is_directed_to_leave_where_he_plays() -> None:
    pit = LineFloor()
    first, second = a_table(pit, *READY), a_table(pit, *READY)
    say_all(second, "D1 buy_in A2 100 patron=P7")
    assert names(say(first, "CS1 exclude P7 until_s=600 own request")) == ["ExclusionMade"]
    assert second.state.stations["A2"].directed_to_leave
    assert second.state.purse("A2").held == 10_000
    say_all(second, "D1 pay A2")
    assert refusal(second, "@599 D1 buy_in A2 100 patron=P7") == "excluded"
    say_all(second, "@600 D1 buy_in A2 100 patron=P7")


def test_what_a_line_says_of_an_exclusion_counts_for_nothing() -> None:
    table = a_table(None, *READY, "CS1 exclude P7 cheating")
    assert refusal(table, "D1 buy_in A1 100 patron=P7 excluded=no") == "excluded"
    say_all(table, "D1 buy_in A1 100 patron=P8 excluded=yes")
    assert refusal(table, "D1 nominee A1 P7") == "excluded"


# Tickets


@pytest.mark.clause("CROWN 6.7.2")
def test_a_number_is_used_by_one_table_of_the_house() -> None:
    pit = LineFloor()
    a_table(pit, *TICKETED)
    other = a_table(pit, *READY, "R1 note 50")
    assert refusal(other, f"R1 leave ticket={TICKET}") == "ticket_number"
    assert other.state.purse("R1").balance == 5_000


@pytest.mark.clause("CROWN 6.7.2(b)")
def test_a_ticket_that_was_paid_by_hand_is_owed_until_then_and_no_longer() -> None:
    table = a_table(None, *TICKETED, "TE1 print_failed TICKET jam")
    assert table.floor.house.liability == 5_000
    say_all(table, "CS1 manual_pay TICKET jam")
    assert table.floor.house.liability == 0
    refused = say(table, "CA1 redeem TICKET").refusal
    assert refused is not None
    assert "already been paid by hand" in refused.text


def test_a_ticket_is_paid_from_a_request_that_was_never_issued_by_nobody() -> None:
    """The number is known to the house, but nothing is owed for it yet."""
    table = a_table(None, *READY, "R1 note 50", "D1 open", "R1 set_wager banker 25", "D1 close")
    say_all(table, "R1 leave ticket=TICKET")
    assert table.floor.house.tickets[TICKET].status is TicketStatus.REQUESTED
    assert refusal(table, "CA1 redeem TICKET") == "unknown_ticket"
    assert table.floor.house.liability == 0


def test_five_wrong_numbers_in_ten_minutes_raise_an_alarm_and_counting_starts_again() -> None:
    table = a_table(None, "operator appoint CA2 cashier")
    for second in (0, 100, 200, 300):
        assert names(say(table, f"@{second} CA1 redeem TICKET")) == ["WrongNumberTried"]
    assert names(say(table, "@599 CA2 redeem TICKET")) == ["WrongNumberTried"]
    fifth = say(table, "@599.999 CA1 redeem TICKET")
    assert names(fifth) == ["WrongNumberTried", "GuessingAlarmed"]
    assert fifth.refusal is not None
    assert fifth.refusal.alarm == "CA1 has presented 5 wrong numbers within ten minutes"
    assert names(say(table, "CA1 redeem TICKET")) == ["WrongNumberTried"]
    later = a_table()
    for second in (0, 100, 200, 300):
        say(later, f"@{second} CA1 redeem TICKET")
    assert names(say(later, "@600 CA1 redeem TICKET")) == ["WrongNumberTried"]


# The gaming day


@pytest.mark.parametrize("date", ["2026-W47-1", "20261116", "2026-11-31", ""])
@pytest.mark.clause("G-91")
def test_a_day_has_a_date_that_can_be_compared(date: str) -> None:
    answer = a_table().answer({"do": "open_day", "by": "operator", "date": date})
    assert answer.refusal is not None
    assert answer.refusal.code == "bad_date"


def test_the_day_adds_up_its_tickets_and_the_report_agrees_with_the_books() -> None:
    table = a_table(None, "operator configure_house 2", "operator open_day 2026-11-16", *TICKETED, "R1 printed TICKET")
    say_all(table, "R1 note 100", "R1 leave ticket=000000000000000002", "CA1 redeem 000000000000000002")
    say_all(table, "@86400 operator close_day", "operator open_day 2026-11-17")
    report = liability(table.floor.house)
    assert report.agrees
    assert [(one.status, one.days_old, one.tickets, one.cents) for one in report.outstanding] == [
        (TicketStatus.PRINTED, 1, 1, 5_000)
    ]
    closed = say(table, "@172800 operator close_day")
    assert names(closed) == ["TicketExpired", "GamingDayClosed", "GamingDayEnded"]
    day = closed.events[1]
    assert isinstance(day, e.GamingDayClosed)
    assert (day.day, day.date, day.issued_cents, day.expired_cents) == (2, "2026-11-17", 0, 5_000)
    assert day.outstanding_cents == 0
    report = liability(table.floor.house)
    assert (report.agrees, report.unclaimed_cents, report.days[1].paid) == (True, 5_000, 10_000)


def test_a_table_that_locked_itself_in_a_coup_does_not_keep_the_day_open_for_ever() -> None:
    opening = ("operator open_day 2026-11-16", *READY, "D1 buy_in A1 100", "D1 buy_in A2 100", "D1 open")
    table = a_table(None, *opening, "A1 set_wager banker 25", "D1 leave A2")
    meters = {**table.state.meters, "A2": table.state.meters["A2"].bought_in("cash", 1)}
    put_into(table, msgspec.structs.replace(table.state, meters=meters))
    say_all(table, "D1 pay A2")
    assert table.state.locked
    assert refusal(table, "operator close_day") == "coup_in_progress"
    say_all(table, "CS1 invalidate 1 malfunction books", "operator close_day")
    assert table.state.locked
    assert table.state.days_ended_with == 1


# Carrying


def test_whatever_is_carried_may_be_carried_again() -> None:
    """After the tickets were reinstated, paid and voided, and the patron readmitted, old news change nothing."""
    table = a_table(None, *TICKETED, "D1 buy_in A1 100 patron=P7", "TE1 print_failed TICKET jam")
    for number in (2, 3, 4):
        say_all(table, "R1 note 50", f"R1 leave ticket={number:018}")
    say_all(table, "CS1 reinstate TICKET found second=GS1", f"TE1 print_failed {2:018} jam")
    say_all(table, f"CS1 manual_pay {2:018} jam", f"CA1 redeem {3:018}", f"CS1 void_ticket {4:018} theft second=GS1")
    say_all(table, "CS1 breach A1 4.5 noise", "CS1 act_on_breach 1 exclude", "CS1 readmit P7 sorry")
    house, told_again = table.floor.house, 0
    state: AnyTable = UNCONFIGURED
    for event in table.history:
        state = evolve(state, event)
        act = NEWS[type(event)](table.name, event, state) if type(event) in NEWS else None
        if act is not None:
            at_once(table.floor.ask_house(act, clock_stamp(), table.now_ms))
            told_again += 1
    assert told_again == 9
    assert table.floor.house == house


def test_an_exclusion_that_a_frozen_table_could_not_act_on_is_acted_on_later() -> None:
    table = a_table(None, *READY, "D1 buy_in A1 100 patron=P7", "D1 freeze")
    assert names(say(table, "CS1 exclude P7 cheating")) == ["ExclusionMade"]
    assert names(say(table, "D1 unfreeze")) == ["AccountsUnfrozen", "DirectedToLeave", "LeaveAsked"]


def test_time_in_the_house_never_runs_backwards() -> None:
    pit = LineFloor()
    early, late = a_table(pit), a_table(pit)
    say_all(late, "@600 CS1 exclude P7 until_s=900 noise")
    say_all(early, "CS1 exclude P8 noise")
    made = [event for event in pit.history if isinstance(event, e.ExclusionMade)]
    assert [event.at_ms for event in made] == [600_000, 600_000]


def test_answers_are_numbered_by_their_lines_whatever_follows_from_them() -> None:
    table = a_table(None, *READY, "D1 buy_in A1 100 patron=P7")
    first = say(table, "operator option dragon_bonus 2")
    second = say(table, "CS1 exclude P7 cheating")
    third = say(table, "operator dismiss D1 left")
    assert [first.n, second.n, third.n] == [len(READY) + 2, len(READY) + 3, len(READY) + 4]


# The form of it all


@pytest.mark.parametrize(
    "line",
    [
        {"do": "option", "option": "dragon_bonus", "choice": "two"},
        {"do": "redeem", "by": "CA1"},
        {"do": "redeem", "by": "CA1", "ticket": TICKET, "colour": "red"},
        {"do": "redeem", "by": 7, "ticket": TICKET},
        {"do": "redeem", "by": "CA1", "ticket": TICKET, "at_ms": "now"},
        {"do": "appoint", "by": "operator", "person": "P1", "roles": ["emperor"]},
        {"do": "appoint", "by": "operator", "person": "Mary Poppins", "roles": ["dealer"]},
        {"do": "enrol", "by": "TE1", "second": "CS1", "device": "S1", "kind": "toaster", "key": KEY},
        {"do": "exclude", "by": "CS1", "patron": "P7", "reason": "noise", "until_ms": 1.5},
        {"do": "manual_pay", "by": "CS1", "ticket": [], "reason": "jam"},
        {"do": "buy_in", "by": "D1", "station": [], "patron": {}, "cents": 5},
        {"do": "leave", "by": "R1", "ticket": 5},
    ],
)
def test_what_is_no_command_is_malformed(line: dict[str, object]) -> None:
    answer = a_table().answer(line)
    assert answer.refusal is not None
    assert (answer.refusal.code, answer.events) == ("malformed", ())
    assert msgspec.json.encode(answer)


def test_the_document_names_every_verb_with_its_fields_and_every_event() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for verb, said in HOUSE_WORDS.items():
        (row,) = [line for line in text.splitlines() if line.startswith(f"| `{verb}` ")]
        own = set(HOUSE_VERBS[verb].__struct_fields__)
        assert set(said) <= own
        for name in own:
            assert f"`{name}`" in row, f"{verb} does not document {name}"
    for event in EVENTS:
        fields = ", ".join(f"`{name}`" for name in event.__struct_fields__)
        assert f"| `{event.__name__}` | {fields} |" in text


def test_the_diagram_of_tickets_shows_every_status() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for status in TicketStatus:
        assert f"--> {status}: " in text


def test_the_diagram_of_slips_shows_every_status() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for status in HouseSlipStatus:
        assert f"--> {status}: Slip" in text


def test_every_event_is_told_and_read_back_as_it_was_written() -> None:
    lines = ("operator configure_house 1", "operator open_day 2026-11-16", *TICKETED, "R1 printed TICKET")
    table = a_table(None, *lines, "operator option dragon_bonus 2", "CS1 exclude P7 noise", "CS1 readmit P7 sorry")
    say_all(table, "TE1 enrol S1 station KEY ATS-1 remote=yes second=CS1", "TE1 revoke S1 stolen", "D1 open")
    say_all(table, "clock lock_out D1", "GS1 unlock D1 a digit was wrong", "CA1 sign_on", "CA1 sign_off")
    say_all(table, f"operator make_service kiosk cage,meters {KEY} 86400000 60 a kiosk")
    say_all(table, "clock note_service_used kiosk", "CS1 revoke_service kiosk it was lost")
    say_all(table, "clock raise_light T1 slug - 90000 7 1000", "GS1 see_to_light T1 slug - the shuffle was repeated")
    for number in (2, 3, 4):
        say_all(table, "R1 note 50", f"R1 leave ticket={number:018}")
    say_all(table, f"CA1 redeem {2:018}", f"CS1 void_ticket {3:018} stolen second=GS1", "TE1 print_failed TICKET jam")
    say_all(table, "clock release_ticket TICKET T1", "CS1 hand_back TICKET at the wrong table")
    say_all(table, "R1 note 50", f"R1 leave ticket={6:018}", f"clock escrow_ticket {6:018} T1 A1")
    say_all(table, f"clock note_escrow_dropped {6:018} T1 A1 1", f"clock escrow_ticket {6:018} T1 A1")
    say_all(table, f"clock note_taken_in {6:018} T1 A1 2")
    say_all(table, "CS1 manual_pay TICKET jam", "D1 close", "D1 void", "operator dismiss TE1 left")
    for _ in range(5):
        say(table, "CA1 redeem 999999999999999999")
    say_all(table, *SLIPS)
    say_all(table, "@90000 operator expire", f"CS1 reinstate {4:018} hardship second=GS1", "operator close_day")
    say_all(table, "CS1 release_slip SPRING-000005 no ill at the time", "CA1 pay_slip SPRING-000005 second=CS1")
    say_all(table, "clock close_tournament SPRING", f"@{9 * 86_400} R1 note 50", f"R1 leave ticket={5:018}")
    assert refusal(table, f"CA1 redeem {2:018}") == "paid_already"
    history = table.floor.history
    assert {type(event) for event in history} == set(EVENTS)
    for event in history:
        assert msgspec.json.decode(msgspec.json.encode(event), type=e.AnyHouseEvent) == event
        assert told(event)
    assert fold(history) == table.floor.house
    assert liability(table.floor.house).agrees
