"""Tournaments, tables and house by lines, one answer for each, for `sabot tournament --batch`."""

import asyncio
import sys
from pathlib import Path

import msgspec

from sabot.basics.at_once import at_once
from sabot.basics.mistake import Mistake
from sabot.cli.recorded_table import Lines, answer_standard_input, recorded_floor
from sabot.cli.recording import RecordPlace
from sabot.cli.sentences import in_one_sentence
from sabot.cli.table_talk import read_asked
from sabot.cli.terminal import answer_lines
from sabot.floor.lines.floor_lines import FloorLines
from sabot.floor.lines.table import LineFloor
from sabot.table.configuration import Configuration


def play_batch(configurations: list[Configuration], file: Path | None, place: RecordPlace | None) -> int:
    lines = None if file is None else _read(file)
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
