"""The report of a lesson, to keep: marks by subject, every mistake with its clause, touches and time."""

import html
from collections.abc import Iterator

import msgspec

from sabot.rules.shipped import rule_set
from sabot.school.grading import Grading, LessonMark, TraineeError
from sabot.school.words import LessonWords, Said, phrases, say


class SubjectMarks(msgspec.Struct, frozen=True):
    subject: str
    words: LessonWords
    right: int
    total: int


class LessonReport(msgspec.Struct, frozen=True, kw_only=True):
    table: str
    trainee: str
    """The dealer's name at the table."""
    lesson: str
    title: LessonWords
    rule_set: str
    game: str
    """The title of the rule set."""
    over: bool
    began_ms: int
    ended_ms: int
    """When the last thing was done; the end of the lesson where it is over."""
    took_ms: int
    """From the trainee's first act on."""
    right: int
    total: int
    touches: int
    """Commands that the trainee gave."""
    needed: int
    """Those of them that were due."""
    subjects: tuple[SubjectMarks, ...]
    marks: tuple[LessonMark, ...]
    faults: tuple[TraineeError, ...]

    @property
    def percent(self) -> int:
        return 100 * self.right // self.total if self.total else 0


def report_of(grading: Grading, table: str) -> LessonReport:
    lesson, marks = grading.scene.lesson, tuple(grading.marks.values())
    ended = grading.newest_ms if grading.ended_ms is None else grading.ended_ms
    return LessonReport(
        table=table,
        trainee=grading.scene.trainee.dealer,
        lesson=lesson.id,
        title=lesson.title,
        rule_set=lesson.rule_set,
        game=rule_set(lesson.rule_set).title,
        over=grading.ended_ms is not None,
        began_ms=grading.began_ms,
        ended_ms=ended,
        took_ms=0 if grading.first_ms is None else ended - grading.first_ms,
        right=sum(mark.right for mark in marks),
        total=len(marks),
        touches=grading.touches,
        needed=grading.needed,
        subjects=tuple(_subjects(marks)),
        marks=marks,
        faults=tuple(grading.faults),
    )


def _subjects(marks: tuple[LessonMark, ...]) -> Iterator[SubjectMarks]:
    for subject in dict.fromkeys(mark.subject for mark in marks):
        own = [mark.right for mark in marks if mark.subject == subject]
        yield SubjectMarks(subject, phrases()[f"subject_{subject}"], sum(own), len(own))


def figures_of(report: LessonReport) -> tuple[Said, ...]:
    """Marks, touches and time as sentences."""
    seconds = report.took_ms // 1_000
    return (
        say("report_marks", right=report.right, total=report.total, percent=report.percent),
        say("report_touches", touches=report.touches, needed=report.needed),
        say("report_time", minutes=seconds // 60, seconds=seconds % 60),
        *(() if report.over else (say("report_unfinished"),)),
    )


def in_text(report: LessonReport, language: str = "en") -> str:
    """The report in lines, for a terminal."""

    def words(code: str) -> str:
        return phrases()[code].written_in(language)

    lines = [
        words("report_title"),
        f"{words('report_lesson')}: {report.title.written_in(language)} · {report.rule_set}",
        f"{words('report_trainee')}: {report.trainee} · {report.table}",
        "",
        *(said.words.written_in(language) for said in figures_of(report)),
        "",
        *(f"{one.words.written_in(language)}: {one.right}/{one.total}" for one in report.subjects),
        "",
        words("report_faults") if report.faults else words("report_no_faults"),
        *(f"  {line}" for fault in report.faults for line in _told(fault, language)),
    ]
    return "\n".join(lines) + "\n"


def _told(fault: TraineeError, language: str) -> Iterator[str]:
    why = f" {fault.refusal.text}." if fault.refusal is not None and language == "en" else ""
    yield f"{fault.coup}: {fault.said.words.written_in(language)}{why} ({fault.clause})"
    if fault.due is not None:
        yield f"   → {fault.due.words.written_in(language)}"


def in_html(report: LessonReport, language: str = "en") -> str:
    """The report as a page to print."""

    def words(code: str) -> str:
        return html.escape(phrases()[code].written_in(language))

    def of(said: Said) -> str:
        return html.escape(said.words.written_in(language))

    title = html.escape(report.title.written_in(language))
    subjects = "".join(
        f"<tr><td>{html.escape(one.words.written_in(language))}</td><td>{one.right}/{one.total}</td></tr>"
        for one in report.subjects
    )
    faults = "".join(
        f"<tr><td>{fault.coup}</td><td>{of(fault.said)}</td><td>{of(fault.due) if fault.due else ''}</td>"
        f"<td>{html.escape(fault.clause)}</td></tr>"
        for fault in report.faults
    )
    heads = "".join(
        f"<th>{head}</th>" for head in ("#", words("report_faults"), words("report_due"), words("report_clause"))
    )
    mistakes = f"<table><tr>{heads}</tr>{faults}</table>" if faults else f"<p>{words('report_no_faults')}</p>"
    return (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8"><title>{words("report_title")}</title>'
        "<style>body{font:11pt sans-serif;margin:2cm}td,th{text-align:left;padding:.15cm .4cm .15cm 0;"
        "border-bottom:1px solid #999}p.sign{margin-top:2cm;border-top:1px solid;width:8cm}</style>"
        f"<h1>{words('report_title')}</h1>"
        f"<p>{words('report_lesson')}: {title} ({html.escape(report.rule_set)})<br>"
        f"{words('report_trainee')}: {html.escape(report.trainee)}, {html.escape(report.table)}</p>"
        f"<p>{'<br>'.join(of(one) for one in figures_of(report))}</p>"
        f"<table><tr><th>{words('report_subject')}</th><th>{words('report_right')}</th></tr>{subjects}</table>"
        f"<h2>{words('report_faults')}</h2>{mistakes}"
        f'<p class="sign">{words("report_signature")}</p></html>\n'
    )
