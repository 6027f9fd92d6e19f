"""`sabot school serve`: a class on a floor of its own."""

from pathlib import Path

from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Flag, Number
from sabot.cli.ports import Port, port_for

MOST_TRAINEES = 60


def serving(
    lesson: str = "plain-coup",
    /,
    *,
    trainees: Number = 1,
    lessons: tuple[Path, ...] = (),
    host: str = "127.0.0.1",
    port: Port = None,
    keep: Path | None = None,
    json: Flag = False,
) -> int:
    """Serve a class: each trainee has a table with robots at its stations, and a console below its felt.

        sabot school serve

        sabot school serve bad-night --trainees 20

        sabot school serve own.toml --keep class --port 9000

    It prints each trainee's link and PIN. The page of a trainee shows the cards, what happens and the marks so far,
    and begins another lesson. Ctrl-C ends the class; with --keep the next start goes on from there.

    Parameters
    ----------
    lesson
        The lesson that every table begins with: a name, or the path of a .toml file.
    trainees
        How many.
    lessons
        Files of further lessons of your own, to choose from.
    host
        The address where it listens; on this machine alone unless given.
    port
        8080, or the next free one, unless given; 0 takes any free port.
    keep
        The folder where records and keys stay; a temporary one unless given.
    json
        Print address, links and PINs as one JSON line.
    """
    from sabot.cli.school.class_floor import ClassWanted, run_class
    from sabot.cli.school.lesson_argument import read_lesson_argument
    from sabot.school.shelf import SHIPPED, shipped_lesson

    if not 1 <= trainees <= MOST_TRAINEES:
        raise Mistake(f"a class has 1 to {MOST_TRAINEES} trainees, not {trainees}")
    at = port_for(port)
    if host in ("0.0.0.0", "::"):  # noqa: S104  It is refused.
        raise Mistake(f"{host} is every address of this machine: name the one by which trainees reach it")
    first = read_lesson_argument(lesson)
    own = [read_lesson_argument(str(path)) for path in lessons]
    known = {one.id: one for one in (*map(shipped_lesson, SHIPPED), first, *own)}
    return run_class(ClassWanted(first, known, trainees, host, at, keep, json))
