"""`sabot tournament --batch`: tournaments, tables and house by lines, one answer for each."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Flag
from sabot.cli.recording import UNRECORDED, Recording

Tables = Annotated[int, Parameter(validator=Number(gte=1, lte=99))]
Stations = Annotated[int, Parameter(validator=Number(gte=1, lte=50))]


def batch(
    file: Path | None = None,
    /,
    *,
    batch: Flag = False,
    tables: Tables = 4,
    stations: Stations = 8,
    config: str = "crown",
    rule_set: str | None = None,
    recording: Recording = UNRECORDED,
) -> int:
    """Play tournaments from a script: one JSON command a line in, one JSON answer a line out.

        sabot tournament --batch < spring.jsonl

        sabot tournament --batch spring.txt --tables 4 --journal spring.journal

    A line is a command to a tournament, to the house or to a table, as of `sabot table --json`, or in words:

        {"do":"create_tournament","by":"operator","tournament":"SPRING","name":"Spring Elimination"}

        operator save_conditions SPRING spring

        @2026-06-06T13:00 TD1 call_session SPRING heats 1

        T2: D1 open

        show tournament standing slips books SPRING

    A line that names no table is said at the first. After each line everything is carried between tournaments, tables
    and house until nothing moves; the answer holds what happened everywhere.

    Parameters
    ----------
    file
        Read lines from this file instead of standard input; lines that begin with # are left out.
    batch
        Answer line by line.
    tables
        How many tables there are: T1, T2 and so on.
    stations
        How many stations each has: A1, A2 and so on.
    config
        The configuration of the tables, as of `sabot table`.
    rule_set
        Play it under this rule set, by id or file, instead of its own.
    """
    if not batch:
        raise Mistake("give --batch, or one of the commands of `sabot tournament --help`")
    from sabot.cli.table_talk import configuration_of
    from sabot.cli.tournament.batch_lines import play_batch
    from sabot.floor.lines.floor_lines import floor_configurations

    configurations = floor_configurations(configuration_of(config, rule_set), tables, stations)
    return play_batch(configurations, file, recording.place())
