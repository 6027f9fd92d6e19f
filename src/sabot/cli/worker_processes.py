"""Worker processes that prove stretches of a journal in parallel."""

import asyncio
import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection
from typing import Any, Protocol

from sabot.audit.chain import OnProgress
from sabot.audit.stretch import Finding, Stretch, prove_all
from sabot.audit.verify import ProvingWorkers
from sabot.journal.opening import open_to_read

LOOK_EVERY_S = 0.5
WORTH_SHARING = 20_000
"""With fewer records the work is done in this process, since handing it over costs more."""


class Reached(Protocol):
    """Is told how far a proof has come."""

    def __call__(self, stream: str, done: int, of: int) -> None:
        """The stream, the number of records in which nothing is wrong, and the number there are to check."""

    def proved(self, finding: Finding) -> None:
        """A stretch was checked to its end."""


class Untold:
    """For a proof whose progress nobody asks for."""

    def __call__(self, stream: str, done: int, of: int) -> None:
        """Nobody is told."""

    def proved(self, finding: Finding) -> None:
        """Nobody is told."""


UNTOLD = Untold()


@contextmanager
def proving_workers(
    processes: int, place: str, reached: Reached = UNTOLD, worth_sharing: int = WORTH_SHARING
) -> Iterator[ProvingWorkers]:
    """Workers that prove the journal at an address; a single process does the work itself.

    To be called before this process starts threads: forking is fast, but safe only while there is one thread, and only
    on Linux. Otherwise the processes are spawned.
    """

    async def prove_here(stretches: Sequence[Stretch]) -> list[Finding]:
        return await _prove_here(place, stretches, reached, reached.proved)

    if processes == 1:
        with _few_collections():
            yield ProvingWorkers(prove_here)
        return
    fork = sys.platform == "linux" and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if fork else "spawn")
    try:
        done, stop = context.Value("q", 0), context.Value("b", 0)
        made = ProcessPoolExecutor(processes, context, _begin, (done, stop))
    except OSError:  # There is no memory that processes could share, as in a narrow container.
        with _few_collections():
            yield ProvingWorkers(prove_here)
        return
    with made as pool:
        if fork:
            pool.submit(os.getpid).result()  # The first task forks all of them, before there is another thread.

        async def prove_shared(stretches: Sequence[Stretch]) -> list[Finding]:
            if sum(stretch.until - stretch.after for stretch in stretches) < worth_sharing:
                return await prove_here(stretches)
            watching = asyncio.create_task(_watch(done, stretches, reached))
            try:
                return await _share_out(pool, place, stretches, reached)
            except BrokenExecutor:  # A worker was killed; the work is done again here.
                return await prove_here(stretches)
            finally:
                watching.cancel()

        try:
            yield ProvingWorkers(prove_shared, processes, worth_sharing)
        except BaseException:
            stop.value = 1  # Or leaving the pool would wait for the end of the work.
            raise


@contextmanager
def _few_collections() -> Iterator[None]:
    """A proof makes no reference cycles, and to scan its state for them often takes a tenth of its time."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


async def _share_out(pool: Executor, place: str, stretches: Sequence[Stretch], reached: Reached) -> list[Finding]:
    """Submit the longest work first."""

    async def one(stretch: Stretch) -> Finding:
        finding = await asyncio.get_running_loop().run_in_executor(pool, _prove, place, stretch)
        reached.proved(finding)
        return finding

    order = sorted(range(len(stretches)), key=lambda each: -stretches[each].until)
    started = {each: asyncio.create_task(one(stretches[each])) for each in order}
    return list(await asyncio.gather(*(started[each] for each in range(len(stretches)))))


async def _watch(done: Any, stretches: Sequence[Stretch], progress: OnProgress) -> None:
    names = {stretch.stream for stretch in stretches}
    of = sum(stretch.until - stretch.after for stretch in stretches)
    name = names.pop() if len(names) == 1 else f"{len(names)} streams"
    try:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            progress(name, done.value, of)
    finally:
        progress(name, done.value, of)


async def _prove_here(
    place: str, stretches: Sequence[Stretch], progress: OnProgress, proved: Callable[[Finding], None] = lambda _: None
) -> list[Finding]:
    journal = await open_to_read(place)
    try:
        return await prove_all(journal, stretches, progress, proved)
    finally:
        await journal.close()


# The rest runs in the worker processes.

_done: Any = None


def _begin(done: Any, stop: Any) -> None:
    global _done  # noqa: PLW0603  A process initializer has no other way to keep a value.
    _done = done
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends the workers without a traceback.
    threading.Thread(target=_end_with_the_command, args=(stop,), daemon=True).start()
    gc.freeze()
    gc.disable()  # A proof makes no reference cycles, and scanning its large state for them is slow.


def _end_with_the_command(stop: Any) -> None:
    command = multiprocessing.parent_process()
    assert command is not None
    while not connection.wait([command.sentinel], LOOK_EVERY_S) and not stop.value:
        pass
    os._exit(1)


def _prove(place: str, stretch: Stretch) -> Finding:
    at = 0

    def progress(_stream: str, done: int, _of: int) -> None:
        nonlocal at
        with _done.get_lock():
            _done.value += done - at
        at = done

    found: list[Finding] = []

    async def proved() -> None:  # Returns nothing, since closing the event loop formats the task's result.
        found.extend(await _prove_here(place, [stretch], progress))

    asyncio.run(proved())
    return found[0]
