"""Workers deal the shoes of a simulation: threads of this machine here, a Dask cluster in `cluster`.

Shoes are numbered, and the cards of a shoe depend only on the seed and its number. So blocks of shoes can be dealt by
any worker in any order, and their counts add up to the same.
"""

import threading
from collections.abc import Callable, Iterator
from typing import Final, Protocol

from sabot.basics.mistake import Mistake
from sabot.odds import simulated_arrays, simulated_kernel
from sabot.odds.dealing import Dealing
from sabot.odds.histogram import Histogram
from sabot.odds.simulated_arrays import Counts

Watch = Callable[[Histogram], None]
"""Called at intervals with the counts so far, which are always those of the first shoes of the range."""

BLOCK: Final = simulated_arrays.ABREAST
"""A few milliseconds' work for the kernel and a tenth of a second's for NumPy, so that stopping is quick."""

GLANCE: Final = 0.1
"""Seconds between two calls of the watch."""


class Workers(Protocol):
    name: str
    """A description for people."""

    def deal(self, dealing: Dealing, seed: int, shoes: range, watch: Watch) -> Histogram:
        """Deal these shoes; after Ctrl-C, only those already begun, which are the first of the range."""


def deal_block(dealing: Dealing, seed: int, shoes: range) -> Counts:
    """Deal by the kernel where there is one and by NumPy elsewhere, with the same result.

    The kernel counts ending and pairs; NumPy deals the same cards, more slowly, where more is told apart.
    """
    quick = simulated_kernel.is_there() and not dealing.told_apart.is_finer
    deal = simulated_kernel.deal if quick else simulated_arrays.deal
    return deal(dealing, seed, shoes.start, len(shoes))


def blocks(shoes: range, size: int) -> Iterator[range]:
    return (shoes[at : at + size] for at in range(0, len(shoes), size))


MOST_THREADS: Final = 1024


class Threads:
    """Threads of this machine. The C kernel and NumPy release the GIL, so each thread can use a core."""

    def __init__(self, number: int) -> None:
        if not 1 <= number <= MOST_THREADS:
            raise Mistake(f"1 to {MOST_THREADS} threads can deal, not {number}")
        self._number = number
        how = "the C kernel" if simulated_kernel.is_there() else "NumPy"
        self.name = f"{how} in {number} thread{'' if number == 1 else 's'}"

    def deal(self, dealing: Dealing, seed: int, shoes: range, watch: Watch) -> Histogram:
        round_ = _Round(dealing, seed, shoes, self._number)
        threads = [threading.Thread(target=round_.work) for _ in range(self._number)]
        try:
            for thread in threads:
                thread.start()
            # Not by join with a timeout: Python 3.11 takes a thread whose join is interrupted for ended.
            while not round_.is_over(GLANCE):
                watch(round_.dealt())
            watch(round_.dealt())
        except KeyboardInterrupt:
            pass  # Blocks already begun are finished below; the caller sees from the counts that shoes are missing.
        finally:
            round_.stop()
            for thread in threads:
                if thread.ident is not None:  # Ctrl-C may come before all of them were started.
                    thread.join()
        return round_.result()


class _Round:
    """Threads take blocks in order and finish those they took, so the shoes dealt are always the first of the range."""

    def __init__(self, dealing: Dealing, seed: int, shoes: range, workers: int) -> None:
        self._dealing, self._seed = dealing, seed
        self._at_work = workers
        self._over = threading.Event()
        self._blocks = blocks(shoes, BLOCK)
        self._next = shoes.start
        self._early: dict[int, tuple[range, Counts]] = {}
        """Blocks dealt before an earlier one, by their first shoe."""
        self._dealt = Histogram(told_apart=dealing.told_apart)
        self._turn = threading.Lock()
        self._stopped = False
        self._failure: BaseException | None = None

    def work(self) -> None:
        try:
            while (block := self._take()) is not None:
                counts = deal_block(self._dealing, self._seed, block)
                with self._turn:
                    self._add(block, counts)
        except BaseException as failure:  # Raised again by `result` in the calling thread.
            self._failure = failure
            self.stop()
        finally:
            with self._turn:
                self._at_work -= 1
                if not self._at_work:
                    self._over.set()

    def _add(self, block: range, counts: Counts) -> None:
        self._early[block.start] = block, counts
        while (waiting := self._early.pop(self._next, None)) is not None:
            shoes, more = waiting
            self._dealt.add(len(shoes), more)
            self._next = shoes.stop

    def is_over(self, within: float) -> bool:
        """Whether every thread has ended, waiting at most so many seconds."""
        return self._over.wait(within)

    def _take(self) -> range | None:
        with self._turn:
            return None if self._stopped else next(self._blocks, None)

    def stop(self) -> None:
        self._stopped = True

    def dealt(self) -> Histogram:
        with self._turn:
            return Histogram(told_apart=self._dealing.told_apart) + self._dealt

    def result(self) -> Histogram:
        if self._failure is not None:
            raise self._failure
        return self._dealt
