"""Roads drawn in the terminal: six rows of beads, with letters so that colour is never the only sign."""

from collections.abc import Iterable

from rich.text import Text

from sabot.roads.board import ScoreBoard
from sabot.roads.layout import ROWS
from sabot.roads.roads import Roads

STYLES = {"B": "bold red", "P": "bold blue", "T": "bold green", "R": "red"}
DERIVED = {"Big Eye Boy": "○", "Small Road": "●", "Cockroach Pig": "/"}
_TIES = " ¹²³⁴⁵⁶⁷⁸⁹"


def picture(roads: Roads, *, width: int) -> Iterable[Text]:
    """The lines of the whole board; of a road wider than the terminal, the newest columns."""
    board = ScoreBoard.of(roads)
    plate = (
        (bead.column, bead.row, str(result), STYLES[bead.winner])
        for bead, result in zip(board.bead_plate, roads.coups, strict=True)
    )
    yield from _grid("Bead plate", plate, width, cell=5)
    big = (
        (bead.column, bead.row, bead.winner + _TIES[min(bead.ties, 9)], STYLES[bead.winner])
        for bead in board.big_road.cells
    )
    yield from _grid("Big Road", big, width)
    for (title, mark), road in zip(DERIVED.items(), roads.derived, strict=True):
        marks = (
            (one.column, one.row, mark + one.colour.lower(), "red" if one.colour == "R" else "blue")
            for one in road.marks
        )
        yield from _grid(title, marks, width)
    ask = Text("Ask", style="bold")
    for hand, answers in (("Banker", board.ask.banker), ("Player", board.ask.player)):
        ask.append(f"   {hand} ", style=STYLES[hand[0]])
        for mark, answer in zip(DERIVED.values(), answers, strict=True):
            ask.append(" – " if answer is None else f"{mark}{answer.lower()} ", style=_style_of(answer))
    yield ask


def _style_of(answer: str | None) -> str:
    return "" if answer is None else "red" if answer == "R" else "blue"


def _grid(title: str, cells: Iterable[tuple[int, int, str, str]], width: int, cell: int = 3) -> Iterable[Text]:
    laid = {(column, row): (sign, style) for column, row, sign, style in cells}
    yield Text(title, style="bold")
    if not laid:
        yield Text("  nothing yet", style="dim")
        return
    last = max(column for column, _ in laid)
    first = max(1, last - (width - 2) // cell + 1)
    for row in range(1, ROWS + 1):
        line = Text("  ")
        for column in range(first, last + 1):
            sign, style = laid.get((column, row), ("·", "dim"))
            line.append(sign.ljust(cell), style=style)
        yield line
