"""Signs: what happens to them when the table is closed and set up anew, and what they let nobody do."""

import json

import msgspec
import pytest

from sabot.floor.lines.table import LineFloor
from sabot.rules.rule_set import Bet
from sabot.table.fixtures import fixture
from tests.table.test_refusals import READY, say, say_all

CLOSED = ("GS1 check_cards 416 closing", "CS1 close_table")
SIGN = "D1 notice minimum super_6 10 from_s=1200"


@pytest.mark.clause("CROWN 5 footnote s66(2)")
def test_a_sign_falls_with_the_limits_it_was_given_for() -> None:
    talk = LineFloor().enter(fixture("crown"))
    say_all(talk, (*READY, SIGN, *CLOSED))
    configuration = msgspec.to_builtins(fixture("crown"))
    del configuration["limits"]["super_6"]
    configuration["offered"] = [bet for bet in configuration["limits"] if bet not in ("player", "banker", "tie")]
    changes = {name: configuration[name] for name in ("limits", "offered")}
    assert talk.answer({"do": "configure", "set": changes}).ok
    assert talk.state.notices == ()
    say_all(talk, (*READY[1:], "@1300 D1 open"))


@pytest.mark.clause("CROWN 5 footnote s66(2)")
def test_a_sign_outlasts_a_configuration_that_leaves_its_limits_alone() -> None:
    talk = LineFloor().enter(fixture("crown"))
    say_all(talk, (*READY, SIGN, *CLOSED, f"configure notes={json.dumps([500])}", *READY[1:], "@1300 D1 open"))
    assert talk.state.limits[Bet("super_6")].minimum == 1000


@pytest.mark.clause("CROWN 13.7")
def test_a_sign_at_an_empty_table_closes_it_on_nobody_who_came_since() -> None:
    talk = LineFloor().enter(fixture("crown"))
    say_all(talk, (*READY, "@60 CS1 notice closure from_s=60", "D1 buy_in A1 100", CLOSED[0]))
    refusal = say(talk, "@1259.999 CS1 close_table").refusal
    assert refusal is not None
    assert refusal.code == "stations_open"
    say_all(talk, ("@1260 CS1 close_table",))


@pytest.mark.clause("CROWN 5.3.3")
def test_nobody_asks_for_less_than_nothing_in_aggregate() -> None:
    talk = LineFloor().enter(fixture("crown"))
    say_all(talk, READY)
    refusal = say(talk, "D1 notice aggregate_minimum cents=-5").refusal
    assert refusal is not None
    assert (refusal.code, refusal.clause) == ("bad_amount", "CROWN 5.3.3")
