"""The table as a whole: phases, documents, the tester's interface."""

import inspect
import json
from pathlib import Path

import msgspec
import pytest

from sabot.floor.lines.reader import TABLE_VERBS
from sabot.floor.lines.table import LineFloor
from sabot.floor.lines.words import TABLE_WORDS
from sabot.house import events as house_events
from sabot.rules.shipped import IDS
from sabot.table import acts, events
from sabot.table.configuration import read_configuration
from sabot.table.fixtures import NAMES, fixture
from sabot.table.phase import TRANSITIONS, Phase, diagram
from sabot.table.phrases import PHRASES
from sabot.table.rules import RULES
from sabot.tournament import events as tournament_events
from tests.cli.sabot import assert_one_clear_sentence, sabot

DOCS = Path(__file__).parents[2] / "docs" / "table.md"


def _classes(module: object, base: type) -> set[type]:
    return {one for _, one in inspect.getmembers(module, inspect.isclass) if issubclass(one, base) and one is not base}


def test_every_command_is_decided_and_every_event_is_told() -> None:
    assert _classes(acts, acts.Act) == set(RULES)
    assert {event.__name__ for event in _classes(events, events.Event)} <= PHRASES.keys()


def test_phases_move_only_by_events_that_exist() -> None:
    names = {event.__name__ for event in _classes(events, events.Event)}
    assert set(TRANSITIONS) == set(Phase)
    assert {event for moves in TRANSITIONS.values() for event in moves} <= names


def test_the_document_shows_the_phases_and_every_verb() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert diagram() in text
    for verb, command in TABLE_VERBS.items():
        assert f"`{verb}`" in text
        (row,) = [line for line in text.splitlines() if line.startswith(f"| `{verb}` ")]
        for name in command.__struct_fields__:
            assert f"`{name}`" in row, f"{verb} does not document {name}"
    for event in _classes(events, events.Event):
        assert f"`{event.__name__}`" in text


def test_shorthand_knows_every_verb() -> None:
    assert set(TABLE_WORDS) == set(TABLE_VERBS)


@pytest.mark.parametrize("identity", IDS)
def test_the_shipped_configurations_serve_every_rule_set(identity: str) -> None:
    name = "crown" if identity.startswith("crown") else "singapore"
    LineFloor().enter(msgspec.structs.replace(fixture(name), rule_set=identity))
    assert set(NAMES) == {"crown", "singapore"}


def test_a_configuration_round_trips_through_json() -> None:
    one = fixture("crown")
    assert read_configuration(msgspec.json.decode(msgspec.json.encode(one))) == one


def test_the_json_interface_answers_in_the_one_form() -> None:
    lines = [
        {"do": "sign_on", "by": "D1", "at_ms": 0},
        {"do": "fly", "by": "D1"},
        {"do": "set_wager", "station": "A1", "bet": "banker", "cents": 2500, "colour": "red"},
    ]
    given = "\n".join([*map(json.dumps, lines), "nonsense", "[]"]) + "\n"
    ran = sabot("table", "--json", given=given)
    assert ran.code == 0
    first, *rest = ran.lines
    keys = ["n", "ok", "refusal", "events", "phase", "balances", "layout", "held", "owed", "next", "deadline_ms"]
    keys += ["payable", "sentences"]
    assert list(first) == keys
    assert first["events"] == [{"event": "SignedOn", "who": "D1", "role": "dealer", "at_ms": 0, "number": 1}]
    assert [answer["n"] for answer in rest] == [2, 3, 4, 5]
    assert {answer["refusal"]["code"] for answer in rest} == {"malformed"}
    assert set(rest[0]["refusal"]) == {"code", "clause", "text"}
    assert "there is no key colour" in rest[1]["refusal"]["text"]


@pytest.mark.parametrize("line", [r'{"do":"incident","by":"D1","station":"A1","text":"\ud800"}', "[" * 100_000])
def test_a_line_that_nobody_could_write_back_is_answered_too(line: str) -> None:
    ran = sabot("table", "--json", given=f"{line}\n" + '{"do":"sign_on","by":"D1"}\n')
    answers = [json.loads(answer) for answer in ran.out.splitlines()]
    assert [answer["ok"] for answer in answers] == [False, True]


def test_a_script_is_told_in_sentences_with_clauses() -> None:
    script = "D1 sign_on  # a comment\n\nD1 open_table\nD1 cut 100\nwhat\nhelp\n"
    ran = sabot("table", given=script)
    assert "D1 signs on as Dealer" in ran.out
    assert "✗ this is for a Game Supervisor or Casino Supervisor, not a Dealer (CROWN 3.7)" in ran.out
    assert "? 'what' is no command" in ran.out
    assert "set_wager bet cents" in ran.out


def test_a_casinos_own_rule_set_can_be_played(tmp_path: Path) -> None:
    own = sabot("rules", "mbs-baccarat", "--json").out.replace('"id":"mbs-baccarat"', '"id":"my-casino"')
    own = own.replace('"document":"MBS-B"', '"document":"MINE"')
    file = tmp_path / "own.json"
    file.write_text(own.replace('"pays":["8"]', '"pays":["9"]'))
    lines = ["D1 sign_on", "D1 open_table", "GS1 check_cards 416", "D1 new_shoe", "GS1 cut 100", "D1 burn"]
    lines += ["D1 buy_in P1 100", "D1 open", "P1 set_wager tie 25", "D1 close"]
    lines += [f"D1 card {card}" for card in ("3S", "2H", "3D", "4C")] + ["D1 confirm"]
    ran = sabot("table", "--config", "singapore", "--rule-set", str(file), given="\n".join(lines) + "\n")
    assert "P1 tie 25.00: win +225.00" in ran.out


@pytest.mark.parametrize(
    "words",
    [
        ["table", "--config", "nowhere"],
        ["table", "--config", "nowhere.toml"],
        ["table", "--rule-set", "nowhere"],
        ["table", "--config", "singapore", "--rule-set", "crown-traditional"],
    ],
)
def test_a_wrong_configuration_gets_one_clear_sentence(words: list[str]) -> None:
    assert_one_clear_sentence(sabot(*words))


def test_a_configuration_file_that_no_table_may_have(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    for change in ({"decks": 9}, {"stations": {}, "colour": "red"}, {"wagering_period_ms": 0}):
        file.write_bytes(msgspec.json.encode({**msgspec.to_builtins(fixture("crown")), **change}))
        assert_one_clear_sentence(sabot("table", "--config", str(file)))
    file.write_text("{")
    assert_one_clear_sentence(sabot("table", "--config", str(file)))


def test_the_events_schema_is_generated() -> None:
    schema = sabot("table", "--schema").json
    assert "CardDealt" in schema["$defs"]
    house = _classes(house_events, house_events.HouseEvent)
    competing = _classes(tournament_events, tournament_events.TournamentEvent)
    assert len(schema["anyOf"]) == len(_classes(events, events.Event)) + len(house) + len(competing)
    assert {one["$ref"].removeprefix("#/$defs/") for one in schema["anyOf"]} <= set(schema["$defs"])
