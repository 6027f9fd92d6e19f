"""Coups a second of simulated shoes: every cell and pair counted.

There are three baselines, all of this run and in turns: the kernel of an earlier commit, where the history is there;
`textbook_shoes.c`, the same shoes and the same counts, shuffled with random() % n and played by branches; and
`peer_shoes.c`, which deals as the quickest published simulator that we know of does, a program in Rust. Both C files
are compiled for this very processor. One core is CPU time; two cores against one is time on the clock, and means little
on a busy machine.
"""

import ctypes
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from sabot.basics.mistake import Mistake
from sabot.cli.earlier_program import earlier_program
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
TEXTBOOK_SHOES, ARRAY_SHOES, KERNEL_SHOES = 10_000, simulated_arrays.ABREAST, 64_000
TURNS = 8
CLOCKED_SHOES = 32 * BLOCK
WIDTHS = ("plain", "256 bits", "512 bits")
Deal = Callable[[int], object]


def measure() -> Iterator[Row]:
    coups_a_shoe = simulated_arrays.deal(DEALING, 1, 0, 4096).sum() / 4096

    def rate(shoes: int, taken: float) -> float:
        return float(shoes * coups_a_shoe / taken)

    by_numpy = rate(ARRAY_SHOES, seconds(lambda: simulated_arrays.deal(DEALING, 1, 0, ARRAY_SHOES)))
    if compiler() is None or not simulated_kernel.is_there():
        yield row("simulate_numpy, no C compiler and so no baseline", by_numpy, "coups/s", float("nan"))
        return
    widths = {width: _kernel(path) for path, width in zip(simulated_kernel.paths(), WIDTHS, strict=False)}
    slow = {name: _compiled(name) for name in ("textbook", "peer")}
    least = _by_turns(widths | slow | {f"earlier, {width}": deal for width, deal in _earlier().items()})
    rates = {name: rate(TEXTBOOK_SHOES if name in slow else KERNEL_SHOES, taken) for name, taken in least.items()}
    for width in widths:
        for baseline in dict.fromkeys(("textbook", "peer", "earlier, 256 bits", f"earlier, {width}")):
            if baseline in rates:
                yield row(f"simulate_kernel, {width}, against {baseline}", rates[width], "coups/s", rates[baseline])
    yield row("simulate_numpy, against textbook", by_numpy, "coups/s", rates["textbook"])
    one, two = (rate(CLOCKED_SHOES, taken) for taken in _on_the_clock())
    yield row("simulate_kernel, two cores", two, "coups/s", one)


def _kernel(path: int) -> Deal:
    return lambda shoes: simulated_kernel.deal(DEALING, 1, 0, shoes, path)


def _earlier() -> dict[str, Deal]:
    """The kernel of the earlier program in this very process; nothing where its history is not there."""
    try:
        library = ctypes.CDLL(str(earlier_program() / "src/sabot/odds/kernel/kernel.so"))
    except (Mistake, OSError):
        return {}
    counts = np.zeros(simulated_arrays.CELLS + 1, dtype=np.uint64)
    simulate, dealing = library.sabot_simulate, simulated_kernel.written(DEALING)
    simulate.argtypes, simulate.restype = simulated_kernel.arguments(), None

    def deal(path: int) -> Deal:
        return lambda shoes: simulate(dealing, 1, 0, shoes, path, counts.ctypes.data)

    return {width: deal(path) for path, width in zip(simulated_kernel.paths(), WIDTHS, strict=False)}


def _by_turns(deals: dict[str, Deal]) -> dict[str, float]:
    """The least CPU time of each, all in turns, so that none finds a quieter machine than another."""
    least = dict.fromkeys(deals, float("inf"))
    for _ in range(TURNS):
        for name, deal in deals.items():
            shoes = TEXTBOOK_SHOES if name in ("textbook", "peer") else KERNEL_SHOES
            least[name] = min(least[name], seconds(lambda deal=deal, shoes=shoes: deal(shoes), runs=1))  # type: ignore[misc]
    return least


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


def _compiled(name: str) -> Deal:
    """A baseline, compiled as fast as the compiler can make it."""
    command = compiler()
    assert command is not None
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, f"{name}.so")
        source = Path(__file__).with_name(f"{name}_shoes.c")
        options = ("-O3", "-march=native", "-shared", "-fPIC", str(source), "-o", str(library))
        subprocess.run([*command, *options], check=True)  # noqa: S603  The compiler that was found.
        deal = getattr(ctypes.CDLL(str(library)), f"{name}_shoes")
    deal.argtypes, deal.restype = [ctypes.c_uint, ctypes.c_int, ctypes.c_int, ctypes.c_long, ctypes.c_void_p], None
    counts = np.zeros(simulated_arrays.CELLS, dtype=np.uint64)
    return lambda shoes: deal(1, DEALING.decks, BEHIND_CUTTING_CARD, shoes, counts.ctypes.data)
