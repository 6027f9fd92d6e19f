"""The false alarms of an honest floor are shared out, and never more than there are."""

from math import exp, isclose, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.integrity.budget import FALSE_ALARMS_A_DAY, SHARES, SUBJECTS, TABLES, WATCHES_FOR_AN_ALARM, threshold
from sabot.integrity.evidence import Evidence, log_plus_one, state_of, value
from sabot.integrity.light import Kind, LightState


def test_every_kind_has_a_share_and_all_shares_add_up_to_one() -> None:
    assert set(SHARES) == set(Kind)
    assert isclose(sum(SHARES.values()), 1)
    assert set(SUBJECTS) <= set(Kind)


@given(st.integers(1, 3_000))
def test_however_many_subjects_appear_all_tables_together_stay_within_the_false_alarms(subjects: int) -> None:
    at_one_table = sum(1 / threshold(kind, number) for kind in SUBJECTS for number in range(subjects))
    at_one_table += sum(1 / threshold(kind) for kind in set(Kind) - set(SUBJECTS))
    assert TABLES * at_one_table <= FALSE_ALARMS_A_DAY * (1 + 1e-9)


@given(st.floats(-50, 600))
def test_one_more_is_added_in_logarithms(one: float) -> None:
    assert isclose(log_plus_one(one), log(exp(one) + 1), rel_tol=1e-12, abs_tol=1e-12)


def test_evidence_grows_by_one_with_each_day_and_begins_again_after_an_alarm() -> None:
    evidence = Evidence()
    assert value(evidence.log) == 1
    evidence.multiply(log(5))
    evidence.multiply(log(0.1))
    assert [value(evidence.log), value(evidence.highest), evidence.coups] == pytest.approx([0.5, 5, 2])
    evidence.begin_day(threshold=100)
    assert value(evidence.log) == value(evidence.highest) == pytest.approx(1.5)
    evidence.multiply(log(80))
    evidence.multiply(log(0.5))
    evidence.begin_day(threshold=100)
    assert value(evidence.log) == 1


def test_a_light_is_on_watch_before_it_is_an_alarm() -> None:
    states = [state_of(log(reached), 1e6) for reached in (1.0, 1e6 / WATCHES_FOR_AN_ALARM * 1.01, 1.01e6)]
    assert states == [LightState.QUIET, LightState.WATCH, LightState.ALARM]
