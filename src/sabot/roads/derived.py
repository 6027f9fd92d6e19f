"""The three derived roads: red where the Big Road repeats itself, blue where it does not.

Each compares the streak of the newest bead with the one `look_back` columns before it, by logical columns (a streak
with its tail is one column), not by where the beads lie on the screen.
"""

from typing import Final, Literal

import msgspec

from sabot.basics.growing_list import GrowingList
from sabot.roads.layout import Cursor

MarkColour = Literal["R", "B"]

LOOK_BACK: Final = {"big_eye_boy": 1, "small_road": 2, "cockroach_pig": 3}

DEPTHS_NEEDED: Final = 2 + max(LOOK_BACK.values())
"""The depths of this many of the newest columns are enough for every derived road."""


class Mark(msgspec.Struct, frozen=True):
    colour: MarkColour
    column: int
    row: int


class DerivedRoad(msgspec.Struct, frozen=True):
    marks: GrowingList[Mark] = GrowingList()
    cursor: Cursor = Cursor()

    def then(self, colour: MarkColour | None) -> "DerivedRoad":
        if colour is None:
            return self
        last = self.marks.last
        goes_on = last is not None and last.colour == colour
        cursor = self.cursor.same_streak() if goes_on else self.cursor.new_streak()
        return DerivedRoad(self.marks.then(Mark(colour, cursor.column, cursor.row)), cursor)

    def __str__(self) -> str:
        return "".join(mark.colour for mark in self.marks)


def entry(look_back: int, depths: tuple[int, ...]) -> MarkColour | None:
    """The entry that the newest bead makes, or None while there is nothing to compare with.

    `depths` are the depths of the newest columns, newest first; the first counts the bead itself.
    """
    depth = depths[0]
    if depth == 1:
        if len(depths) < look_back + 2:
            return None
        return "R" if depths[1] == depths[1 + look_back] else "B"
    if len(depths) < look_back + 1:
        return None
    return "B" if depth == depths[look_back] + 1 else "R"
