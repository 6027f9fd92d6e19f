"""Coups a second of simulated shoes: full cards, every cell and pair counted.

The baseline is `textbook_shoes.c`: the same shoes and the same counts, shuffled with random() % n and played by
branches, compiled for this very processor. One core is CPU time; two cores against one is time on the clock.
"""

import ctypes
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from sabot.cli.stopwatch import Row, row, seconds
from sabot.odds import simulated_arrays, simulated_kernel
from sabot.odds.dealing import Dealing
from sabot.odds.histogram import Histogram
from sabot.odds.kernel.compiling import compiler
from sabot.odds.workers import BLOCK, Threads

BEHIND_CUTTING_CARD = 14
DEALING = Dealing(
    decks=8, burns_by_face_value=True, behind_cutting_card=BEHIND_CUTTING_CARD, coups_after_cutting_card=1
)
TEXTBOOK_SHOES, ARRAY_SHOES, KERNEL_SHOES = 10_000, simulated_arrays.ABREAST, 320_000
CLOCKED_SHOES = 16 * BLOCK


def measure() -> Iterator[Row]:
    coups_a_shoe = simulated_arrays.deal(DEALING, 1, 0, 4096).sum() / 4096

    def rate(shoes: int, taken: float) -> float:
        return float(shoes * coups_a_shoe / taken)

    by_numpy = rate(ARRAY_SHOES, seconds(lambda: simulated_arrays.deal(DEALING, 1, 0, ARRAY_SHOES)))
    if compiler() is None or not simulated_kernel.is_there():
        yield row("simulate_numpy, no C compiler and so no baseline", by_numpy, "coups/s", float("nan"))
        return
    textbook = _textbook()
    baseline = rate(TEXTBOOK_SHOES, seconds(lambda: textbook(TEXTBOOK_SHOES)))
    for path, width in zip(simulated_kernel.paths(), ("plain", "256 bits", "512 bits"), strict=False):
        taken = seconds(lambda path=path: simulated_kernel.deal(DEALING, 1, 0, KERNEL_SHOES, path))  # type: ignore[misc]
        yield row(f"simulate_kernel, {width}", rate(KERNEL_SHOES, taken), "coups/s", baseline)
    yield row("simulate_numpy", by_numpy, "coups/s", baseline)
    one, two = (rate(CLOCKED_SHOES, taken) for taken in _on_the_clock())
    yield row("simulate_kernel, two cores", two, "coups/s", one)


def _on_the_clock() -> tuple[float, float]:
    """Seconds with one thread and with two, by turns in short spells, so that some find both cores free."""
    taken: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(30):
        for threads, spells in taken.items():
            started = time.perf_counter()
            Threads(threads).deal(DEALING, 1, range(CLOCKED_SHOES), _nobody)
            spells.append(time.perf_counter() - started)
    return min(taken[1]), min(taken[2])


def _nobody(_: Histogram) -> None:
    """Watches."""


def _textbook() -> Callable[[int], None]:
    """The baseline, compiled as fast as the compiler can make it."""
    command = compiler()
    assert command is not None
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, "textbook.so")
        source = Path(__file__).with_name("textbook_shoes.c")
        options = ("-O3", "-march=native", "-shared", "-fPIC", str(source), "-o", str(library))
        subprocess.run([*command, *options], check=True)  # noqa: S603  The compiler that was found.
        deal = ctypes.CDLL(str(library)).textbook_shoes
    deal.argtypes, deal.restype = [ctypes.c_uint, ctypes.c_int, ctypes.c_int, ctypes.c_long, ctypes.c_void_p], None
    counts = np.zeros(simulated_arrays.CELLS, dtype=np.uint64)
    return lambda shoes: deal(1, DEALING.decks, BEHIND_CUTTING_CARD, shoes, counts.ctypes.data)
