"""A lesson at a table of lines: the school's robots act at once, and every record is graded."""

from typing import Any

from sabot.floor.lines.answer import LineAnswer
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.school.due import DueAct
from sabot.school.grading import Grading
from sabot.school.lesson import Lesson
from sabot.school.robots import begin, next_by_school
from sabot.school.room import Trainee, configuration_of
from sabot.school.scene import Given, is_marker
from sabot.table.acts import Act

MOST_AT_ONCE = 500
"""Acts of the school in a row; a lesson that wants more has no end."""


class LineClass:
    """One trainee at a table without clock or sockets."""

    def __init__(self, lesson: Lesson, trainee: Trainee | None = None, floor: LineFloor | None = None) -> None:
        self.lesson, self.trainee = lesson, trainee or Trainee()
        self.table: LineTable = (floor or LineFloor()).enter(configuration_of(lesson, "SCHOOL1", self.trainee))
        self.grading = Grading(lesson, self.trainee)
        self._taken = 0
        self._before = self.table.state
        while (move := begin(lesson, self.table.state, self.trainee, self.table.now_ms)) is not None:
            self._by_school(*move)
            if is_marker(move[1]):
                break
        self.let_school_act()

    def give(self, act: Act, by: str, *, at_ms: int = 0) -> LineAnswer:
        """An act of the trainee, and what the school does after it."""
        answer = self.table.give(act, by, at_ms=at_ms)
        self.let_school_act()
        return answer

    @property
    def due(self) -> tuple[DueAct, ...]:
        return self.grading.due(self.table.state, self.table.now_ms)

    @property
    def never_happened(self) -> list[int]:
        """Staged things, by their places in the lesson, that neither a robot did nor the trainee was asked for."""
        scene = self.grading.scene
        return [place for place in range(len(self.lesson.happens)) if place not in scene.acted | scene.answered]

    def ask(self, line: dict[str, Any]) -> LineAnswer:
        """A line of the trainee, and what the school does after it."""
        answer = self.table.answer(line)
        self.let_school_act()
        return answer

    def let_school_act(self) -> None:
        """Grade what is on record since the last time, and let the robots act until they wait for the trainee."""
        for _ in range(MOST_AT_ONCE):
            self._grade()
            move = next_by_school(self.grading.scene, self.table.state, self.table.now_ms)
            if move is None:
                return
            self._by_school(*move)
        raise AssertionError("the school's robots find no end")

    def _by_school(self, by: str, act: Act) -> None:
        answer = self.table.give(act, by)
        assert answer.ok, answer.refusal

    def _grade(self) -> None:
        for record in self.table.records[self._taken :]:
            self._taken += 1
            if record.act is not None:
                given = Given(record.act, record.stamp, record.events, record.refusal, self._before, record.state)
                if is_marker(record.act):
                    self.grading = Grading(self.lesson, self.trainee, record.stamp.at_ms)
                else:
                    self.grading.take(given)
            self._before = record.state
