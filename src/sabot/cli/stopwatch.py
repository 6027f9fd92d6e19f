"""Measures for `sabot bench`: the least CPU time of several runs, and its ratio to a baseline of the same run."""

import gc
import time
from collections.abc import Callable

import msgspec


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    name: str
    value: float
    unit: str
    baseline: float
    ratio: float
    """Value divided by baseline: above 1 is faster for rates, slower for times."""
    on_clock: bool = False
    """Measured by the clock and not as CPU time: it says something on a quiet machine alone."""


def row(name: str, value: float, unit: str, baseline: float, *, on_clock: bool = False) -> Row:
    return Row(name, value, unit, baseline, value / baseline, on_clock)


def seconds(work: Callable[[], object], runs: int = 5) -> float:
    """The least CPU time that the work took, with the garbage collector disabled."""
    taken = []
    for _ in range(runs):
        gc.collect()
        gc.disable()
        try:
            started = time.process_time()
            work()
            taken.append(time.process_time() - started)
        finally:
            gc.enable()
    return min(taken)
