"""`sabot integrity`: what the records of tables show against an honest floor."""

from typing import Annotated

from cyclopts import Parameter

from sabot.cli.arguments import Flag, Json


def integrity(
    place: str,
    /,
    *,
    table: str | None = None,
    day: str | None = None,
    since: Annotated[str | None, Parameter(name="--from")] = None,
    to: str | None = None,
    all: Annotated[Flag, Parameter(name="--all")] = False,  # noqa: A002  The word of the option.
    json: Json = False,
) -> int:
    """Hold the records of tables against an honest floor: returns by bet, table, dealer and seat, shoes, and conduct.

        sabot integrity floor.journal

        sabot integrity floor.journal --table T1 --day 2026-01-31 --all

        sabot integrity floor.journal --from 2026-01-31T18:00 --json

    Each light gathers evidence that may be looked at after every coup. At the threshold it is an alarm, and at a
    hundredth of it it is on watch. All lights of an honest floor of 40 tables raise an alarm on one day in a hundred at
    most. An alarm is a reason to look at the video and the cards, not a proof.

    The exit code is 1 where a light is an alarm.

    Parameters
    ----------
    place
        The path of a journal, or its postgresql:// URL.
    table
        Only this table.
    day
        Only this gaming day, in the table's own time zone.
    since
        Only from this moment on: 2026-01-31T22:00, or milliseconds.
    to
        Only before this moment.
    all
        Show the quiet lights as well.
    """
    from sabot.cli.integrity_report import tell_integrity

    return tell_integrity(place, table, (day, since, to), quiet_too=all, json=json)
