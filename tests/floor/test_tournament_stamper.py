"""The stamp of an act to a tournament: the role from the house's list, and what house and tables add to it."""

import pytest

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.floor.stamper import Giver
from sabot.floor.tournament_stamper import TournamentPlace, stamp_for_tournament
from sabot.tournament import acts
from sabot.tournament.refusal import TournamentRefused
from tests.floor.tournament_play import Cast, a_floor


def a_place(*lines: str) -> TournamentPlace:
    cast = Cast(a_floor(tables=2))
    cast.plans()
    cast.says(*lines) if lines else None
    floor = cast.played.floor
    tables = {name: table.state for name, table in floor.tables.items()}
    return TournamentPlace(cast.state, floor.house, tables, 7, lambda label, _: f"behind {label}")


def stamped(act: acts.TournamentAct, by: str, place: TournamentPlace | None = None, second: str = "") -> Stamp:
    given = stamp_for_tournament(act, Giver(by, second), place or a_place())
    assert isinstance(given, Stamp), given
    return given


def refusal(act: acts.TournamentAct, giver: Giver, place: TournamentPlace | None = None) -> str:
    given = stamp_for_tournament(act, giver, place or a_place())
    assert isinstance(given, TournamentRefused)
    return given.code


BRIEF = acts.Brief(tournament="SPRING")


@pytest.mark.clause("CROWN 12.1.2")
@pytest.mark.parametrize(
    ("by", "role"),
    [
        ("TD1", Role.TOURNAMENT_DIRECTOR),
        ("operator", Role.OPERATOR),
        ("OP", Role.OPERATOR),
        ("CS1", Role.CASINO_SUPERVISOR),
        ("D1", Role.DEALER),
    ],
)
def test_the_role_is_the_one_of_the_staff_list(by: str, role: Role) -> None:
    given = stamped(BRIEF, by)
    assert (given.by, given.role, given.at_ms) == (by, role, 7)


@pytest.mark.clause("G-118")
def test_who_is_not_on_the_list_or_states_another_role_gets_no_stamp() -> None:
    assert refusal(BRIEF, Giver("TD9")) == "not_on_staff"
    assert refusal(BRIEF, Giver("D1", role=Role.TOURNAMENT_DIRECTOR)) == "not_on_staff"
    assert refusal(BRIEF, Giver("A1")) == "not_on_staff"


@pytest.mark.clause("G-99")
def test_the_second_person_approves_in_the_role_of_the_list_and_not_while_locked_out() -> None:
    act = acts.AwardPrizes(tournament="SPRING")
    assert stamped(act, "TD1", second="CS1").second_role is Role.CASINO_SUPERVISOR
    assert stamped(act, "TD1", second="P-1").second_role is None
    assert refusal(act, Giver("TD1", "CS1"), a_place("clock lock_out CS1 5")) == "locked_out"


@pytest.mark.clause("CROWN 12.2.1(f)(i)")
def test_the_house_says_who_is_excluded_and_who_works_here() -> None:
    place = a_place("CS1 exclude P-9 cheating")
    found = {
        player: stamped(acts.RegisterEntrant(tournament="SPRING", player=player), "CA1", place)
        for player in ("P-1", "P-9", "D1")
    }
    assert {player: (one.excluded, one.is_staff) for player, one in found.items()} == {
        "P-1": (False, False),
        "P-9": (True, False),
        "D1": (False, True),
    }


@pytest.mark.clause("CROWN 12.1.2")
def test_a_director_to_be_appointed_is_one_on_the_list() -> None:
    assert stamped(acts.AppointDirector(tournament="SPRING", director="TD2"), "operator").is_staff
    assert not stamped(acts.AppointDirector(tournament="SPRING", director="D1"), "operator").is_staff


@pytest.mark.clause("CROWN 12.1.1")
def test_tables_say_what_they_play_and_a_draw_has_its_seed() -> None:
    given = stamped(acts.DesignateTables(tournament="SPRING", tables=("T1", "T9")), "TD1")
    [plays] = given.tables.values()
    assert (plays.document, plays.rule_set, plays.decks, plays.stations[0]) == ("CROWN", "crown-traditional", 8, "A1")
    drawn = stamped(acts.DrawSeats(tournament="SPRING", round="heats", words=""), "TD1")
    assert drawn.seed == "behind SPRING/heats"
    assert stamped(acts.SaveConditions(tournament="SPRING", conditions={}), "OP").time_zone == "Australia/Melbourne"
