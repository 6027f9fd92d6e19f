"""The HTTP operations of a dealer school, which only a floor of `sabot school serve` has.

A trainee's page shows the lesson before anybody signs on, so it comes with the word of the trainee's link. The
teacher's page comes with the teacher's PIN, which opens every table.
"""

import secrets
from collections.abc import Callable, Mapping

import msgspec

from sabot.rules.shipped import rule_set
from sabot.runtime.school import School, SchoolTable
from sabot.school.report import LessonReport, report_of
from sabot.school.shown import LessonShown
from sabot.school.words import LessonWords
from sabot.web.http.operation import GUARDED, AnyOperation, ApiCall, BareCall, Body, Operation, Query, check_rate
from sabot.web.http.refusal import WebCause, refusal
from sabot.web.socket.rates import Rates


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
    def __init__(self, school: School, keys: Mapping[str, str], pin: str, now_ms: Callable[[], int]) -> None:
        self._school, self._keys, self._pin, self._now_ms = school, keys, pin, now_ms
        self._wrong = Rates(GUARDED)
        """How often an address may come with a wrong word."""

    def operations(self) -> tuple[AnyOperation, ...]:
        closed = (WebCause.SIGN_ON_FIRST,)
        missing = (*closed, WebCause.NO_SUCH_PATH)
        return (
            Operation("GET", "/api/school/lessons", "List the lessons.", self.lessons, answer=tuple[LessonLine, ...],
                      refuses=closed),
            Operation("GET", "/api/school/tables", "Show how every trainee stands.", self.trainees,
                      answer=tuple[TraineeLine, ...], refuses=closed),
            Operation("GET", "/api/school/tables/{table}", "Show what a trainee sees now.", self.lesson_shown,
                      answer=LessonShown, refuses=missing, tagged=True),
            Operation("POST", "/api/school/tables/{table}/start", "Begin a lesson at a table in any state.",
                      self.start_lesson, body=LessonWanted, refuses=missing),
            Operation("GET", "/api/school/tables/{table}/report", "Report the newest lesson of a trainee.",
                      self.lesson_report, answer=LessonReport, refuses=missing),
        )  # fmt: skip

    async def lessons(self, call: BareCall) -> tuple[LessonLine, ...]:
        self._admit(call, *self._keys.values())
        return tuple(
            LessonLine(one.id, one.title, one.intro, one.rule_set, rule_set(one.rule_set).title, one.coups)
            for one in self._school.lessons.values()
        )

    async def trainees(self, call: BareCall) -> tuple[TraineeLine, ...]:
        self._admit(call)
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
        table, lesson = self._table(call), self._school.lessons.get(call.body.lesson)
        if lesson is None:
            raise refusal(WebCause.NO_SUCH_PATH)
        table.begin(lesson)

    async def lesson_report(self, call: BareCall) -> LessonReport:
        table = self._table(call)
        await table.catch_up()
        if table.records.grading is None:
            raise refusal(WebCause.NO_SUCH_PATH)
        return report_of(table.records.grading, table.name)

    def _table(self, call: ApiCall[Body, Query]) -> SchoolTable:
        name = call.path["table"]
        self._admit(call, *(key for table, key in self._keys.items() if table == name))
        table = self._school.tables.get(name)
        if table is None:
            raise refusal(WebCause.NO_SUCH_PATH)
        return table

    def _admit(self, call: ApiCall[Body, Query], *keys: str) -> None:
        """The teacher, and those who have one of these words. Wrong words are slowed by address, right ones never."""
        given = call.bearer.encode()
        if any(secrets.compare_digest(given, one.encode()) for one in (self._pin, *keys)):
            return
        if given:
            check_rate(self._wrong, call.address, self._now_ms())
        raise refusal(WebCause.SIGN_ON_FIRST)
