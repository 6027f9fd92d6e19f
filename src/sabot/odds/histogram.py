"""The coups of simulated shoes counted by outcome class. Every bet is tallied from these counts."""

from typing import Final

import numpy as np

from sabot.odds.outcome_class import Aspect
from sabot.odds.simulated_arrays import BASIC_CELLS, CELLS, Counts

_AXES: Final = {
    Aspect.ENDING: (0, 1),
    Aspect.PLAYER_PAIR: (1, 2),
    Aspect.BANKER_PAIR: (0, 2),
    Aspect.ALL: (),
}
"""The axes summed over for each aspect; the axes are Player's pair, Banker's pair, the cell."""


class Histogram:
    def __init__(self, shoes: int = 0, counts: Counts | None = None) -> None:
        self.shoes = shoes
        self.counts = np.zeros(CELLS, dtype=np.int64) if counts is None else counts
        """In the order of `outcome_classes(Aspect.ALL)`."""

    def __add__(self, other: "Histogram") -> "Histogram":
        return Histogram(self.shoes + other.shoes, self.counts + other.counts)

    def add(self, shoes: int, counts: Counts) -> None:
        self.shoes += shoes
        self.counts += counts

    @property
    def total(self) -> int:
        """The number of coups."""
        return int(self.counts.sum())

    def weights(self, aspect: Aspect) -> list[int]:
        """The number of coups in each of `outcome_classes(aspect)`."""
        weights: list[int] = self.counts.reshape(4, 4, BASIC_CELLS).sum(axis=_AXES[aspect]).ravel().tolist()
        return weights
