"""Output of the commands: tables, coloured in a terminal and plain when piped, and JSON in the stable form."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sabot.basics.mistake import Mistake
from sabot.basics.money import write_net
from sabot.rules.cards import Card, Colour
from sabot.rules.coup import Winner
from sabot.rules.rule_set import RuleSet

COLOURS = {Winner.BANKER: "bold red", Winner.PLAYER: "bold blue", Winner.TIE: "bold green"}
"""Banker red, Player blue, Tie green, as on every screen."""

PIPED_WIDTH = 160


class _Terminal(Console):
    def on_broken_pipe(self) -> None:
        """Left to `cli.run`, which treats a reader that closed our output, such as `head`, as success."""
        raise BrokenPipeError


def console(*, to_error: bool = False) -> Console:
    """A console without markup and emoji codes, so that the text of a rule set is printed as it is."""
    stream = sys.stderr if to_error else sys.stdout
    width = None if stream.isatty() else PIPED_WIDTH
    return _Terminal(stderr=to_error, width=width, highlight=False, markup=False, emoji=False, soft_wrap=False)


def table(*headings: str) -> Table:
    """A table without lines. A heading that ends in `|` marks a column of figures: right-aligned and never cut."""
    made = Table(box=None, pad_edge=False, header_style="dim")
    for heading in headings:
        figures = heading.endswith("|")
        made.add_column(
            heading.removesuffix("|"),
            justify="right" if figures else "left",
            no_wrap=figures or heading == "id",  # An id must stay whole to be copied into the next command.
            overflow="fold",
        )
    return made


def print_json(value: object) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")


def card_text(card: Card) -> Text:
    return Text(f"{card.rank}{card.suit.symbol}", style="red" if card.suit.colour is Colour.RED else "")


def cards_text(cards: Iterable[Card]) -> Text:
    return Text(" ").join(card_text(card) for card in cards)


def title_text(rule_set: RuleSet, *more: str) -> Text:
    return Text.assemble((rule_set.title, "bold"), *(f" · {part}" for part in (rule_set.operator, *more)))


def winner_text(winner: Winner, words: str | None = None) -> Text:
    return Text(words or winner.capitalize(), style=COLOURS[winner])


def net_text(cents: int) -> Text:
    return Text(write_net(cents), style="green" if cents > 0 else "red" if cents < 0 else "")


def answer_lines(answer: Callable[[bytes], bytes]) -> int:
    """Answer standard input line by line, in order; a line that `answer` refuses gets its number and the reason.

    All lines received so far are answered before more input is awaited, so that a program may converse line by line.
    Returns the exit code: 1 when any line was refused.
    """
    if sys.stdin is None:
        raise Mistake("standard input is closed; a batch reads its lines from it")
    refused = False
    out = sys.stdout.buffer
    for first, lines in arriving(sys.stdin.fileno()):
        answers = []
        for number, line in enumerate(lines, first):
            try:
                answers.append(answer(line))
            except Mistake as mistake:
                refused = True
                answers.append(msgspec.json.encode({"line": number, "error": str(mistake)}))
        out.write(b"\n".join(answers) + b"\n")
        out.flush()
    return 1 if refused else 0


def arriving(stream: int) -> Iterator[tuple[int, list[bytes]]]:
    """Complete lines as they arrive, many at a time, with the number of the first."""
    number = 1
    begun: list[bytes] = []  # The parts of a line that has not ended yet.
    while chunk := os.read(stream, 1 << 18):
        *ended, rest = chunk.split(b"\n")
        if ended:
            lines = [b"".join([*begun, ended[0]]), *ended[1:]]
            yield number, lines
            number, begun = number + len(lines), []
        begun.append(rest)
    if last := b"".join(begun):
        yield number, [last]
