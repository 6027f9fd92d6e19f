"""Groups of cells that nobody needs to tell apart, so that one count of a composition answers all bets at once.

The bets of a rule set tell about twenty groups apart among the 400 cells. A solver sums its cells by group before
anything becomes a Python integer, which is most of the cost of an answer otherwise.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property

import numpy as np

from sabot.odds import exact_arrays, exact_kernel
from sabot.odds.composition import Composition
from sabot.odds.exact import Counted, Sums, summed
from sabot.odds.exact_arrays import Integers
from sabot.rules.hand import Pair


class Grouping:
    def __init__(self, keys: Sequence[Hashable]) -> None:
        """Cells with equal keys make a group; there is a key for each cell."""
        numbers: dict[Hashable, int] = {}
        self.of_cell = tuple(numbers.setdefault(key, len(numbers)) for key in keys)
        self.number = len(numbers)

    def of_cells(self, cells: Iterable[int]) -> tuple[int, ...]:
        """The groups of these cells, which must be whole groups."""
        wanted = set(cells)
        groups = sorted({self.of_cell[cell] for cell in wanted})
        assert wanted == {cell for cell, group in enumerate(self.of_cell) if group in groups}
        return tuple(groups)

    def of_pairs(self, pairs: Iterable[int]) -> tuple[int, ...]:
        """The places of these pairs among the sums."""
        return tuple(self.number + pair for pair in pairs)

    @cached_property
    def count(self) -> Callable[[Composition], Sums]:
        """Counts one composition by the quickest solver there is."""
        return self._count_by_arrays if self._plan is None else self._plan.count

    def count_many(self, cards: exact_kernel.CardCounts) -> Integers:
        """A row of sums for each row of cards."""
        if self._plan is not None:
            return self._plan.count_many(cards)
        rows = [self._count_by_arrays(Composition(tuple(row))) for row in cards.tolist()]
        return np.array(rows, dtype=np.int64).reshape(len(rows), self.number + len(Pair) + 1)

    def summed(self, counted: Counted) -> Sums:
        return summed(counted, self.of_cell, self.number)

    @cached_property
    def _plan(self) -> exact_kernel.Plan | None:
        return exact_kernel.Plan(self.of_cell, self.number) if exact_kernel.is_there() else None

    def _count_by_arrays(self, composition: Composition) -> Sums:
        return self.summed(exact_arrays.count(composition))
