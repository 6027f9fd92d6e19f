"""A histogram: the coups of simulated shoes, counted by cell and kinds of pairs, from which every bet is tallied."""

from typing import Final

import numpy as np

from sabot.odds.outcome_class import Looks
from sabot.odds.simulated_arrays import BASIC_CELLS, CELLS, Counts

_AXES: Final = {
    Looks.AT_THE_END: (0, 1),
    Looks.AT_PLAYERS_PAIR: (1, 2),
    Looks.AT_BANKERS_PAIR: (0, 2),
    Looks.AT_ALL: (),
}
"""What is added up for a bet that does not look at it: Player's pair, Banker's pair, the cell."""


class Histogram:
    def __init__(self, shoes: int = 0, counts: Counts | None = None) -> None:
        self.shoes = shoes
        self.counts = np.zeros(CELLS, dtype=np.int64) if counts is None else counts
        """In the order of `face.faces` for a bet that looks at all."""

    def __add__(self, other: "Histogram") -> "Histogram":
        return Histogram(self.shoes + other.shoes, self.counts + other.counts)

    def add(self, shoes: int, counts: Counts) -> None:
        self.shoes += shoes
        self.counts += counts

    @property
    def total(self) -> int:
        """How many coups."""
        return int(self.counts.sum())

    def weights(self, at: Looks) -> list[int]:
        """Coups by face, in the order of `face.faces`; what a study weighs bets with."""
        weights: list[int] = self.counts.reshape(4, 4, BASIC_CELLS).sum(axis=_AXES[at]).ravel().tolist()
        return weights
