"""Whatever a trainee does, the school names every mistake with its clause and leads to the end of the lesson."""

import random
from collections import Counter
from typing import get_args

import pytest

from sabot.floor.nights.plausible import Moment, some_act
from sabot.floor.simulator.chance import Chance
from sabot.school.line_class import LineClass
from sabot.school.report import report_of
from sabot.school.shelf import SHIPPED, shipped_lesson
from sabot.school.shown import shown
from sabot.table import acts

ACTS, MOST = 50, 800
SAID_AT_A_CONSOLE = frozenset(get_args(acts.DeviceAct))


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.whole) for seed in range(2, 42))])
@pytest.mark.parametrize("name", SHIPPED)
def test_from_whatever_a_trainee_does_what_is_due_leads_to_the_end(name: str, seed: int) -> None:
    chance = Chance(random.Random(f"{name} {seed}").random)
    run = LineClass(shipped_lesson(name))
    for _ in range(ACTS):
        _do_something(run, chance)
        shown(run.grading, run.table.state)
    for _ in range(MOST):
        due = run.due
        if not due:
            break
        answer = run.give(due[0].act, run.trainee.who_may(due[0].roles, run.table.state), at_ms=run.table.now_ms + 500)
        assert answer.ok, (due[0].act, answer.refusal)
    report = report_of(run.grading, "T1")
    assert report.over
    assert all(fault.clause for fault in report.faults)
    assert report.right <= report.total
    assert report.needed + len(report.faults) == report.touches


def _do_something(run: LineClass, chance: Chance) -> None:
    """What is due in most cases, and else anything by anybody of the trainee's persons."""
    due = run.due
    if due and not chance.happens(0.35):
        act, by = due[0].act, run.trainee.who_may(due[0].roles, run.table.state)
    else:
        act = some_act(Moment(run.table.state, run.table.now_ms, chance, Counter()))
        by = chance.pick(run.trainee.persons)
    if type(act) in SAID_AT_A_CONSOLE:
        run.give(act, by, at_ms=run.table.now_ms + 500)
