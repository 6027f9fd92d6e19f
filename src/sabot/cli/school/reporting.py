"""`sabot school report`: the reports of a class, from its records."""

from pathlib import Path

from sabot.cli.arguments import Json


def reporting(
    folder: Path,
    /,
    *,
    table: str | None = None,
    lessons: tuple[Path, ...] = (),
    language: str = "en",
    html: Path | None = None,
    json: Json = False,
) -> int:
    """Print the reports of a class from its records, which must not be served meanwhile.

        sabot school report class

        sabot school report class --table T3 --html trainee-3.html --language zh

    Every lesson that was begun at a table has its report, in the order in which they were dealt.

    Parameters
    ----------
    folder
        The folder that `sabot school serve --keep` has kept.
    table
        One trainee's table; all of them unless given.
    lessons
        Files of the lessons of your own that the class was served with.
    language
        The language of the reports: en, zh or zh-Hant.
    html
        Write the reports to this file as well, to print.
    """
    from sabot.cli.school.kept import reports_in
    from sabot.cli.school.lesson_argument import check_language
    from sabot.cli.school.printing import print_report

    check_language(language)
    print_report(reports_in(folder, table, [str(one) for one in lessons]), language, html, json=json)
    return 0
