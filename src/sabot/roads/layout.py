"""Where beads lie on a six-row road: down while the cell below is free, then right, which is the dragon's tail.

The same rule lays out the Big Road and, with red and blue for Banker and Player, the three derived roads. The rightmost
taken column of each row is enough to apply it. Every streak begins to the right of all beads in row 1, and a tail runs
unbroken from its own column. So wherever a streak can reach, a row is taken exactly up to its rightmost bead.
"""

import msgspec

ROWS = 6


class Cursor(msgspec.Struct, frozen=True):
    """The place of the last bead, columns and rows counting from 1, and what is needed to place the next."""

    column: int = 0
    row: int = 0
    taken: tuple[int, ...] = (0,) * ROWS
    """The rightmost taken column of each row before the last streak began. Its beads block no other bead of it."""
    turned: bool = False

    def new_streak(self) -> "Cursor":
        """In row 1, right of where the last streak began or of the tail that lies there."""
        taken = taken_after(self.column, self.row, self.taken)
        return Cursor(taken[0] + 1, 1, taken)

    def same_streak(self) -> "Cursor":
        """Down if it can, otherwise right; once turned, always right."""
        column, row, taken = self.column, self.row, self.taken
        if self.turned or row == ROWS or taken[row] >= column:
            return Cursor(column + 1, row, taken, turned=True)
        return Cursor(column, row + 1, taken)


def taken_after(column: int, row: int, taken: tuple[int, ...]) -> tuple[int, ...]:
    """The rightmost taken column of each row when a streak has ended at this place; `taken` is from before it.

    It went down the column right of all beads in row 1, and along its last row.
    """
    if row == 1:
        return (column, *taken[1:])
    return (taken[0] + 1,) * (row - 1) + (column,) + taken[row:] if row else taken
