"""Every refusal has its row: what leads up to it, and the line that is refused. The state stays as it was."""

import json
import re

import msgspec
import pytest

from sabot.basics.figures import Figure, in_english
from sabot.basics.stamp import Stamp, operator_stamp
from sabot.floor.lines.answer import LineAnswer
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.lines.words import read_line
from sabot.house.refusal import HouseCause
from sabot.rulebook.clauses import clauses, readings
from sabot.rules.shipped import IDS
from sabot.table import acts
from sabot.table.decide import decide
from sabot.table.events import Configured, WagersChanged
from sabot.table.evolve import evolve
from sabot.table.fixtures import fixture
from sabot.table.refusal import Cause, Refused
from sabot.table.role import Role
from sabot.table.state import UNCONFIGURED
from tests.table.playing import put_into
from tests.tables import rows

READY = ("D1 sign_on", "D1 open_table", "GS1 check_cards 416", "D1 new_shoe", "GS1 cut 100", "D1 burn")
NATURAL = ("5S", "KH", "4D", "QC")


def say(talk: LineTable, line: str) -> LineAnswer:
    if line == "close with salts zz":
        return talk.answer({"do": "close", "by": "D1", "salts": {"A1": "zz"}})
    if line.startswith("configure "):
        key, _, value = line.removeprefix("configure ").partition("=")
        return talk.answer({"do": "configure", "set": {key: json.loads(value)}})
    return talk.answer(read_line(line, talk.now_ms))


def lead_up(given: str) -> LineTable:
    first, *rest = given.split("; ")
    talk = LineFloor().enter(fixture("singapore" if first == "singapore" else "crown"))
    if first == "no-acceptor":
        stations = talk.state.configuration.stations
        without = {name: msgspec.structs.replace(one, note_acceptor=False) for name, one in stations.items()}
        say_all(talk, [f"configure stations={msgspec.json.encode(without).decode()}"])
    if first == "counts-float":
        say_all(talk, ["configure counts_float=true"])
    if first == "checks":
        say_all(talk, ['configure care={"reality_check_minutes": 60}'])
    if first == "alone":
        say_all(talk, ['configure two_persons=["manual_pay"]'])
    say_all(talk, [] if first in ("-",) else READY if not first.endswith("sign_on") else [first])
    if first == "eight-aces":
        say_all(talk, ["D1 open", "D1 card AS", "D1 card AS", "D1 card AS", "D1 card AS", "D1 card AS", "D1 card AS"])
        say_all(talk, ["D1 confirm", "D1 open", "D1 card AS", "D1 card AS"])
    if first == "played":
        say_all(talk, ["D1 buy_in A1 100", "D1 open", "A1 set_wager banker 25"])
        say_all(talk, [f"D1 card {card}" for card in ("2S", "4H", "3D", "3C", "3S")] + ["D1 confirm"])
    if first == "empty":
        say_all(talk, ["D1 open", "D1 close"])
        put_into(talk, msgspec.structs.replace(talk.state, shoe=msgspec.structs.replace(talk.state.shoe, out=416)))
    if first == "nearly-empty":
        put_into(talk, msgspec.structs.replace(talk.state, shoe=msgspec.structs.replace(talk.state.shoe, out=411)))
    say_all(talk, rest)
    return talk


def say_all(talk: LineTable, lines: list[str] | tuple[str, ...]) -> None:
    for line in lines:
        answer = say(talk, line)
        assert answer.ok, (line, answer.refusal)


@pytest.mark.parametrize("row", rows("refusals.tsv"), ids=lambda row: row["cause"])
def test_refusal(row: dict[str, str]) -> None:
    talk = lead_up(row["given"])
    before = talk.state
    answer = say(talk, row["refused"])
    assert answer.refusal is not None, answer.events
    assert answer.refusal.code == row["cause"].lower()
    assert answer.refusal.clause in clauses() or answer.refusal.clause in readings()
    assert "{" not in answer.refusal.text
    causes: list[Cause | HouseCause] = [
        Cause[row["cause"]],
        *(cause for cause in HouseCause if cause.name == row["cause"]),
    ]
    assert answer.refusal.text in _said(causes, answer.refusal.values)
    assert talk.state is before


def _said(causes: list[Cause | HouseCause], values: dict[str, Figure]) -> list[str]:
    """What table or house would say with these figures."""
    with_figures = [cause for cause in causes if set(re.findall(r"{(\w+)", cause.sentence)) <= values.keys()]
    return [in_english(cause.sentence, values) for cause in with_figures]


def test_a_refusal_carries_its_amounts_as_values() -> None:
    talk = lead_up("ready; D1 buy_in A1 100; D1 open")
    refused = say(talk, "A1 set_wager banker 1").refusal
    assert refused is not None
    assert refused.values == {"bet": "banker", "minimum_cents": 2_500}
    assert refused.text == "the minimum on banker is 25.00"


LOCKED = {"TABLE_LOCKED", "NOTHING_TO_BOOK", "NOT_BETWEEN"}
"""The refusals of a locked table, to which no play leads; `test_locked.py` has them."""
RACED = {"NOT_ANNOUNCED", "NOT_IN_ESCROW"}
"""No line meets them: nothing comes between the house's record and the table's; `test_two_streams.py` and
`test_tickets_in.py` have them."""


def test_every_refusal_has_its_row() -> None:
    elsewhere = LOCKED | RACED | {row["cause"] for row in rows("session_refusals.tsv")}
    assert {row["cause"] for row in rows("refusals.tsv")} | elsewhere == {cause.name for cause in Cause}


def test_a_table_whose_books_do_not_agree_locks_itself_and_stays_locked() -> None:
    talk = LineFloor().enter(fixture("crown"))
    say_all(talk, READY)
    say_all(talk, ["D1 buy_in A1 100"])
    sound = talk.state
    purses = {**sound.ledger.purses, "A1": msgspec.structs.replace(sound.purse("A1"), balance=99_900)}
    put_into(talk, msgspec.structs.replace(sound, ledger=msgspec.structs.replace(sound.ledger, purses=purses)))
    answer = say(talk, "D1 open")
    assert [type(event).__name__ for event in answer.events] == ["TableLocked"]
    refused = say(talk, "D1 pay A1")
    assert refused.refusal is not None
    assert refused.refusal.code == "table_locked"
    assert "are not the liabilities" in refused.refusal.text


def test_a_casino_supervisor_ends_the_coup_at_a_locked_table_and_nobody_does_anything_else_there() -> None:
    talk = LineFloor().enter(fixture("crown"))
    say_all(talk, (*READY, "D1 buy_in A1 100", "D1 buy_in A2 100", "D1 open", "A1 set_wager banker 25", "A2 leave"))
    meters = {**talk.state.meters, "A2": talk.state.meters["A2"].bought_in("cash", 1)}
    put_into(talk, msgspec.structs.replace(talk.state, meters=meters))
    assert [type(event).__name__ for event in say(talk, "D1 pay A2").events] == ["TableLocked"]
    for line in ("GS1 invalidate 1 malfunction books", "CS1 invalidate 7 malfunction books", "CS1 order_shuffle books"):
        refused = say(talk, line)
        assert refused.refusal is not None
        assert refused.refusal.code == "table_locked"
    say_all(talk, ["CS1 invalidate 1 malfunction books", "clock end_day 2026-11-16"])
    assert talk.state.coup is None
    assert talk.state.purse("A1").balance == 10_000
    assert talk.state.days_ended_with == 1
    assert talk.state.locked


def test_meters_that_disagree_lock_the_table_before_a_payment() -> None:
    talk = LineFloor().enter(fixture("crown"))
    say_all(talk, (*READY, "D1 buy_in A1 100", "A1 leave"))
    meters = {**talk.state.meters, "A1": talk.state.meters["A1"].bought_in("cash", 1)}
    put_into(talk, msgspec.structs.replace(talk.state, meters=meters))
    answer = say(talk, "D1 pay A1")
    assert [type(event).__name__ for event in answer.events] == ["TableLocked"]
    assert talk.state.purse("A1").held == 10_000


def test_clauses_of_refusals_belong_to_the_document_that_is_played() -> None:
    """Under another document a refusal cites that document or a reading, never a clause of CROWN's wagering rules."""
    for identity in IDS[2:]:
        configuration = msgspec.structs.replace(fixture("singapore"), rule_set=identity)
        talk = LineFloor().enter(configuration)
        document = talk.state.terms.rule_set.document
        say_all(talk, (*READY, "D1 buy_in P1 100"))
        late = say(talk, "P1 set_wager banker 25").refusal
        assert late is not None
        assert late.clause.startswith((f"{document} ", "G-"))
        early = lead_up("singapore; D1 open")
        refusal = say(early, "D1 card 2S").refusal
        assert refusal is not None
        assert refusal.clause == "MBS-R 3.2"


def test_a_table_without_a_configuration_is_closed_and_takes_nothing_else() -> None:
    assert UNCONFIGURED.phase == "closed"
    refused = decide(UNCONFIGURED, acts.SignOn(), Stamp(by="D1", role=Role.DEALER))
    assert isinstance(refused, Refused)
    assert refused.code == "table_closed"
    configure = acts.Configure(configuration=fixture("crown"))
    by_another = decide(UNCONFIGURED, configure, Stamp(by="CS1", role=Role.CASINO_SUPERVISOR))
    assert isinstance(by_another, Refused)
    configured = decide(UNCONFIGURED, configure, operator_stamp())
    assert not isinstance(configured, Refused)
    assert [type(event) for event in configured] == [Configured]
    with pytest.raises(AssertionError, match="begins with its configuration"):
        evolve(UNCONFIGURED, WagersChanged(station="A1", before={}, after={}, clause=""))
