"""Grading: a fold over the table's records, each answer of the trainee held against what was due before it.

An act that was due is right. It is wrong if the table refused it, if something else was due, or if it says something
else than what lies on the table or happened there. To wait is never wrong.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from sabot.basics.act import Act
from sabot.basics.figures import Figure
from sabot.rules.cards import CARDS
from sabot.rules.coup import read_in_shoe_order
from sabot.school.due import DueAct, dues
from sabot.school.lesson import Lesson
from sabot.school.robots import next_by_school
from sabot.school.room import Trainee, symbol, symbols
from sabot.school.scene import Given, Scene, after, is_over, states
from sabot.school.words import Said, say
from sabot.table import acts
from sabot.table.events import CoupDecided
from sabot.table.refusal import Refused
from sabot.table.state import TableState

NEUTRAL: frozenset[type[Act]] = frozenset(
    {acts.SignOn, acts.SignOff, acts.ShowsSign, acts.Incident, acts.Notice, acts.WithdrawNotice, acts.FaceUp}
)
"""What a dealer may do at any time, and is never marked for unless it is due."""


class LessonMark(msgspec.Struct, frozen=True):
    """One question of the lesson and whether it was answered without a mistake."""

    key: str
    verb: str
    subject: str
    clause: str
    right: bool
    said: Said
    """What was due."""
    coup: int
    took_ms: int
    """Since the record before."""


class TraineeError(msgspec.Struct, frozen=True):
    """One mistake, named, with the clause that it is a mistake by."""

    kind: str
    verb: str
    """What was given."""
    clause: str
    said: Said
    due: Said | None
    """What should have been done."""
    coup: int
    at_ms: int
    refusal: Refused | None = None


class Grading:
    """One trainee's run of a lesson."""

    def __init__(self, lesson: Lesson, trainee: Trainee, began_ms: int = 0) -> None:
        self.scene = Scene(lesson=lesson, trainee=trainee)
        self.marks: dict[str, LessonMark] = {}
        self.faults: list[TraineeError] = []
        self.touches = 0
        """Commands that the trainee gave."""
        self.needed = 0
        """Those of them that were due."""
        self.began_ms = self.newest_ms = began_ms
        self.first_ms: int | None = None
        """When the trainee first did something."""
        self.ended_ms: int | None = None

    def take(self, given: Given) -> None:
        """Go on by one record of the table."""
        if given.stamp.by in self.scene.trainee.persons and self.ended_ms is None:
            self._mark(given)
        self.scene = after(self.scene, given)
        self.newest_ms = given.stamp.at_ms
        if self.ended_ms is None and self.is_over(given.after):
            self.ended_ms = given.stamp.at_ms

    def due(self, state: TableState, at_ms: int) -> tuple[DueAct, ...]:
        return dues(self.scene, state, at_ms)

    def is_over(self, state: TableState) -> bool:
        """Whether the last coup is played, all that was staged has happened, and nothing is due."""
        if not is_over(self.scene, state) or dues(self.scene, state, self.newest_ms):
            return False
        return next_by_school(self.scene, state, self.newest_ms) is None

    def _mark(self, given: Given) -> None:
        act, was_due = given.act, dues(self.scene, given.before, given.stamp.at_ms)
        met = next((one for one in was_due if is_met(one, given)), None)
        if met is None and type(act) in NEUTRAL:
            return
        self.touches += 1
        self.first_ms = given.stamp.at_ms if self.first_ms is None else self.first_ms
        if given.refusal is not None:
            self._refused(given, given.refusal, was_due)
        elif met is not None:
            self.needed += 1
            self._note(met, given, right=True)
        else:
            self._wrong(given, was_due)

    def _refused(self, given: Given, refusal: Refused, was_due: tuple[DueAct, ...]) -> None:
        meant = _meant(given.act, was_due)
        said = say("err_refused", refusal.clause, verb=given.act.verb)
        self._fault(given, "refused", refusal.clause, said, meant, refusal)

    def _wrong(self, given: Given, was_due: tuple[DueAct, ...]) -> None:
        meant = _meant(given.act, was_due)
        settled = self._other_result(given)
        if settled is not None:
            self._fault(given, "other_result", settled.clause, settled, meant)
            return
        if meant is None:
            clause = next((one for event in given.events if (one := getattr(event, "clause", ""))), "")
            self._fault(given, "not_due", clause, say("err_not_due", clause, verb=given.act.verb), None)
            return
        kind, values = _difference(meant, given.act)
        self._fault(given, kind, meant.clause, say(f"err_{kind}", meant.clause, **values), meant)

    def _other_result(self, given: Given) -> Said | None:
        """Whether the act confirmed a coup on other cards than lay."""
        new = after(self.scene, given)
        for coup, true in new.true_cards.items():
            if coup not in self.scene.true_cards:
                event = next(one for one in given.events if isinstance(one, CoupDecided))
                lay = read_in_shoe_order([CARDS[one] for one in true])[0].winner
                won, cards = {"confirmed_winner": event.winner, "lay_winner": lay.value}, symbols(true)
                return say("err_other_result", event.clause, cards=cards, **won)
        return None

    def _fault(
        self, given: Given, kind: str, clause: str, said: Said, meant: DueAct | None, refusal: Refused | None = None
    ) -> None:
        clause = clause or (meant.clause if meant is not None else "")
        due = None if meant is None else meant.said
        fault = TraineeError(kind, given.act.verb, clause, said, due, _coup(given), given.stamp.at_ms, refusal)
        self.faults.append(fault)
        if meant is not None:
            self._note(meant, given, right=False)

    def _note(self, due: DueAct, given: Given, *, right: bool) -> None:
        """A question that was once answered wrongly stays so; what only mends an own mistake has no mark."""
        known = self.marks.get(due.key)
        if due.mends or (known is not None and not known.right):
            return
        took = given.stamp.at_ms - self.newest_ms
        self.marks[due.key] = LessonMark(
            due.key, due.verb, _subject(due.act), due.clause, right, due.said, _coup(given), took
        )


def _coup(given: Given) -> int:
    """The coup that an act belongs to: the one under way, or the one that it opens, or the one before."""
    under_way = given.before.coup
    return given.after.coups if under_way is None else under_way.number


def _subject(act: Act) -> str:
    """The topic of the table's rules that the act belongs to."""
    return type(act).__module__.split(".")[2]


def _meant(act: Act, was_due: tuple[DueAct, ...]) -> DueAct | None:
    """The question that a wrong act answers: the one of its own kind, or else the most pressing."""
    return next((one for one in was_due if type(one.act) is type(act)), was_due[0] if was_due else None)


def is_met(due: DueAct, given: Given) -> bool:
    """Whether the act is the one that was due, as far as it has a choice."""
    act, wanted = given.act, due.act
    if type(act) is not type(wanted):
        return False
    compared = _COMPARED.get(type(act))
    return compared is None or compared(act, wanted, given.before)


def _same_card(act: Any, wanted: Any, state: TableState) -> bool:  # noqa: ARG001
    return act.card in CARDS and CARDS[act.card].notation == wanted.card


def _same_entry(act: Any, wanted: Any, state: TableState) -> bool:
    entries = len(state.coup.cards) if state.coup is not None else 0
    return _same_card(act, wanted, state) and (entries if act.place is None else act.place) == wanted.place


def _same_station(act: Any, wanted: Any, state: TableState) -> bool:  # noqa: ARG001
    return bool(act.station == wanted.station)


def _same_money(act: Any, wanted: Any, state: TableState) -> bool:  # noqa: ARG001
    return (act.station, act.cents, act.tender) == (wanted.station, wanted.cents, wanted.tender)


def _same_cards(act: Any, wanted: Any, state: TableState) -> bool:  # noqa: ARG001
    named = tuple(CARDS[one].notation for one in act.cards if one in CARDS)
    return (act.coup, named) == (wanted.coup, wanted.cards)


def _same_decision(act: Any, wanted: Any, state: TableState) -> bool:
    remedy = state.cites(act.remedy) if act.accepted else ""
    return (act.case, act.accepted, remedy) == (wanted.case, wanted.accepted, wanted.remedy)


def _same_count(act: Any, wanted: Any, state: TableState) -> bool:  # noqa: ARG001
    return (act.cards, act.when) == (wanted.cards, wanted.when)


_COMPARED: dict[type[Act], Callable[[Any, Any, TableState], bool]] = {
    acts.Card: _same_card,
    acts.Amend: _same_entry,
    acts.Fact: lambda act, wanted, _: states(act, wanted),
    acts.BuyIn: _same_money,
    acts.Pay: _same_station,
    acts.Fault: _same_station,
    acts.AnswerCall: _same_station,
    acts.EndCall: _same_station,
    acts.Correct: _same_cards,
    acts.DecideClaim: _same_decision,
    acts.CheckCards: _same_count,
}
"""What an act must have in common with the one that is due; the others have no choice, or any lawful one is right."""


_NAMED: dict[type[Act], tuple[str, Callable[[Any, Any], dict[str, Figure]]]] = {
    acts.Card: ("other_card", lambda act, true: {"card": symbol(act.card), "true": symbol(true.card)}),
    acts.Amend: ("other_card", lambda act, true: {"card": symbol(act.card), "true": symbol(true.card)}),
    acts.Fact: ("other_fact", lambda act, true: {"fact": act.kind, "true_fact": true.kind}),
    acts.BuyIn: (
        "other_amount",
        lambda act, true: {"cash_cents": act.cents, "true_cents": true.cents, "station": true.station},
    ),
    acts.Correct: ("other_cards", lambda _, true: {"coup": true.coup, "cards": symbols(true.cards)}),
    acts.DecideClaim: ("other_decision", lambda _, true: {"case": true.case}),
    acts.CheckCards: ("other_count", lambda act, true: {"counted": act.cards, "true": true.cards}),
}


def _difference(meant: DueAct, act: Any) -> tuple[str, dict[str, Figure]]:
    """The name of a mistake, and the values of its sentence."""
    true: Any = meant.act
    if type(act) is not type(true):
        return "passed_over", {"verb": act.verb, "due_verb": meant.verb}
    if isinstance(act, acts.Fact) and act.kind == true.kind:
        return "same_fact", {"fact": act.kind}
    if type(act) in _NAMED:
        kind, values = _NAMED[type(act)]
        return kind, values(act, true)
    return "other_station", {"station": str(getattr(act, "station", "")), "true": true.station}
