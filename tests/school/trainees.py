"""Trainees of the tests: one who errs at every point, and whose acts are put right afterwards."""

from collections.abc import Callable
from typing import Any

from sabot.floor.lines.table import LineFloor
from sabot.rules.cards import CARDS
from sabot.school.due import DueAct
from sabot.school.lesson import Lesson
from sabot.school.line_class import LineClass
from sabot.table import acts


def err_everywhere(lesson: Lesson, floor: LineFloor | None = None) -> LineClass:
    """Answer every question wrongly once, and then as it should be."""
    run, spoiled = LineClass(lesson, floor=floor), set[str]()
    for _ in range(2_000):
        due = run.due
        if not due:
            return run
        first, by = due[0], run.trainee.who_may(due[0].roles, run.table.state)
        if first.key not in spoiled and not first.mends:
            spoiled.add(first.key)
            run.give(wrong(first), by)
        else:
            assert run.give(first.act, by).ok
    raise AssertionError("the lesson finds no end")


def wrong(due: DueAct) -> acts.Act:
    """An act that is wrong where this one is due."""
    make = _WRONG.get(type(due.act))
    return acts.Confirm() if make is None else make(due.act)


def _other(card: str) -> str:
    """Another card of the same value, so that the hands stay as long as they are."""
    assert card in CARDS
    return card[0] + ("H" if card[1] == "S" else "S")


_WRONG: dict[type[acts.Act], Callable[[Any], acts.Act]] = {
    acts.Card: lambda due: acts.Card(card=_other(due.card)),
    acts.Fact: lambda _: acts.Fact(kind="face_up_later_card"),
    acts.Resolve: lambda _: acts.Resolve(id="nonsense"),
    acts.Correct: lambda due: acts.Correct(coup=due.coup, cards=(*due.cards[:-1], _other(due.cards[-1]))),
    acts.BuyIn: lambda due: acts.BuyIn(station=due.station, cents=due.cents + 5_000),
    acts.DecideClaim: lambda due: acts.DecideClaim(
        case=due.case, accepted=not due.accepted, remedy="" if due.accepted else "CROWN 11.11", reason="no"
    ),
    acts.Fault: lambda _: acts.Fault(station="A4"),
    acts.CheckCards: lambda due: acts.CheckCards(cards=due.cards - 1),
    acts.Freeze: lambda _: acts.Recalculate(),
    acts.Unfreeze: lambda _: acts.Recalculate(),
    acts.Confirm: lambda _: acts.Open(),
}
"""Where nothing else is said, a result is confirmed that is none."""
