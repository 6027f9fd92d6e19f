"""Where beads lie on a six-row road: down while the cell below is free, then right, which is the dragon's tail.

The same rule lays out the Big Road and, with red and blue for Banker and Player, the three derived roads. The rightmost
taken column of each row is enough to apply it: every streak begins to the right of all beads in row 1, and a tail runs
unbroken from its own column, so wherever a streak can reach, a row is taken exactly up to its rightmost bead.
"""

import msgspec

ROWS = 6


class Cursor(msgspec.Struct, frozen=True):
    """The place of the last bead, columns and rows counting from 1, and what is needed to place the next."""

    column: int = 0
    row: int = 0
    turned: bool = False
    taken: tuple[int, ...] = (0,) * ROWS
    """The rightmost taken column of each row."""

    def new_streak(self) -> "Cursor":
        """In row 1, right of where the last streak began or of the tail that lies there."""
        return self._lay(self.taken[0] + 1, 1, turned=False)

    def same_streak(self) -> "Cursor":
        """Down if it can, otherwise right; once turned, always right."""
        if self.turned or self.row == ROWS or self.taken[self.row] >= self.column:
            return self._lay(self.column + 1, self.row, turned=True)
        return self._lay(self.column, self.row + 1, turned=False)

    def _lay(self, column: int, row: int, *, turned: bool) -> "Cursor":
        return Cursor(column, row, turned, (*self.taken[: row - 1], column, *self.taken[row:]))
