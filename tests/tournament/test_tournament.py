"""A tournament decides for itself, says why not, and is what its events say."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from sabot.floor.competing import TOURNAMENT_VERBS, Tournaments
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.sentences import told
from sabot.table.fixtures import fixture
from sabot.tournament import commands as c
from sabot.tournament.events import AnyTournamentEvent
from sabot.tournament.state import Entrant, EntrantStatus, fold

DOCS = Path(__file__).resolve().parents[2] / "docs" / "table.md"
SPRING: list[dict[str, Any]] = [
    {"do": "create_tournament", "tournament": "S", "name": "Spring"},
    {"do": "save_conditions", "tournament": "S", "entry_fee_cents": 5000, "starting_credit": 1000, "coups": 20},
    {"do": "approve_conditions", "tournament": "S", "version": 1, "reference": "EC-17"},
    {"do": "appoint_director", "tournament": "S", "director": "TD1"},
    {"do": "register_entrant", "tournament": "S", "entrant": 1, "player": "P-1", "fee_cents": 5000},
    {"do": "register_entrant", "tournament": "S", "entrant": 2, "player": "P-2", "fee_cents": 5000},
]
START = {"do": "start_session", "by": "TD1", "tournament": "S"}


def tournaments(table: LineTable) -> Tournaments:
    assert table.floor.tournaments is not None
    return table.floor.tournaments


def spring(*without: str) -> LineTable:
    table = LineFloor().enter(fixture("crown"))
    for line in SPRING:
        if line["do"] not in without:
            assert table.answer(dict(line)).ok
    return table


@pytest.mark.clause("CROWN 12.1.1")
def test_an_entrants_record_holds_fee_seats_and_credits_of_every_session() -> None:
    table = spring()
    assert table.answer({**START, "seats": {"1": "T1/A1", "2": "T1/A2"}}).ok
    assert table.answer({**START, "seats": {"1": "T1/A2"}}).ok
    state = tournaments(table).states["S"]
    assert state.entrants[1] == Entrant("P-1", 5000, EntrantStatus.PLAYING, {1: "T1/A1", 2: "T1/A2"}, (1000, 1000))
    assert state.entrants[2] == Entrant("P-2", 5000, EntrantStatus.PLAYING, {1: "T1/A2"}, (1000,))
    assert fold(tournaments(table).history) == state


REFUSED = [
    ((), SPRING[0], "tournament_exists"),
    ((), {**SPRING[0], "tournament": "A", "name": " "}, "name_missing"),
    ((), {**SPRING[1], "tournament": "A"}, "no_tournament"),
    ((), {**SPRING[1], "coups": 0}, "bad_conditions"),
    ((), {**SPRING[1], "by": "D1"}, "wrong_role"),
    ((), {**SPRING[2], "version": 2}, "unknown_version"),
    ((), {**SPRING[2], "reference": ""}, "approval_missing"),
    ((), SPRING[3], "no_director"),
    ((), SPRING[4], "entered_already"),
    ((), {**SPRING[4], "entrant": 3, "fee_cents": 1}, "wrong_fee"),
    (
        ("save_conditions", "approve_conditions", "register_entrant"),
        {**SPRING[4], "entrant": 3},
        "no_conditions",
    ),
    (("appoint_director",), {**START, "seats": {"1": "T1/A1"}}, "no_director"),
    (("approve_conditions",), {**START, "seats": {"1": "T1/A1"}}, "approval_missing"),
    ((), {**START, "by": "CS1", "seats": {"1": "T1/A1"}}, "wrong_role"),
    ((), {**START, "seats": {}}, "unknown_entrant"),
    ((), {**START, "seats": {"x": "T1/A1"}}, "unknown_entrant"),
    ((), {**START, "seats": {"1": "T1/A1", "2": "T1/A1"}}, "seat_taken"),
    ((), {**START, "seats": 5}, "malformed"),
    ((), {**SPRING[0], "colour": "red"}, "malformed"),
    ((), {**SPRING[0], "by": 5}, "malformed"),
]


@pytest.mark.parametrize(("without", "line", "code"), REFUSED)
def test_what_a_tournament_refuses_changes_nothing(without: tuple[str, ...], line: dict[str, Any], code: str) -> None:
    table = spring(*without)
    before = dict(tournaments(table).states)
    answer = table.answer(dict(line))
    assert answer.refusal is not None, answer.events
    assert answer.refusal.code == code
    assert answer.refusal.clause or code == "malformed"
    assert tournaments(table).states == before


def test_where_everything_is_recorded_a_tournament_is_refused() -> None:
    table = LineFloor().enter(fixture("crown"))
    table.floor.tournaments = None
    refusal = table.answer(dict(SPRING[0])).refusal
    assert refusal is not None
    assert refusal.code == "not_recorded"


def test_every_event_is_told_and_read_back_as_it_was_written() -> None:
    table = spring()
    assert table.answer({**START, "seats": {"1": "T1/A1"}}).ok
    history = tournaments(table).history
    assert {type(event) for event in history} == set(AnyTournamentEvent.__args__)
    for event in history:
        assert msgspec.json.decode(msgspec.json.encode(event), type=AnyTournamentEvent) == event
        assert told(event).endswith(f"({event.clause})")


def test_the_document_names_every_verb_with_its_fields_and_every_event() -> None:
    text = DOCS.read_text(encoding="utf-8")
    commands = {str(kind.__struct_config__.tag): kind for kind in c.AnyCommand.__args__}
    assert set(commands) == set(TOURNAMENT_VERBS)
    for verb, said in TOURNAMENT_VERBS.items():
        (row,) = [line for line in text.splitlines() if line.startswith(f"| `{verb}` ")]
        own = set(commands[verb].__struct_fields__) - {"by", "role", "at_ms"}
        assert set(said) == own
        for name in own:
            assert f"`{name}`" in row, f"{verb} does not document {name}"
    for event in AnyTournamentEvent.__args__:
        fields = ", ".join(f"`{field.name}`" for field in msgspec.structs.fields(event))
        assert f"| `{event.__name__}` | {fields} |" in text
