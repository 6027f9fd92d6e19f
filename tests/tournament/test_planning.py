"""Conditions are saved, approved and withdrawn version by version, and a Director is appointed (CROWN 12.1)."""

import pytest

from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.conditions.fixtures import fixture_raw
from sabot.tournament.phase import TournamentPhase
from tests.tournament.desk import ZONE, Desk, ms, names


def _approval(desk: Desk, version: int, digest: str = "", reference: str = "R-1") -> acts.ApproveConditions:
    known = next(one for one in desk.state.versions if one.version == version)
    return acts.ApproveConditions(
        tournament=desk.id, version=version, digest=digest or known.digest, reference=reference
    )


def test_local_times_become_moments_when_conditions_are_saved() -> None:
    saved = Desk().created().saved().state.newest
    assert saved is not None
    assert (saved.version, saved.opens_ms) == (1, ms("2026-05-01T10:00"))
    assert saved.starts_ms["heats"] == (ms("2026-06-06T13:00"), ms("2026-06-06T14:30"))


@pytest.mark.clause("CROWN 12.2.1(a)")
def test_conditions_are_refused_by_the_clause_of_their_first_problem() -> None:
    raw = fixture_raw("spring")
    entry = raw["entry"]
    assert isinstance(entry, dict)
    del entry["fee_cents"]
    desk = Desk().created()
    act = acts.SaveConditions(tournament="SPRING", conditions=raw)
    assert desk.no(act, "OP1", time_zone=ZONE) == ("conditions", "CROWN 12.2.1(a)")


@pytest.mark.clause("CROWN 12.1.3", "G-99")
def test_an_approval_takes_two_persons_and_names_the_digest() -> None:
    """Acceptance case 11."""
    desk = Desk().created().saved()
    assert desk.no(_approval(desk, 1), "CS1") == ("second_person_due", "G-99")
    assert desk.no(_approval(desk, 1, digest="0" * 64), "CS1", "OP1") == ("wrong_digest", "CROWN 12.1.3")
    assert names(desk.do(_approval(desk, 1), "CS1", "OP1")) == ["ConditionsApproved"]
    assert desk.state.phase is TournamentPhase.APPROVED
    desk.saved(title={"en": "Another", "zh": "另一个"})
    old = desk.state.versions[0].digest
    assert desk.no(_approval(desk, 2, digest=old), "CS1", "OP1") == ("wrong_digest", "CROWN 12.1.3")


@pytest.mark.clause("CROWN 12.1.3")
def test_a_withdrawn_version_leaves_the_approved_one_in_force() -> None:
    """Acceptance case 12, before entry: the phase goes back and forth with the newest version."""
    desk = Desk().created().saved().approved().saved(title={"en": "Another", "zh": "另一个"})
    phases = [desk.state.phase]
    desk.do(acts.WithdrawVersion(tournament=desk.id, version=2), "OP1")
    phases.append(desk.state.phase)
    assert phases == [TournamentPhase.DRAFT, TournamentPhase.APPROVED]
    assert desk.no(acts.WithdrawVersion(tournament=desk.id, version=2), "OP1") == ("unknown_version", "CROWN 12.1.3")


def test_the_number_of_a_withdrawn_version_is_not_used_again() -> None:
    desk = Desk().created().saved().saved(title={"en": "Another", "zh": "另一个"})
    desk.do(acts.WithdrawVersion(tournament=desk.id, version=2), "OP1")
    desk.saved(title={"en": "A third", "zh": "第三个"})
    assert [one.version for one in desk.state.versions] == [1, 3]


def test_a_version_saved_after_entry_opened_leaves_the_phase_alone() -> None:
    desk = Desk().opened().saved(title={"en": "Another", "zh": "另一个"})
    assert desk.state.phase is TournamentPhase.ENTRY_OPEN
    assert desk.state.plays_by.version == 1
    desk.approved()
    assert desk.state.phase is TournamentPhase.ENTRY_OPEN
    assert desk.state.plays_by.version == 2
    assert desk.state.plays_by.after_entry


@pytest.mark.clause("G-120")
def test_other_deputies_make_no_new_version_and_keep_the_approval() -> None:
    desk = Desk().created().saved().approved().directed()
    assert desk.no(acts.BePresent(tournament=desk.id), "TD3")[0] == "not_the_director"
    desk.saved(director={"person": "TD1", "deputies": ["TD3"]})
    assert desk.state.phase is TournamentPhase.APPROVED
    assert isinstance(desk.history[-1], e.DeputiesNamed)
    desk.do(acts.BePresent(tournament=desk.id), "TD3")
    assert desk.state.present == "TD3"


@pytest.mark.clause("CROWN 12.1.1")
def test_a_round_that_has_begun_and_the_game_of_designated_tables_stay_as_they_are() -> None:
    desk = Desk().closed(16).seated(1, 2)
    rounds = [dict(one) for one in fixture_raw("spring")["rounds"]]  # type: ignore[attr-defined]
    rounds[0]["coups"] = 12
    act = acts.SaveConditions(tournament=desk.id, conditions={**desk.raw, "rounds": rounds})
    assert desk.no(act, "OP1", time_zone=ZONE) == ("conditions", "CROWN 12.1.1")
    rounds[0]["coups"], rounds[3]["coups"] = 20, 12
    assert names(
        desk.do(
            acts.SaveConditions(tournament=desk.id, conditions={**desk.raw, "rounds": rounds}), "OP1", time_zone=ZONE
        )
    ) == ["ConditionsSaved"]


@pytest.mark.clause("CROWN 12.1.2", "G-118")
def test_a_director_is_on_the_staff_list() -> None:
    desk = Desk().created()
    act = acts.AppointDirector(tournament=desk.id, director="TD9")
    assert desk.no(act, "OP1") == ("not_on_staff", "G-118")
    desk.do(act, "OP1", is_staff=True)
    assert desk.state.director == "TD9"


@pytest.mark.clause("G-120")
def test_another_directors_appointment_ends_the_presence_of_the_former() -> None:
    desk = Desk().created().saved().approved().directed()
    desk.do(acts.BePresent(tournament=desk.id), "TD1")
    desk.directed()
    assert desk.state.present == "TD1"
    said = desk.do(acts.AppointDirector(tournament=desk.id, director="TD5"), "OP1", is_staff=True)
    assert names(said) == ["DirectorAppointed", "DirectorAway"]
    assert (desk.state.director, desk.state.present) == ("TD5", "")
    assert desk.no(acts.BePresent(tournament=desk.id), "TD1")[0] == "not_the_director"
