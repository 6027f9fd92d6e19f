"""The school at the running tables of a floor: robots who prepare, wager and stage, and the trainee's marks.

What they do follows from the records of the table alone, read from the journal, so after a restart everything goes on
where it was.
"""

import asyncio
from collections.abc import Mapping

import structlog

from sabot.floor.records.record_codec import table_stream
from sabot.floor.stamper import Giver
from sabot.runtime.floor import RunningFloor
from sabot.runtime.link import LinkFeed, Published
from sabot.runtime.voice import Voice
from sabot.school.grading import Grading
from sabot.school.lesson import Lesson
from sabot.school.records import TraineeRecords
from sabot.school.robots import begin, next_by_school
from sabot.school.room import SCHOOL, Trainee
from sabot.school.shown import LessonShown, shown
from sabot.table import acts
from sabot.table.state import TableState
from sabot.wire.frames import Answer, FloorFrame, Resynchronise, Welcome

log = structlog.get_logger(__name__)

AGAIN_S = 1.0
"""How long the school waits before it says again what was refused."""


class School:
    """The lessons of a floor, and the tables of its trainees."""

    def __init__(self, floor: RunningFloor, lessons: Mapping[str, Lesson], trainees: Mapping[str, Trainee]) -> None:
        self.lessons = lessons
        self.tables = {name: SchoolTable(floor, name, one, lessons) for name, one in trainees.items()}

    def start(self) -> None:
        for table in self.tables.values():
            table.start()

    def stop(self) -> None:
        for table in self.tables.values():
            table.stop()


class SchoolTable:
    """A link that sits at a trainee's table."""

    feed: LinkFeed = "appends"

    def __init__(self, floor: RunningFloor, table: str, trainee: Trainee, lessons: Mapping[str, Lesson]) -> None:
        self._table, self._journal, self._lessons = floor.tables[table], floor.backing.journal, lessons
        self.trainee = trainee
        self.records = TraineeRecords(trainee, lessons.get)
        self._voice = Voice(floor, table, f"school-{table}", lambda: self._later(AGAIN_S))
        self._wanted: Lesson | None = None
        """The lesson that is to begin."""
        self._before: Grading | None = None
        """The lesson that was graded when another one was wanted."""
        self._is_here = False
        """Whether the table has taken the school in, so that it is answered."""
        self._coming_back: asyncio.TimerHandle | None = None
        self._turn: asyncio.TimerHandle | None = None
        self._reading = asyncio.Lock()
        self._thinking: set[asyncio.Task[None]] = set()

    @property
    def name(self) -> str:
        return self._table.name

    def begin(self, lesson: Lesson) -> None:
        """Bring the table to the beginning of a lesson, from whatever state it is in."""
        self._wanted, self._before = lesson, self.records.grading
        self._later(0)

    async def shown(self) -> LessonShown | None:
        """What the trainee sees now; nothing while the table is not served here."""
        await self.catch_up()
        state = self.records.state
        if not isinstance(state, TableState):
            return None
        if self._wanted is not None:
            return LessonShown(table=self.name, lesson=self._wanted.id, title=self._wanted.title, stage="preparing")
        return shown(self.records.grading, state)

    async def catch_up(self) -> None:
        """Read what is durable and was not read yet."""
        async with self._reading:
            async for record in self._journal.read(table_stream(self.name), self.records.version):
                self.records.take(record)
            if self.records.grading is not self._before:
                self._wanted, self._before = None, self.records.grading

    # At the table

    def start(self) -> None:
        self._voice.sit_down(self)

    def stop(self) -> None:
        for timer in (self._turn, self._coming_back):
            if timer is not None:
                timer.cancel()
        self._voice.leave(self)

    def tell(self, frame: FloorFrame | Published) -> None:
        match frame:
            case Welcome():
                self._voice.welcomed(frame.epoch)
                self._is_here = True
                self._later(0)
            case Answer():
                self._voice.waits = False
                self._later(AGAIN_S if frame.refusal is not None else 0)
                if frame.refusal is not None:
                    log.warning("the school was refused", table=self.name, why=frame.refusal.text)
            case Resynchronise():
                self.start()
            case Published():
                self._later(0)
            case _:
                pass

    def end(self, why: str, owner: str = "") -> None:  # noqa: ARG002
        """The table is not served here for now: come back when it may be."""
        self._is_here = False
        if not self._voice.is_over:
            self._coming_back = asyncio.get_running_loop().call_later(AGAIN_S, self.start)

    def _later(self, seconds: float) -> None:
        if self._turn is not None:
            self._turn.cancel()
        self._turn = asyncio.get_running_loop().call_later(seconds, self._begin_to_think)

    def _begin_to_think(self) -> None:
        task = asyncio.get_running_loop().create_task(self._think())
        self._thinking.add(task)
        task.add_done_callback(self._thinking.discard)

    async def _think(self) -> None:
        await self.catch_up()
        term, state = self._table.term, self.records.state
        if term is None or not self._is_here or self._voice.waits or not isinstance(state, TableState):
            return
        if term.head.version != self.records.version:
            return  # More is being written; the next word of it brings the school back here.
        move = self._next(state)
        if move is not None:
            by, act = move
            second = self.trainee.game_supervisor if by == SCHOOL and isinstance(act, acts.Configure) else ""
            self._voice.say(act, Giver(by, second))

    def _next(self, state: TableState) -> tuple[str, acts.Act] | None:
        if self._wanted is not None:
            return begin(self._wanted, state, self.trainee, self._table.table_ms)
        grading = self.records.grading
        return None if grading is None else next_by_school(grading.scene, state, self._table.table_ms)
