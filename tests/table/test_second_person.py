"""Whatever a table's configuration lets nobody do alone is refused without a second person, and done with one."""

from typing import get_args

import msgspec
import pytest

from sabot.floor.lines.table import LineFloor
from sabot.table.configuration import TwoPersonAct
from sabot.table.events import Countersigned
from sabot.table.fixtures import fixture
from tests.table.test_refusals import NATURAL, READY, say, say_all

PLAYED = (
    "D1 buy_in A1 100",
    "D1 open",
    "A1 set_wager player 100",
    *(f"D1 card {card}" for card in NATURAL),
    "D1 confirm",
)
UNDONE = ("D1 freeze", "D1 correct 1 cards=KH,5S,QC,4D second=GS1", "D1 recalculate", "D1 unfreeze")
TICKET = "123456789012345678"

ACTS: list[tuple[str, tuple[str, ...], str]] = [
    ("correct", (*PLAYED, "D1 freeze"), "D1 correct 1 cards=KH,5S,QC,4D"),
    ("void", ("D1 open", "D1 card 5S"), "CS1 invalidate 1 commotion fire"),
    ("void", ("D1 open", "D1 card 5S", "D1 fact foreign_card"), "CS1 resolve void"),
    ("invalidate", PLAYED, "GS1 invalidate 1 malfunction shoe"),
    (
        "manual_pay",
        ("R1 note 50", f"R1 leave ticket={TICKET}", f"R1 print_failed {TICKET} jam"),
        f"CS1 manual_pay {TICKET} x",
    ),
    ("waive", (*PLAYED, "D1 open", "A1 set_wager player 200", *UNDONE), "CS1 waive A1 goodwill"),
    ("correct_buy_in", ("D1 buy_in A3 1000",), "GS1 correct_buy_in A3 1000 100 slip"),
    ("limits", (), "D1 notice minimum banker 50 from_s=1200"),
    ("limits", (), "D1 notice minimum banker 20"),
]


@pytest.mark.parametrize(("act", "lead_up", "line"), ACTS, ids=lambda one: str(one)[:40])
@pytest.mark.clause("G-92", "G-99")
def test_nobody_does_it_alone(act: TwoPersonAct, lead_up: tuple[str, ...], line: str) -> None:
    talk = LineFloor().enter(msgspec.structs.replace(fixture("crown"), two_persons=(act,)))
    say_all(talk, (*READY, *lead_up))
    before = talk.state
    alone = say(talk, line)
    assert alone.refusal is not None, alone.events
    assert alone.refusal.code == "second_person_due"
    assert talk.state is before
    other = "GS1" if line.startswith("CS1") else "CS1"
    together = say(talk, f"{line} second={other}")
    assert together.ok, together.refusal
    assert together.events[-1] == Countersigned(act=act, by=line.split(maxsplit=1)[0], second=other, clause="G-99")


@pytest.mark.clause("G-99")
def test_limits_are_configured_by_two() -> None:
    talk = LineFloor().enter(msgspec.structs.replace(fixture("crown"), two_persons=("limits",)))
    limits = msgspec.to_builtins(fixture("crown").limits)
    line = {"do": "configure", "set": {"limits": {**limits, "tie": {**limits["tie"], "maximum": 50_000}}}}
    alone = talk.answer(line)
    assert alone.refusal is not None
    assert alone.refusal.code == "second_person_due"
    assert talk.answer({**line, "second": "CS1"}).ok
    assert talk.answer({"do": "configure", "set": {"operator": "the House"}}).ok


@pytest.mark.parametrize("line", ["D1 fill 100 F1", "D1 credit 100 C1", "D1 count_float 1000"])
@pytest.mark.clause("G-99", "G-191", "G-192")
def test_chips_are_moved_and_counted_by_two_at_every_table(line: str) -> None:
    talk = LineFloor().enter(fixture("crown"))
    say_all(talk, (*READY, "D1 fill 1000 F0 second=GS1"))
    alone = say(talk, line)
    assert alone.refusal is not None
    assert alone.refusal.code == "second_person_due"
    together = say(talk, f"{line} second=GS1")
    assert together.events[-1] == Countersigned(act=line.split()[1], by="D1", second="GS1", clause="G-99")


def test_every_act_that_may_need_two_is_tried() -> None:
    assert {act for act, _, _ in ACTS} == set(get_args(TwoPersonAct))


def test_where_nothing_needs_two_nothing_is_countersigned_but_a_false_second_is_refused() -> None:
    talk = LineFloor().enter(fixture("crown"))
    say_all(talk, (*READY, *PLAYED, "D1 freeze"))
    wrong = say(talk, "D1 correct 1 cards=KH,5S,QC,4D second=D1")
    assert wrong.refusal is not None
    assert wrong.refusal.code == "same_person"
    right = say(talk, "D1 correct 1 cards=KH,5S,QC,4D second=GS1")
    assert [type(event).__name__ for event in right.events] == ["OutcomeCorrected"]


@pytest.mark.clause("CROWN 11.7.1(b)", "G-99")
def test_a_dealer_confirms_alone_a_coup_whose_left_over_card_opens_a_dummy_coup() -> None:
    talk = LineFloor().enter(msgspec.structs.replace(fixture("crown"), two_persons=("void",)))
    cards = [f"D1 card {card}" for card in ("4S", "4D", "3H", "3C")]
    say_all(talk, (*READY, "D1 buy_in A1 100", "D1 open", "A1 set_wager tie 5", *cards))
    say_all(talk, ("D1 fact wrong_third_card cards=5C hand=player", "D1 resolve settle_then_dummy", "D1 confirm"))
    assert talk.state.coup is not None
    assert talk.state.coup.dummy


@pytest.mark.clause("G-99", "G-118")
def test_who_is_taken_off_the_staff_list_is_signed_off() -> None:
    talk = LineFloor().enter(fixture("crown"))
    say_all(talk, READY)
    staff = {who: roles for who, roles in fixture("crown").staff.items() if who != "D1"}
    assert talk.answer({"do": "configure", "set": {"staff": staff}}).ok
    refusal = say(talk, "D1 buy_in A1 100").refusal
    assert refusal is not None
    assert refusal.code == "unknown_person"
