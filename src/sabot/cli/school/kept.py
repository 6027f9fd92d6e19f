"""The reports of a class from the records that it has kept."""

from pathlib import Path

from sabot.basics.mistake import Mistake
from sabot.cli.journal.shared import ask
from sabot.cli.school.class_floor import JOURNAL
from sabot.cli.school.lesson_argument import read_lesson_argument
from sabot.floor.records.record_codec import table_of, table_stream
from sabot.journal.journal import ReadableJournal
from sabot.school.records import TraineeRecords
from sabot.school.report import LessonReport, report_of
from sabot.school.room import Trainee
from sabot.school.shelf import SHIPPED, shipped_lesson


def reports_in(folder: Path, table: str | None, lessons: list[str]) -> list[LessonReport]:
    """Of one table, or of all in the order of their names."""
    place = folder / JOURNAL
    if not place.exists():
        raise Mistake(f"{folder} keeps no class: there is no {JOURNAL} in it")
    known = {one.id: one for one in (*map(shipped_lesson, SHIPPED), *map(read_lesson_argument, lessons))}

    async def read(journal: ReadableJournal) -> list[LessonReport]:
        names = [name for stream in await journal.streams() if (name := table_of(stream))]
        if table is not None and table not in names:
            raise Mistake(f"there is no table {table!r} in this class; its tables: {', '.join(names)}")
        found: list[LessonReport] = []
        for name in sorted(names, key=lambda one: (len(one), one)):
            if table in (None, name):
                records = TraineeRecords(Trainee.numbered(int(name.removeprefix("T"))), known.get)
                async for record in journal.read(table_stream(name)):
                    records.take(record)
                graded = (*records.finished, *([records.grading] if records.grading else []))
                found += [report_of(one, name) for one in graded]
        return found

    return ask(str(place), read)
