"""Runs something for many seeds, on all cores, and tells how far it has come."""

import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import TypeVar

from sabot.cli.terminal import console

T = TypeVar("T")

AT_ONCE = 25
"""Seeds that a process takes at a time."""
TOLD_EVERY_S = 2.0


def outcomes(seeds: range, run: Callable[[int], T], processes: int, at_once: int = AT_ONCE) -> Iterator[T]:
    """The outcome of each seed, in order."""
    if processes == 1 or len(seeds) <= at_once:
        yield from (run(seed) for seed in seeds)
        return
    chunks = [seeds[start : start + at_once] for start in range(0, len(seeds), at_once)]
    with ExitStack() as stack:
        pool = stack.enter_context(ProcessPoolExecutor(min(processes, len(chunks)), initializer=_leave_interrupts))
        stack.callback(pool.shutdown, wait=False, cancel_futures=True)
        for found in pool.map(partial(_run_chunk, run), chunks):
            yield from found


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that shares out the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run_chunk(run: Callable[[int], T], seeds: range) -> list[T]:
    return [run(seed) for seed in seeds]


class SeedProgress:
    """Says on a terminal every other second how many seeds are done, how fast, and how long the others take."""

    def __init__(self, what: str, of: int, *, quiet: bool, known: int = 0) -> None:
        """`known` were done before."""
        self._what, self._of, self._quiet = what, of, quiet or not sys.stderr.isatty()
        self._started = self._told = time.perf_counter()
        self._known, self._done = known, 0

    def following(self, played: Iterable[T]) -> Iterator[T]:
        for one in played:
            self.step()
            yield one

    def step(self) -> None:
        self._done += 1
        now = time.perf_counter()
        if now - self._told >= TOLD_EVERY_S and not self._quiet:
            self._told = now
            done = self._known + self._done
            left = max(0, self._of - done) / self.a_second
            said = f"{done:,} of {self._of:,} {self._what}, {self.a_second:,.1f} a second, {left / 60:,.0f} min left"
            console(to_error=True).print(f"sabot: {said}", style="dim")

    @property
    def a_second(self) -> float:
        return self._done / max(1e-9, time.perf_counter() - self._started)
