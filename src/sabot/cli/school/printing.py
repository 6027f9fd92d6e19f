"""Prints reports of lessons: text, a page to print, or JSON."""

from collections.abc import Sequence
from pathlib import Path

from sabot.basics.mistake import Mistake
from sabot.cli.terminal import console, print_json
from sabot.school.report import LessonReport, in_html, in_text


def print_report(reports: Sequence[LessonReport], language: str, html: Path | None, *, json: bool) -> None:
    if html is not None:
        try:
            html.write_text("".join(in_html(one, language) for one in reports), encoding="utf-8")
        except OSError as error:
            raise Mistake(f"{html} cannot be written: {error.strerror}") from None
    if json:
        print_json(reports)
        return
    for one in reports:
        console().print(in_text(one, language), soft_wrap=True)
