"""`sabot school try`: a lesson at the terminal."""

from pathlib import Path

from sabot.cli.arguments import Json


def trying(lesson: str, /, *, language: str = "en", html: Path | None = None, json: Json = False) -> int:
    """Deal a lesson at the terminal, line by line, and be graded.

        sabot school try plain-coup

        sabot school try wrong-third-card --html report.html

    It shows the cards on the layout and what happens. Answer with the words of `sabot table`: `sign_on`, `open`,
    `close`, `card 9S`, `confirm`, `fact wrong_third_card cards=5S hand=player`, `resolve settle_then_dummy`. You
    are the dealer D1; where the rules want a supervisor, write who acts: `CS1 resolve void`. Type help for the
    verbs, and end for the report.

    Parameters
    ----------
    lesson
        The name of a lesson that comes with Sabot, or the path of a .toml file.
    language
        The language of what is shown: en, zh or zh-Hant.
    html
        Write the report to this file as well, to print.
    json
        Print the report in its stable JSON form.
    """
    from sabot.cli.school.lesson_argument import check_language, read_lesson_argument
    from sabot.cli.school.talk import deal_at_the_terminal

    check_language(language)
    return deal_at_the_terminal(read_lesson_argument(lesson), language, html, json=json)
