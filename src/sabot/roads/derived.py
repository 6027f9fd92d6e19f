"""The three derived roads: red where the Big Road repeats itself, blue where it does not.

Each compares the streak of the newest bead with an earlier one: Big Eye Boy with the first column before it, the Small
Road with the second, Cockroach Pig with the third. Columns are logical (a streak with its tail is one column), not
where the beads lie on the screen.
"""

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from sabot.roads.layout import ROWS, taken_after

MarkColour = Literal["R", "B"]

Depths = tuple[int, int, int, int]
"""The depths of the newest columns, newest first: as many as a derived road needs. Zero is no column."""

NO_DEPTHS: Final[Depths] = (0, 0, 0, 0)

Entries = tuple[MarkColour | None, MarkColour | None, MarkColour | None]
"""The entry that a bead makes on each derived road, Big Eye Boy first; none while there is nothing to compare with."""


class Mark(msgspec.Struct, frozen=True):
    colour: MarkColour
    column: int
    row: int


class DerivedRoad(msgspec.Struct, frozen=True, eq=False):
    """The newest mark with its place, as in `Cursor`, and the road before it: one object a mark keeps a step cheap."""

    before: "DerivedRoad | None" = None
    colour: MarkColour | None = None
    column: int = 0
    row: int = 0
    taken: tuple[int, ...] = (0,) * ROWS
    turned: bool = False

    def then(self, colour: MarkColour | None) -> "DerivedRoad":
        if colour is None:
            return self
        column, row, taken = self.column, self.row, self.taken
        if colour != self.colour:
            taken = taken_after(column, row, taken)
            return DerivedRoad(self, colour, taken[0] + 1, 1, taken)
        if self.turned or row == ROWS or taken[row] >= column:
            return DerivedRoad(self, colour, column + 1, row, taken, turned=True)
        return DerivedRoad(self, colour, column, row + 1, taken)

    @property
    def marks(self) -> Iterator[Mark]:
        """From the oldest to the newest."""
        marks = []
        here = self
        while here.before is not None and here.colour is not None:
            marks.append(Mark(here.colour, here.column, here.row))
            here = here.before
        return reversed(marks)

    def __str__(self) -> str:
        return "".join(mark.colour for mark in self.marks)

    def __repr__(self) -> str:
        return f"DerivedRoad({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DerivedRoad) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash((self.colour, self.column, self.row))


def goes_on(depths: Depths) -> tuple[Depths, Entries]:
    """One more bead in the newest column: blue where it is the first beyond the column it is compared with."""
    depth, one, two, three = depths
    entries: Entries = (
        None if not one else "B" if depth == one else "R",
        None if not two else "B" if depth == two else "R",
        None if not three else "B" if depth == three else "R",
    )
    return (depth + 1, one, two, three), entries


def begins(depths: Depths) -> tuple[Depths, Entries]:
    """The first bead of a new column: red where the column before it is as deep as the one it is compared with."""
    depth, one, two, three = depths
    entries: Entries = (
        None if not one else "R" if depth == one else "B",
        None if not two else "R" if depth == two else "B",
        None if not three else "R" if depth == three else "B",
    )
    return (1, depth, one, two), entries
