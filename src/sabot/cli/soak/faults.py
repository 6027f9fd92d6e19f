"""The faults of a soak, drawn from a seed: the same seed gives the same faults at the same times."""

import enum
import random
from collections.abc import Iterator

import msgspec


class SoakFault(enum.StrEnum):
    KILL = "kill"
    """The process dies as by a power cut, and its keeper starts it again."""
    PAUSE = "pause"
    """The process stands still, as on a machine that swaps."""
    CUT = "cut"
    """One device loses its connection."""
    STORM = "storm"
    """All devices lose their connections at once, and all come back."""
    SLOW = "slow"
    """A display that is in touch reads nothing for a while."""


_WEIGHTS = {SoakFault.CUT: 4, SoakFault.STORM: 2, SoakFault.SLOW: 2, SoakFault.PAUSE: 2, SoakFault.KILL: 2}
_SHORTEST, _LONGEST = 0.3, 4.0
"""Seconds that a fault lasts: shorter and longer than a lease."""


class PlannedFault(msgspec.Struct, frozen=True):
    at_s: float
    fault: SoakFault
    lasts_s: float
    chance: float
    """Chooses whom it meets, where it meets one of several."""


def fault_plan(seed: int, from_s: float, until_s: float, every_s: float) -> Iterator[PlannedFault]:
    """Faults between two times, `every_s` apart on the average; each kind comes before any comes a second time.

    The process is killed in the first third only: whether something grows is seen in a life that lasts.
    """
    draw = random.Random(f"soak {seed}")  # noqa: S311  The same seed makes the same faults.
    last_kill_s = from_s + (until_s - from_s) / 3
    others = [fault for fault in SoakFault if fault is not SoakFault.KILL]
    draw.shuffle(others)
    first = [*others, SoakFault.KILL]
    at_s = from_s
    while True:
        at_s += every_s * draw.uniform(0.5, 1.5)
        if at_s >= until_s:
            return
        weights = _WEIGHTS if at_s < last_kill_s else {**_WEIGHTS, SoakFault.KILL: 0}
        kind = first.pop() if first else draw.choices(list(weights), list(weights.values()))[0]
        yield PlannedFault(at_s, kind, draw.uniform(_SHORTEST, _LONGEST), draw.random())
