"""The coups of simulated shoes counted by outcome class. Every bet is tallied from these counts."""

from typing import Final

import numpy as np

from sabot.odds.simulated_arrays import BASIC_CELLS, Counts, classes_of
from sabot.rules.aspect import Aspect
from sabot.rules.cards import Rank

_PLAYER_PAIR, _BANKER_PAIR, _SAME_PAIR, _PLAYER_THIRD, _BANKER_THIRD, _CELL = range(6)
_KINDS_OF_PAIR: Final = 4


class Histogram:
    def __init__(self, shoes: int = 0, counts: Counts | None = None, told_apart: Aspect = Aspect.ALL) -> None:
        self.shoes = shoes
        self.told_apart = told_apart
        self.counts = np.zeros(classes_of(told_apart), dtype=np.int64) if counts is None else counts
        """In the order of `outcome_classes(told_apart)`."""

    def __add__(self, other: "Histogram") -> "Histogram":
        assert self.told_apart == other.told_apart
        return Histogram(self.shoes + other.shoes, self.counts + other.counts, self.told_apart)

    def add(self, shoes: int, counts: Counts) -> None:
        self.shoes += shoes
        self.counts += counts

    @property
    def total(self) -> int:
        """The number of coups."""
        return int(self.counts.sum())

    def weights(self, aspect: Aspect) -> list[int]:
        """The number of coups in each of `outcome_classes(aspect)`."""
        known = self.told_apart
        assert known | aspect == known
        player, banker = 1 + len(known.player_thirds), 1 + len(known.banker_thirds)
        shape = (_KINDS_OF_PAIR, _KINDS_OF_PAIR, 1 + known.same_pair, player, banker, BASIC_CELLS)
        counts = self.counts.reshape(shape)
        counts = _folded(counts, _PLAYER_THIRD, known.player_thirds, aspect.player_thirds)
        counts = _folded(counts, _BANKER_THIRD, known.banker_thirds, aspect.banker_thirds)
        asked = {_PLAYER_PAIR: aspect.player_pair, _BANKER_PAIR: aspect.banker_pair}
        asked |= {_SAME_PAIR: aspect.same_pair, _CELL: aspect.ending}
        weights: list[int] = (
            counts.sum(axis=tuple(axis for axis, is_asked in asked.items() if not is_asked)).ravel().tolist()
        )
        return weights


def _folded(counts: Counts, axis: int, known: tuple[Rank, ...], asked: tuple[Rank, ...]) -> Counts:
    """The same with all third cards that are not asked for among the others."""
    picked = counts.take([1 + known.index(rank) for rank in asked], axis)
    others = counts.sum(axis=axis, keepdims=True) - picked.sum(axis=axis, keepdims=True)
    return np.concatenate((others, picked), axis)
