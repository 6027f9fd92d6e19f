"""Chance, all of it from one stream of numbers in [0, 1) that is given: the same stream makes the same world."""

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


class Chance:
    def __init__(self, draw: Callable[[], float]) -> None:
        self._draw = draw

    def happens(self, probability: float) -> bool:
        return probability > 0 and self._draw() < probability

    def between(self, least: int, most: int) -> int:
        return least + int(self._draw() * (most - least + 1))

    def pick(self, choices: Sequence[T]) -> T:
        return choices[int(self._draw() * len(choices))]
