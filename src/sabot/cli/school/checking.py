"""`sabot school check`: a lesson of your own."""

from sabot.cli.arguments import Json


def checking(lesson: str, /, *, json: Json = False) -> int:
    """Check a lesson, and rehearse it with a trainee who makes no mistake.

        sabot school check own.toml

        sabot school check bad-night --json

    A mistake in the file is told with its place. The rehearsal deals the lesson to its end at a table of its own, so
    a lesson that cannot be finished, or in which something staged never comes to pass, is found here.

    Parameters
    ----------
    lesson
        The path of a .toml file, or the name of a lesson that comes with Sabot.
    """
    from sabot.basics.mistake import Mistake
    from sabot.cli.school.lesson_argument import read_lesson_argument
    from sabot.cli.terminal import console, print_json
    from sabot.school.rehearsal import rehearse
    from sabot.school.report import report_of

    read = read_lesson_argument(lesson)
    run = rehearse(read)
    report = report_of(run.grading, run.table.name)
    if run.never_happened:
        raise Mistake(f"{lesson}: happens[{run.never_happened[0]}]: it never came to pass in the rehearsal")
    if not report.over or report.right < report.total:
        raise Mistake(f"{lesson}: the rehearsal did not come to the end: nothing was due after coup {report.total}")
    if json:
        print_json(report)
        return 0
    console().print(f"✓ {read.title.en}: {read.coups} coups, {report.total} marks, {len(read.happens)} things staged.")
    return 0
