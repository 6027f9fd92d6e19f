"""`sabot tournament --batch`: tournaments, tables and house by lines, one answer for each."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter
from cyclopts.validators import Number

from sabot.basics.at_once import at_once
from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Flag
from sabot.cli.recorded_table import UNRECORDED, Lines, Recording, RecordPlace, answer_standard_input, recorded_floor
from sabot.cli.sentences import in_one_sentence
from sabot.cli.table import configuration_of, read_asked
from sabot.cli.terminal import answer_lines
from sabot.floor.lines.floor_lines import FloorLines, floor_configurations
from sabot.floor.lines.table import LineFloor
from sabot.table.configuration import Configuration

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

        sabot tournament --batch spring.txt --tables 4 --stations 8 --journal spring.journal

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
    configurations = floor_configurations(configuration_of(config, rule_set), tables, stations)
    lines = None if file is None else _read(file)
    place = recording.place()
    if place is not None:
        with in_one_sentence():
            asyncio.run(_recorded(place, configurations, lines))
        return 0
    floor = LineFloor()
    for one in configurations:
        floor.enter(one)
    played = FloorLines(floor)
    if lines is None:
        answer_lines(lambda line: at_once(_answered(played, line)))
    else:
        for line in lines:
            _write(at_once(_answered(played, line)))
    return 0


async def _recorded(place: RecordPlace, configurations: list[Configuration], lines: Lines | None) -> None:
    async with recorded_floor(place, configurations) as floor:
        played = FloorLines(floor)

        async def answer(arrived: Lines) -> None:
            for line in arrived:
                _write(await _answered(played, line))

        if lines is None:
            await answer_standard_input(floor, answer)
        else:
            await answer(lines)


async def _answered(played: FloorLines, line: bytes) -> bytes:
    """Every line gets an answer of the one form, one that cannot be read, too."""
    try:
        answer = await played.ask(read_asked(played, line))
    except Mistake as mistake:
        answer = played.refuse(mistake)
    return msgspec.json.encode(answer, enc_hook=str)


def _read(file: Path) -> Lines:
    try:
        return [line for line in file.read_bytes().splitlines() if line.strip() and not line.startswith(b"#")]
    except OSError as error:
        raise Mistake(f"{file} cannot be read: {error.strerror}") from None


def _write(answer: bytes) -> None:
    sys.stdout.buffer.write(answer + b"\n")
    sys.stdout.buffer.flush()
