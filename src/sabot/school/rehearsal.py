"""A rehearsal: a lesson dealt by a program that always does what is due, to check that it can be finished."""

from sabot.school.lesson import Lesson
from sabot.school.line_class import LineClass

MOST_ACTS = 5_000


def rehearse(lesson: Lesson) -> LineClass:
    """The lesson dealt to its end, or to where nothing is due any more."""
    run = LineClass(lesson)
    for _ in range(MOST_ACTS):
        due = run.due
        if not due:
            break
        answer = run.give(
            due[0].act, run.trainee.who_may(due[0].roles, run.table.state), at_ms=run.table.now_ms + 1_000
        )
        if not answer.ok:
            break
    return run
