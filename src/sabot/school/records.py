"""A trainee's table from its records: the state after each, and the grading of the newest lesson that began there."""

from collections.abc import Callable

import msgspec

from sabot.floor.records.record_codec import read_act, read_answer, read_events, read_refusal
from sabot.journal.record import Record
from sabot.school.grading import Grading
from sabot.school.lesson import Lesson
from sabot.school.room import Trainee
from sabot.school.scene import Given, is_marker
from sabot.table.evolve import evolve
from sabot.table.state import UNCONFIGURED, AnyTable, TableState

FindLesson = Callable[[str], Lesson | None]


class TraineeRecords:
    """The fold of one table's stream; the same records always give the same grading."""

    def __init__(self, trainee: Trainee, find: FindLesson) -> None:
        self._trainee, self._find = trainee, find
        self.state: AnyTable = UNCONFIGURED
        self.version = 0
        self.grading: Grading | None = None
        """Of the newest lesson, once one has begun."""
        self.finished: list[Grading] = []
        """Of earlier lessons at this table, in their order."""

    def take(self, record: Record) -> None:
        """Go on by one record."""
        self.version = record.version
        answer = read_answer(record)
        if answer.act is msgspec.UNSET:
            return
        (act, stamp), before = read_act(answer), self.state
        events = () if answer.accepted is msgspec.UNSET else read_events(answer.accepted)
        for event in events:
            self.state = evolve(self.state, event)
        if not isinstance(before, TableState) or not isinstance(self.state, TableState):
            return
        lesson = self._find(is_marker(act)) if is_marker(act) and events else None
        if lesson is not None:
            self._begin(lesson, stamp.at_ms)
        elif self.grading is not None:
            refusal = None if answer.refused is msgspec.UNSET else read_refusal(answer.refused)
            self.grading.take(Given(act, stamp, events, refusal, before, self.state))

    def _begin(self, lesson: Lesson, at_ms: int) -> None:
        if self.grading is not None and self.grading.touches:
            self.finished.append(self.grading)
        self.grading = Grading(lesson, self._trainee, at_ms)
