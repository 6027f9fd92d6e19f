"""`sabot roads`: the score board of a sequence of results."""

import msgspec

from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Flag
from sabot.cli.road_picture import picture
from sabot.cli.terminal import answer_lines, console, print_json
from sabot.roads.board import ScoreBoard
from sabot.roads.result import read_results
from sabot.roads.roads import lay


def roads(*sequence: str, batch: Flag = False, json: Flag = False) -> int:
    """Lay the bead plate, the Big Road, the three derived roads and the ask cells of one shoe.

        sabot roads T B Bb B P Pn T T B P

        sabot roads BBPPTB --json

    A result is B, P or T, followed by b for a Banker pair, p for a Player pair and n for a natural. With --batch it
    reads one sequence a line from standard input and writes one JSON line each; a blank line is an empty shoe, and a
    bad line gives {"line":n,"error":"..."} and exit code 1.

    Parameters
    ----------
    sequence
        The results in order, with or without spaces.
    batch
        Answer lines from standard input.
    json
        Print the stable JSON form: columns and rows count from 1, derived roads are strings of R and B.
    """
    if batch:
        if sequence:
            raise Mistake("--batch takes its sequences from standard input; leave out the sequence")
        return answer_lines(_answer)
    if not sequence:
        raise Mistake("name the results, such as: sabot roads T B Bb B P Pn")
    laid = lay(read_results(" ".join(sequence)))
    if json:
        print_json(ScoreBoard.of(laid))
    else:
        out = console()
        for line in picture(laid, width=out.width):
            out.print(line)
    return 0


def _answer(line: bytes) -> bytes:
    try:
        text = line.decode("ascii")
    except UnicodeDecodeError:
        raise Mistake("a sequence is written with the letters B P T b p n alone") from None
    return msgspec.json.encode(ScoreBoard.of(lay(read_results(text))))
