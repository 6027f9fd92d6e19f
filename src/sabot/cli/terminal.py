"""What a command prints: tables in colour for people, plain when piped, and JSON in the stable form."""

import os
import sys
from collections.abc import Callable, Iterable

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sabot.rules.cards import Card, Colour
from sabot.rules.coup import Winner
from sabot.rules.mistake import Mistake
from sabot.rules.money import write_net

COLOURS = {Winner.BANKER: "bold red", Winner.PLAYER: "bold blue", Winner.TIE: "bold green"}
"""Banker red, Player blue, Tie green, as on every screen."""

PIPED_WIDTH = 160


def console(*, to_error: bool = False) -> Console:
    stream = sys.stderr if to_error else sys.stdout
    width = None if stream.isatty() else PIPED_WIDTH
    return Console(stderr=to_error, width=width, highlight=False, soft_wrap=False)


def table(*headings: str, title: str | None = None) -> Table:
    """A table with ruled head; headings that end in a bar `|` are set flush right."""
    made = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, header_style="dim")
    for heading in headings:
        made.add_column(
            heading.removesuffix("|"),
            justify="right" if heading.endswith("|") else "left",
            no_wrap=heading == "id",  # What people copy into the next command stays whole.
        )
    return made


def print_json(value: object) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")


def card_text(card: Card) -> Text:
    return Text(f"{card.rank}{card.suit.symbol}", style="red" if card.suit.colour is Colour.RED else "")


def cards_text(cards: Iterable[Card]) -> Text:
    return Text(" ").join(card_text(card) for card in cards)


def winner_text(winner: Winner, words: str | None = None) -> Text:
    return Text(words or winner.capitalize(), style=COLOURS[winner])


def net_text(cents: int) -> Text:
    return Text(write_net(cents), style="green" if cents > 0 else "red" if cents < 0 else "")


def answer_lines(answer: Callable[[bytes], bytes]) -> int:
    """Answer standard input line by line, in order; a line that `answer` refuses gets its number and the reason.

    Whatever has arrived is answered before more is waited for, so that a program may also talk line by line.
    Returns the exit code: 1 when any line was refused.
    """
    refused = False
    number = 0
    rest = b""
    out = sys.stdout.buffer
    while True:
        chunk = os.read(sys.stdin.fileno(), 1 << 18)
        *lines, rest = (rest + chunk).split(b"\n") if chunk else (rest, b"") if rest else (b"",)
        answers = []
        for line in lines:
            number += 1
            try:
                answers.append(answer(line))
            except Mistake as mistake:
                refused = True
                answers.append(msgspec.json.encode({"line": number, "error": str(mistake)}))
        if answers:
            out.write(b"\n".join(answers) + b"\n")
            out.flush()
        if not chunk:
            return 1 if refused else 0
