"""A class on one server: each trainee at a console over a real socket, robots at the stations, marks from records."""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from sabot.cli.school.class_floor import ClassWanted, TraineeLinks, class_served, teacher_pin
from sabot.client.connection import Identity
from sabot.client.console import Console
from sabot.client.desk import Desk
from sabot.client.key import DeviceKey
from sabot.client.outcome import CommandRefused
from sabot.runtime.school import SchoolTable
from sabot.school.due import DueAct
from sabot.school.lesson import Lesson
from sabot.school.report import LessonReport, report_of
from sabot.school.robots import next_by_school
from sabot.school.shelf import SHIPPED, read_lesson, shipped_lesson
from sabot.table import acts
from sabot.table.state import TableState
from sabot.web.identity.pin import PinHasher
from sabot.web.serving.server import Serving
from tests.cli.loaded import CHEAP
from tests.runtime.floors import PATIENCE_S, until
from tests.school.test_lessons import PLAIN
from tests.served import plain_http
from tests.served.device import EVENTS
from tests.served.open_table import over_the_wire

TRAINEES, ALL_TRAINEES = 6, 20
SHUT = httpx.codes.UNAUTHORIZED
SHORT = read_lesson(
    PLAIN.replace("coups = 3", "coups = 1").encode()
    + b'\n[[happens]]\nwhat = "leaves"\ncoup = 1\nat = "settled"\nstation = "A2"\n',
    "short.toml",
)


def _wanted(lesson: Lesson, trainees: int = 1) -> ClassWanted:
    lessons = {one.id: one for one in (*map(shipped_lesson, SHIPPED), lesson)}
    return ClassWanted(lesson, lessons, trainees, port=0)


@contextlib.asynccontextmanager
async def in_a_folder() -> AsyncIterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def _asking(serving: Serving, word: str) -> httpx.AsyncClient:
    """Who asks the school with a word."""
    headers = {"Authorization": f"Bearer {word}"} if word else {}
    return httpx.AsyncClient(base_url=serving.url, timeout=PATIENCE_S, verify=plain_http.NO_TLS, headers=headers)


class Dealer:
    """A trainee at a console who always does what is due."""

    def __init__(self, serving: Serving, links: TraineeLinks, turn: asyncio.Lock | None = None) -> None:
        """`turn` keeps requests of a class apart, since server and clients share the threads of one test."""
        self._turn = turn or asyncio.Lock()
        school = serving.premises.school
        assert school is not None
        self.table: SchoolTable = school.tables[links.table]
        self._url, self._links, self._desk = serving.url, links, Desk(serving.url)
        self._tokens: dict[str, str] = {}
        self.key = links.key
        self.given = 0

    async def deal(self, most: int = 1_000) -> None:
        """Until the lesson is over, or so many acts were given."""
        key = DeviceKey.make()
        async with self._turn:
            device = (await self._desk.accept(self._links.invitation, key)).device
        async with Console(self._url, Identity(device, key), EVENTS) as console:
            while self.given < most and (due := await self._due()) is not None:
                state = self.table.records.state
                assert isinstance(state, TableState)
                by = self._links.trainee.who_may(due.roles, state)
                if by not in self._tokens:
                    async with self._turn:
                        signed = await self._desk.sign_on(by, self._links.pin, device, key)
                    self._tokens[by] = signed.token
                await self._give(console, due.act, by)

    async def _give(self, console: Console, act: acts.Act, by: str) -> None:
        """A refusal because the console shows the coup before is not on record; what is due is given again."""
        with contextlib.suppress(CommandRefused):
            await console.ask(act, token=self._tokens[by])  # type: ignore[arg-type]  # What is due is a device's act.
            self.given += 1

    async def _due(self) -> DueAct | None:
        """What is due, as soon as something is; nothing when the lesson is over."""
        while True:
            await self.table.catch_up()
            grading, state = self.table.records.grading, self.table.records.state
            if grading is not None and isinstance(state, TableState):
                due = grading.due(state, grading.newest_ms)
                robots = next_by_school(grading.scene, state, grading.newest_ms)
                if robots is None and (due or grading.ended_ms is not None):
                    return due[0] if due else None
            await asyncio.sleep(0.02)

    @property
    def report(self) -> LessonReport:
        assert self.table.records.grading is not None
        return report_of(self.table.records.grading, self.table.name)


@pytest.mark.parametrize("trainees", [TRAINEES, pytest.param(ALL_TRAINEES, marks=pytest.mark.whole)])
@over_the_wire
async def test_a_class_deals_on_one_server_each_with_a_table_and_full_marks(trainees: int) -> None:
    async with (
        in_a_folder() as folder,
        class_served(_wanted(SHORT, trainees), folder, PinHasher(CHEAP)) as (serving, links),
    ):
        turn = asyncio.Lock()
        dealers = [Dealer(serving, one, turn) for one in links]
        await asyncio.gather(*(one.deal() for one in dealers))
        async with _asking(serving, teacher_pin(serving)) as http:
            told = (await http.get("/api/school/tables")).json()
            report = (await http.get(f"/api/school/tables/T{trainees}/report")).json()
    assert len({one.table for one in links}) == len({one.pin for one in links}) == trainees
    assert [one["table"] for one in told] == [f"T{number}" for number in range(1, trainees + 1)]
    for one in told:
        shown = one["shown"]
        assert (shown["stage"], shown["right"], shown["faults"]) == ("over", shown["marks"], [])
    assert (report["trainee"], report["over"], report["right"]) == (f"D{trainees}", True, report["total"])


@over_the_wire
async def test_a_class_that_is_stopped_goes_on_with_the_same_marks_and_can_begin_another_lesson() -> None:
    wanted, hasher = _wanted(shipped_lesson("wrong-entry")), PinHasher(CHEAP)
    async with in_a_folder() as folder:
        async with class_served(wanted, folder, hasher) as (serving, (links,)):
            first = Dealer(serving, links)
            await first.deal(most=9)
            await first.table.catch_up()
            before = first.report
        async with class_served(wanted, folder, hasher) as (serving, (links,)):
            again = Dealer(serving, links)
            await again.table.catch_up()
            assert (again.report.marks, again.report.faults) == (before.marks, before.faults)
            await again.deal()
            assert again.report.over
            assert again.report.right == again.report.total > before.total
            await _begin_another(serving, again)


async def _begin_another(serving: Serving, dealer: Dealer) -> None:
    async with _asking(serving, dealer.key) as http:
        lessons = (await http.get("/api/school/lessons")).json()
        assert [one["id"] for one in lessons] == list(SHIPPED)
        refused = await http.post("/api/school/tables/T1/start", json={"lesson": "nonsense"})
        assert (refused.status_code, refused.json()["code"]) == (404, "no_such_path")
        started = await http.post("/api/school/tables/T1/start", json={"lesson": "foreign-card"})
        assert started.status_code == httpx.codes.NO_CONTENT
        await until(lambda: dealer.report.lesson == "foreign-card")
        shown = (await http.get("/api/school/tables/T1")).json()
        assert (shown["lesson"], shown["right"], shown["touches"]) == ("foreign-card", 0, 0)
        assert shown["title"]["zh"] == shipped_lesson("foreign-card").title.zh


@over_the_wire
async def test_a_trainee_sees_the_own_table_alone_the_teacher_all_and_a_stranger_none() -> None:
    async with (
        in_a_folder() as folder,
        class_served(_wanted(SHORT, 2), folder, PinHasher(CHEAP)) as (serving, (first, second)),
    ):
        of_a_class, lessons = "/api/school/tables", "/api/school/lessons"
        own, other = f"{of_a_class}/T1", f"{of_a_class}/T2/report"
        may = {first.key: {lessons, own}, second.key: {lessons, other}, "": set[str]()}
        may[teacher_pin(serving)] = {lessons, own, other, of_a_class}
        for word, allowed in may.items():
            async with _asking(serving, word) as http:
                paths = (lessons, of_a_class, own, other)
                assert {path for path in paths if (await http.get(path)).status_code != SHUT} == allowed
                start = await http.post(f"{own}/start", json={"lesson": "nonsense"})
                assert start.status_code == (httpx.codes.NOT_FOUND if own in allowed else SHUT)
        async with _asking(serving, "00000000") as http:
            tried = [(await http.get(of_a_class)).status_code for _ in range(12)]
        assert (tried[0], tried[-1]) == (SHUT, httpx.codes.TOO_MANY_REQUESTS), "who guesses is slowed"
        async with _asking(serving, teacher_pin(serving)) as http:
            assert (await http.get(of_a_class)).status_code == httpx.codes.OK, "and nobody else is"
