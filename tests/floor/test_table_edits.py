"""What an edit of a table's file comes to, for every key of the file: now, when the table is closed, or why never."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.table_edits import StaffEdit, When, is_on_record, plan_edits, plan_staff
from sabot.rules import shipped
from sabot.rules.limits import Limits
from sabot.rules.rule_set import Bet
from sabot.rules.rule_set_file import read_rule_set, write_rule_set
from sabot.table.configuration import CarePart, Configuration, DevicePart, StationPart
from sabot.table.role import Role
from tests.runtime.floors import table_for

NOW: When = "now"
CLOSED: When = "when the table is closed"
NEVER: When = "not by this file"
SIGN: When = "after a sign"
PRESENT = replace(table_for(stations=3), features=("clock",))


def _own() -> dict[str, Any]:
    own = json.loads(write_rule_set(shipped.rule_set("crown-traditional")))
    made = read_rule_set(json.dumps({**own, "id": "house", "document": "HOUSE"}).encode(), "house.json")
    return {"rule_set": "house", "own_rule_set": made}


def _limits(bet: str, **change: int) -> dict[str, Any]:
    limits = PRESENT.limits[Bet(bet)]
    return {"limits": {**PRESENT.limits, Bet(bet): replace(limits, **change)}}


PLAYER: Limits = PRESENT.limits[Bet("player")]
EDITS: dict[str, tuple[dict[str, Any], When, When]] = {
    "rule_set": ({"rule_set": "crown-baccarat"}, CLOSED, NOW),
    "own_rule_set": (_own(), CLOSED, NOW),
    "game": ({"game": "Rapid Baccarat 2", "approved_games": ("Rapid Baccarat 2",)}, CLOSED, NOW),
    "approved_games": ({"approved_games": ("Rapid Baccarat", "Rapid Roulette")}, CLOSED, NOW),
    "decks": ({"decks": 6, "offered": ()}, CLOSED, NOW),
    "options": ({"options": {"dragon_bonus": 2}}, NEVER, NEVER),
    "offered": ({"offered": ()}, NOW, NOW),
    "limits.player": (_limits("player", maximum=PLAYER.maximum + PLAYER.step), NOW, NOW),
    "limits.banker": (_limits("banker", minimum=2 * PRESENT.limits[Bet("banker")].minimum), SIGN, SIGN),
    "aggregate_minimum": ({"aggregate_minimum": 100_000}, SIGN, SIGN),
    "wagering_period_ms": ({"wagering_period_ms": 31_000}, NOW, NOW),
    "cutting_card": ({"cutting_card": 2}, CLOSED, NOW),
    "cutting_card_first": ({"cutting_card_first": "last"}, CLOSED, NEVER),
    "face_up": ({"face_up": False}, NOW, NOW),
    "layout": ({"layout": "Z"}, CLOSED, NEVER),
    "stations": ({"stations": {**PRESENT.stations, "A4": StationPart(approval="ATS-4")}}, CLOSED, NOW),
    "console": ({"console": DevicePart(approval="SGC-9")}, CLOSED, NOW),
    "display": ({"display": DevicePart(approval="WND-9")}, CLOSED, NOW),
    "approved_distance_m": ({"approved_distance_m": 60}, CLOSED, NOW),
    "staff": ({"staff": {**PRESENT.staff, "D9": (Role.DEALER,)}}, NOW, NOW),
    "two_persons": ({"two_persons": ("correct",)}, CLOSED, NOW),
    "counts_float": ({"counts_float": True}, CLOSED, NOW),
    "care": ({"care": CarePart(reality_check_minutes=60)}, CLOSED, NOW),
    "squeeze": ({"squeeze": True}, NOW, NOW),
    "most_repeats": ({"most_repeats": 3}, NOW, NOW),
    "features": ({"features": ("roads",)}, NOW, NOW),
    "approved_builds": ({"approved_builds": ("0" * 64,)}, CLOSED, NOW),
    "notes": ({"notes": (5000,)}, CLOSED, NOW),
    "tenders": ({"tenders": ("cash",)}, CLOSED, NOW),
    "smallest_chip": ({"smallest_chip": 100}, CLOSED, NOW),
    "ticket_at_table": ({"ticket_at_table": True}, CLOSED, NEVER),
    "currency": ({"currency": "SGD"}, CLOSED, NOW),
    "time_zone": ({"time_zone": "Asia/Singapore"}, CLOSED, NOW),
    "gaming_day_starts": ({"gaming_day_starts": "07:00"}, CLOSED, NOW),
    "operator": ({"operator": "Another casino"}, NOW, NOW),
    "regulator": ({"regulator": "VGCCC"}, NOW, NOW),
}


def _table(*lines: dict[str, Any]) -> LineTable:
    talk = LineFloor().enter(PRESENT)
    for line in lines:
        answer = talk.answer(line)
        assert answer.ok, answer.refusal
    return talk


OPENING = ({"do": "sign_on", "by": "D1"}, {"do": "open_table", "by": "D1"})


@pytest.fixture(scope="module")
def open_table() -> LineTable:
    return _table(*OPENING)


@pytest.fixture(scope="module")
def closed_table() -> LineTable:
    return _table()


def test_every_key_of_a_table_s_file_has_its_case() -> None:
    """Its name is what makes it the table that it is; another name is another table."""
    assert {key.partition(".")[0] for key in EDITS} | {"table"} == set(Configuration.__struct_fields__)


@pytest.mark.parametrize("key", EDITS)
def test_an_edit_takes_effect_when_the_rules_allow_it_and_otherwise_says_why(
    key: str, open_table: LineTable, closed_table: LineTable
) -> None:
    change, when_open, when_closed = EDITS[key]
    wanted = replace(PRESENT, **change)
    for table, when in ((open_table, when_open), (closed_table, when_closed)):
        plan = plan_edits(table.state, wanted, 0)
        edits = {edit.key: edit for edit in plan.edits}
        assert edits[key].when == when, edits[key].sentence
        assert bool(edits[key].why) is (when != NOW)
        assert edits[key].before != edits[key].after
        applied = plan.target is not None and getattr(plan.target, key.partition(".")[0]) == change.get(
            key.partition(".")[0]
        )
        assert applied is (when == NOW)


def test_of_a_list_by_name_only_the_names_that_differ_are_told(open_table: LineTable) -> None:
    (edit,) = plan_edits(open_table.state, replace(PRESENT, staff={**PRESENT.staff, "D9": (Role.DEALER,)}), 0).edits
    assert edit.sentence == 'staff is D9 ["dealer"], and was D9 not there: in effect from now on'


def test_a_file_as_on_record_asks_for_nothing(open_table: LineTable) -> None:
    assert plan_edits(open_table.state, PRESENT, 0) == plan_edits(open_table.state, PRESENT, 1)
    assert plan_edits(open_table.state, PRESENT, 0).edits == ()


def test_a_program_whose_rule_set_has_another_digest_than_on_record_configures_the_table_anew(
    open_table: LineTable,
) -> None:
    """What the next `TableOpened` says must be what the table plays by. Other edits take effect in the same act."""
    earlier = replace(open_table.state, rule_set_digest="0" * 64)
    plan = plan_edits(earlier, PRESENT, 0)
    (edit,) = plan.edits
    assert (edit.key, edit.when, plan.target) == ("rule_set", NOW, PRESENT)
    assert edit.before == "crown-traditional of digest 000000000000"
    assert not is_on_record(earlier, PRESENT)
    assert is_on_record(open_table.state, PRESENT)
    squeezed = plan_edits(earlier, replace(PRESENT, squeeze=True, decks=6), 0)
    assert [(one.key, one.when) for one in squeezed.edits] == [("rule_set", NOW), ("decks", CLOSED), ("squeeze", NOW)]
    assert squeezed.target == replace(PRESENT, squeeze=True)
    dealing = _table(
        *OPENING,
        {"do": "check_cards", "by": "GS1", "cards": 416},
        {"do": "new_shoe", "by": "D1"},
        {"do": "cut", "by": "GS1", "at": 200},
        {"do": "burn", "by": "D1"},
        {"do": "buy_in", "by": "D1", "station": "A1", "cents": 50_000},
        {"do": "open", "by": "D1"},
    )
    in_a_coup = plan_edits(replace(dealing.state, rule_set_digest="0" * 64), PRESENT, 0)
    assert [(one.key, one.when) for one in in_a_coup.edits] == [("rule_set", "after the coup")]
    assert in_a_coup.target is None


def test_of_several_edits_the_lawful_ones_take_effect_and_each_of_the_others_has_its_reason(
    open_table: LineTable,
) -> None:
    """A minimum that rises waits for its sign, and the maximum of the same bet does not wait with it."""
    raised = replace(PLAYER, minimum=2 * PLAYER.minimum, maximum=PLAYER.maximum + PLAYER.step)
    wanted = replace(
        PRESENT, limits={**PRESENT.limits, Bet("player"): raised}, decks=6, squeeze=True, options={"dragon_bonus": 3}
    )
    plan = plan_edits(open_table.state, wanted, 0)
    assert {edit.key: edit.when for edit in plan.edits} == {
        "limits.player": SIGN,
        "decks": CLOSED,
        "squeeze": NOW,
        "options": NEVER,
    }
    assert plan.target is not None
    assert (plan.target.squeeze, plan.target.decks, plan.target.options) == (True, 8, PRESENT.options)
    assert plan.target.limits[Bet("player")] == replace(PLAYER, maximum=PLAYER.maximum + PLAYER.step)
    assert len(plan.waiting) == 3


@pytest.mark.parametrize(
    ("house", "before", "after", "edits"),
    [
        ({"D1": ("dealer",)}, {"D1": {"dealer"}}, {"D1": {"dealer"}}, []),
        ({}, {}, {"D9": {"dealer"}}, [StaffEdit(person="D9", roles=("dealer",))]),
        ({"D1": ("dealer",)}, {"D1": {"dealer"}}, {}, [StaffEdit(person="D1", roles=())]),
        (
            {"D1": ("dealer", "cashier")},
            {"D1": {"dealer"}},
            {"D1": {"game_supervisor"}},
            [StaffEdit(person="D1", roles=("cashier", "game_supervisor"))],
        ),
        ({"D1": ("cashier",)}, {"D1": {"cashier"}}, {"D1": {"cashier"}}, []),
    ],
)
def test_staff_lists_appoint_and_dismiss_and_leave_what_the_desk_gave(
    house: dict[str, tuple[str, ...]], before: dict[str, set[str]], after: dict[str, set[str]], edits: list[StaffEdit]
) -> None:
    assert list(plan_staff(house, before, after)) == edits


def test_who_was_dismissed_at_the_desk_does_not_come_back_by_a_file() -> None:
    (edit,) = plan_staff({"D1": ()}, {"D1": {"dealer"}}, {"D1": {"dealer", "cashier"}})
    assert edit.why_not
