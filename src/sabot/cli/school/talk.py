"""A lesson at the terminal: what the trainee sees, a line, what came of it."""

import sys
import time
from pathlib import Path

from sabot.basics.mistake import Mistake
from sabot.cli.school.printing import print_report
from sabot.cli.terminal import console
from sabot.floor.lines.words import WORDS, read_line
from sabot.school.lesson import Lesson
from sabot.school.line_class import LineClass
from sabot.school.report import report_of
from sabot.school.room import symbol, symbols
from sabot.school.shown import shown
from sabot.school.words import phrases
from sabot.views.felt import Felt


def deal_at_the_terminal(lesson: Lesson, language: str, html: Path | None, *, json: bool) -> int:
    run, began = LineClass(lesson), time.monotonic()
    out = console()
    if not json:
        out.print(f"{lesson.title.written_in(language)} · {lesson.rule_set}", style="bold")
        out.print(lesson.intro.written_in(language))
        _show(run, language)
    for line in sys.stdin:
        text = line.split("#", 1)[0].strip()
        if text == "end":
            break
        said = _given(run, text, round((time.monotonic() - began) * 1_000)) if text else ""
        if not json:
            if text and not sys.stdin.isatty():
                out.print(f"> {text}", style="bold")
            if said:
                out.print(said)
            _show(run, language)
        if run.grading.ended_ms is not None:
            break
    print_report([report_of(run.grading, run.table.name)], language, html, json=json)
    return 0


def _given(run: LineClass, text: str, at_ms: int) -> str:
    """Carry out a line of the trainee; what the table says to it."""
    first = text.split(maxsplit=1)[0]
    if first == "help":
        return "\n".join(f"  {verb} {' '.join(fields)}" for verb, fields in WORDS.items())
    who = "" if first in run.trainee.persons else f"{run.trainee.dealer} "
    try:
        answer = run.ask(read_line(f"{who}{text}", max(run.table.now_ms, at_ms), run.table.zone))
    except Mistake as mistake:
        return f"  ? {mistake}"
    if answer.refusal is not None:
        return f"  ✗ {answer.refusal.text} ({answer.refusal.clause})"
    ways = answer.resolutions or ()
    return "\n".join(
        [f"  {sentence}" for sentence in answer.sentences]
        + [f"  resolve {way.id}: {way.text} ({way.clause}, {way.by.in_words})" for way in ways]
    )


def _show(run: LineClass, language: str) -> None:
    seen = shown(run.grading, run.table.state)
    out = console()
    if seen.layout != Felt():
        out.print(f"  {_layout(seen.layout, language)}", style="dim")
    for said in seen.says:
        out.print(f"  • {said.words.written_in(language)}", style="cyan")


def _layout(layout: Felt, language: str) -> str:
    laid = {
        "hand_player": symbols(layout.player) or "–",
        "hand_banker": symbols(layout.banker) or "–",
        "laid_drawn": symbol(layout.drawn) if layout.drawn else "",
        "laid_astray": symbols(layout.astray),
    }
    return "   ".join(f"{phrases()[code].written_in(language)} {cards}" for code, cards in laid.items() if cards)
