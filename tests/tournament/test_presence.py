"""The Director's presence (CROWN 12.2.5), and designated tables, which are equal (CROWN 12.1.1, 12.3.1)."""

from typing import Any

import pytest
from msgspec.structs import replace

from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.events import Placed
from sabot.tournament.evolve import evolve
from sabot.tournament.phase import TournamentPhase
from sabot.tournament.state import RoundProgress, SittingState
from tests.tournament.desk import ZONE, Desk, names, plays


def _planned() -> Desk:
    return Desk().created().saved().approved().directed()


def _designate(*tables: str) -> acts.DesignateTables:
    return acts.DesignateTables(tournament="SPRING", tables=tables)


def _release(*tables: str) -> acts.ReleaseTables:
    return acts.ReleaseTables(tournament="SPRING", tables=tables)


def _told(desk: Desk, table: str, state: str, why: str = "") -> None:
    noted = e.TableNoted(table=table, state=state, why=why, by="clock", at_ms=0, clause="CROWN 12.3.2")
    desk.state = evolve(desk.state, noted)


# Presence


@pytest.mark.clause("CROWN 12.2.5", "G-120")
def test_a_deputy_is_present_in_the_directors_place() -> None:
    desk = _planned()
    here, out = acts.BePresent(tournament="SPRING"), acts.StepOut(tournament="SPRING")
    desk.do(here, "TD1")
    assert desk.no(here, "TD1") == ("present_already", "CROWN 12.2.5")
    assert desk.no(out, "TD2") == ("not_present", "CROWN 12.2.5")
    assert names(desk.do(here, "TD2")) == ["DirectorAway", "DirectorPresent"]
    assert desk.state.present == "TD2"
    desk.do(out, "TD2")
    assert desk.state.present == ""


@pytest.mark.clause("G-120")
def test_a_dismissal_ends_the_presence_and_its_repetition_changes_nothing() -> None:
    desk = _planned()
    desk.do(acts.BePresent(tournament="SPRING"), "TD1")
    assert desk.do(acts.NoteDismissal(tournament="SPRING", person="TD2"), "clock") == []
    assert names(desk.do(acts.NoteDismissal(tournament="SPRING", person="TD1"), "clock")) == ["DirectorAway"]
    assert desk.do(acts.NoteDismissal(tournament="SPRING", person="TD1"), "clock") == []


# Designation


@pytest.mark.clause("CROWN 12.1.1")
def test_a_table_with_other_decks_is_not_equal() -> None:
    """Acceptance case 22."""
    desk = _planned()
    stamped = {"T1": plays(), "T2": plays(decks=6)}
    assert desk.no(_designate("T1", "T2"), "TD1", tables=stamped) == ("unequal_tables", "CROWN 12.1.1")
    desk.do(_designate("T1"), "TD1", tables=stamped)
    assert desk.state.tables["T1"].stations == ("A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8")


@pytest.mark.clause("CROWN 12.1.1")
@pytest.mark.parametrize(
    ("difference", "clause"),
    [
        ({"document": "MBS"}, "CROWN 12.1"),
        ({"rule_set": "crown-baccarat"}, "CROWN 12.1.1"),
        ({"digest": "0" * 64}, "CROWN 12.1.1"),
        ({"options": {"perfect_pairs": 2}}, "CROWN 12.1.1"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_equal_tables_have_the_same_rules(difference: dict[str, Any], clause: str) -> None:
    stamped = {"T1": plays(), "T2": plays(**difference)}
    assert _planned().no(_designate("T1", "T2"), "TD1", tables=stamped) == ("unequal_tables", clause)


@pytest.mark.clause("CROWN 12.1.1")
def test_tables_that_an_earlier_program_configured_alike_are_equal() -> None:
    """Its rule set may have another digest than this program's, which decides the record again."""
    desk, earlier = _planned(), plays(digest="0" * 64)
    desk.do(_designate("T1", "T2"), "TD1", tables={"T1": earlier, "T2": earlier})
    assert set(desk.state.tables) == {"T1", "T2"}


@pytest.mark.clause("CROWN 12.1.1")
def test_the_game_stays_while_tables_are_designated_for_it() -> None:
    desk = _planned()
    desk.do(_designate("T1"), "TD1", tables={"T1": plays()})
    game = desk.raw["game"]
    assert isinstance(game, dict)
    conditions = {**desk.raw, "game": {**game, "decks": 6}}
    act = acts.SaveConditions(tournament="SPRING", conditions=conditions)
    assert desk.no(act, "OP1", time_zone=ZONE) == ("conditions", "CROWN 12.1.1")


@pytest.mark.clause("CROWN 12.3.2")
def test_a_table_is_one_tournaments_at_a_time() -> None:
    desk = _planned()
    stamped = {"T1": plays(reserved_for="AUTUMN"), "T2": plays()}
    assert desk.no(_designate("T1"), "TD1", tables=stamped) == ("table_taken", "CROWN 12.3.2")
    desk.do(_designate("T2"), "TD1", tables=stamped)
    assert desk.no(_designate("T2"), "TD1", tables=stamped) == ("table_taken", "CROWN 12.3.2")


@pytest.mark.clause("CROWN 12.3.1")
def test_a_table_leaves_when_it_says_that_it_is_free() -> None:
    desk = _planned()
    desk.do(_designate("T1", "T2"), "TD1", tables={"T1": plays(), "T2": plays()})
    _told(desk, "T1", "waiting", "accounts are open")
    assert (desk.state.tables["T1"].state, desk.state.tables["T1"].why) == ("waiting", "accounts are open")
    _told(desk, "T1", "reserved")
    assert (desk.state.tables["T1"].state, desk.state.tables["T1"].why) == ("reserved", "")
    _told(desk, "T1", "released")
    assert desk.state.tables["T1"].state == "reserved", "old news of a table that is wanted"
    desk.do(_release(), "TD1")
    _told(desk, "T1", "reserved")
    assert {name: table.state for name, table in desk.state.tables.items()} == {"T1": "releasing", "T2": "releasing"}
    _told(desk, "T1", "released")
    assert list(desk.state.tables) == ["T2"]
    desk.do(_designate("T2"), "TD1", tables={"T2": plays(reserved_for="SPRING")})
    assert desk.state.tables["T2"].state == "designated"
    _told(desk, "T9", "reserved")
    assert list(desk.state.tables) == ["T2"]


@pytest.mark.clause("CROWN 12.3.1")
def test_no_table_is_given_back_with_somebody_at_it_or_on_the_way_to_it() -> None:
    desk = Desk().closed(16)
    desk.do(_designate("T1", "T2"), "TD1", tables={"T1": plays(), "T2": plays()})
    desk.seated(1)
    assert desk.no(_release("T1"), "TD1") == ("sitting_open", "CROWN 12.2.1(d)")
    desk.seated(1, state=SittingState.CLOSED)
    waiting = RoundProgress(drawn=(Placed(2, 1, "T1", "A1"), Placed(3, 2, "T2", "A1")), called=frozenset({1}))
    desk.state = replace(desk.state, rounds={"heats": waiting})
    assert desk.no(_release("T2"), "TD1") == ("drawn_already", "CROWN 12.1.1")
    assert names(desk.do(_release("T1"), "TD1")) == ["TablesReleased"]
    desk.state = replace(desk.state, phase=TournamentPhase.CANCELLED)
    assert names(desk.do(_release("T2"), "TD1")) == ["TablesReleased"]
