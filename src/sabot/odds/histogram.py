"""The coups of simulated shoes counted by outcome class. Every bet is tallied from these counts."""

from collections.abc import Callable

import numpy as np

from sabot.odds.outcome_class import shape
from sabot.odds.simulated_arrays import Counts, classes_of
from sabot.rules.aspect import Aspect
from sabot.rules.pattern import Signature, start_classes, third_classes


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
        counts = self.counts.reshape(shape(known))
        for axis, classes, some, asked in (
            (3, start_classes, known.player_starts, aspect.player_starts),
            (4, start_classes, known.banker_starts, aspect.banker_starts),
            (5, third_classes, known.player_thirds, aspect.player_thirds),
            (6, third_classes, known.banker_thirds, aspect.banker_thirds),
        ):
            counts = _folded(counts, axis, classes, some, asked)
        parts = (aspect.player_pair, aspect.banker_pair, aspect.same_pair, True, True, True, True, aspect.ending)
        weights: list[int] = (
            counts.sum(axis=tuple(axis for axis, asked in enumerate(parts) if not asked)).ravel().tolist()
        )
        return weights


def _folded(
    counts: Counts,
    axis: int,
    classes: Callable[[tuple[str, ...]], tuple[Signature, ...]],
    known: tuple[str, ...],
    asked: tuple[str, ...],
) -> Counts:
    """The same with the cards told apart by the patterns that are asked for alone."""
    if known == asked:
        return counts
    picked = [known.index(text) for text in asked]
    places = [classes(asked).index(tuple(told[number] for number in picked)) for told in classes(known)]
    fewer = np.zeros((len(classes(asked)), *np.moveaxis(counts, axis, 0).shape[1:]), dtype=np.int64)
    np.add.at(fewer, places, np.moveaxis(counts, axis, 0))
    return np.moveaxis(fewer, 0, axis)
