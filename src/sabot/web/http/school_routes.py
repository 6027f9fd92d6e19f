"""The HTTP operations of a dealer school, which only a floor of `sabot school serve` has.

They need no sign-on: a school's floor plays for nothing, and a trainee's page shows the lesson before anybody signs on.
"""

import msgspec

from sabot.rules.shipped import rule_set
from sabot.runtime.school import School, SchoolTable
from sabot.school.report import LessonReport, report_of
from sabot.school.shown import LessonShown
from sabot.school.words import LessonWords
from sabot.web.http.operation import AnyOperation, ApiCall, BareCall, Body, Operation, Query
from sabot.web.http.refusal import WebCause, refusal


class LessonLine(msgspec.Struct, frozen=True):
    """A lesson in the list, from the easiest on."""

    id: str
    title: LessonWords
    intro: LessonWords
    rule_set: str
    game: str
    """The title of the rule set."""
    coups: int


class TraineeLine(msgspec.Struct, frozen=True):
    """A table in the list of a class."""

    table: str
    trainee: str
    shown: LessonShown


class LessonWanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    lesson: str


class SchoolRoutes:
    def __init__(self, school: School) -> None:
        self._school = school

    def operations(self) -> tuple[AnyOperation, ...]:
        missing = (WebCause.NO_SUCH_PATH,)
        return (
            Operation("GET", "/api/school/lessons", "List the lessons.", self.lessons, answer=tuple[LessonLine, ...]),
            Operation("GET", "/api/school/tables", "Show how every trainee stands.", self.trainees,
                      answer=tuple[TraineeLine, ...]),
            Operation("GET", "/api/school/tables/{table}", "Show what a trainee sees now.", self.lesson_shown,
                      answer=LessonShown, refuses=missing, tagged=True),
            Operation("POST", "/api/school/tables/{table}/start", "Begin a lesson at a table in any state.",
                      self.start_lesson, body=LessonWanted, refuses=missing),
            Operation("GET", "/api/school/tables/{table}/report", "Report the newest lesson of a trainee.",
                      self.lesson_report, answer=LessonReport, refuses=missing),
        )  # fmt: skip

    async def lessons(self, _: BareCall) -> tuple[LessonLine, ...]:
        return tuple(
            LessonLine(one.id, one.title, one.intro, one.rule_set, rule_set(one.rule_set).title, one.coups)
            for one in self._school.lessons.values()
        )

    async def trainees(self, _: BareCall) -> tuple[TraineeLine, ...]:
        lines = []
        for name, table in self._school.tables.items():
            shown = await table.shown()
            if shown is not None:
                lines.append(TraineeLine(name, table.trainee.dealer, shown))
        return tuple(lines)

    async def lesson_shown(self, call: BareCall) -> LessonShown:
        shown = await self._table(call).shown()
        if shown is None:
            raise refusal(WebCause.UNAVAILABLE)
        return shown

    async def start_lesson(self, call: ApiCall[LessonWanted, None]) -> None:
        lesson = self._school.lessons.get(call.body.lesson)
        if lesson is None:
            raise refusal(WebCause.NO_SUCH_PATH)
        self._table(call).begin(lesson)

    async def lesson_report(self, call: BareCall) -> LessonReport:
        table = self._table(call)
        await table.catch_up()
        if table.records.grading is None:
            raise refusal(WebCause.NO_SUCH_PATH)
        return report_of(table.records.grading, table.name)

    def _table(self, call: ApiCall[Body, Query]) -> SchoolTable:
        table = self._school.tables.get(call.path["table"])
        if table is None:
            raise refusal(WebCause.NO_SUCH_PATH)
        return table
