"""Worker processes that prove stretches of a journal in parallel."""

import asyncio
import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection
from typing import Any

from sabot.audit.chain import OnProgress
from sabot.audit.stretch import Finding, Stretch, prove
from sabot.audit.verify import ProvingWorkers
from sabot.journal.opening import open_to_read

LOOK_EVERY_S = 0.5
WORTH_SHARING = 20_000
"""With fewer records the work is done in this process, since handing it over costs more."""


@contextmanager
def proving_workers(
    processes: int, place: str, progress: OnProgress, worth_sharing: int = WORTH_SHARING
) -> Iterator[ProvingWorkers | None]:
    """Workers that prove the journal at an address; none for a single process.

    To be called before this process starts threads: forking is fast, but safe only while there is one thread, and only
    on Linux. Otherwise the processes are spawned.
    """
    if processes == 1:
        yield None
        return
    fork = sys.platform == "linux" and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if fork else "spawn")
    done = context.Value("q", 0)
    with ProcessPoolExecutor(processes, context, _begin, (done,)) as pool:
        if fork:
            pool.submit(os.getpid).result()  # The first task forks all of them, before there is another thread.

        async def prove_all(stretches: Sequence[Stretch]) -> list[Finding]:
            if sum(stretch.until - stretch.after for stretch in stretches) < worth_sharing:
                return await _prove_all(place, stretches, progress)
            watching = asyncio.create_task(_watch(done, stretches, progress))
            try:
                return await _share_out(pool, place, stretches)
            except BrokenExecutor:  # A worker was killed; the work is done again here.
                return await _prove_all(place, stretches, progress)
            finally:
                watching.cancel()

        yield ProvingWorkers(prove_all, processes, worth_sharing)


async def _share_out(pool: Executor, place: str, stretches: Sequence[Stretch]) -> list[Finding]:
    """Submit the longest work first."""
    loop = asyncio.get_running_loop()
    order = sorted(range(len(stretches)), key=lambda each: -stretches[each].until)
    started = {each: loop.run_in_executor(pool, _prove, place, stretches[each]) for each in order}
    return list(await asyncio.gather(*(started[each] for each in range(len(stretches)))))


async def _watch(done: Any, stretches: Sequence[Stretch], progress: OnProgress) -> None:
    names = {stretch.stream for stretch in stretches}
    of = sum(stretch.until - stretch.after for stretch in stretches)
    name = names.pop() if len(names) == 1 else f"{len(names)} streams"
    while True:
        await asyncio.sleep(LOOK_EVERY_S)
        progress(name, done.value, of)


async def _prove_all(place: str, stretches: Sequence[Stretch], progress: OnProgress) -> list[Finding]:
    journal = await open_to_read(place)
    try:
        return [await prove(journal, stretch, progress) for stretch in stretches]
    finally:
        await journal.close()


# The rest runs in the worker processes.

_done: Any = None


def _begin(done: Any) -> None:
    global _done  # noqa: PLW0603  A process initializer has no other way to keep a value.
    _done = done
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends the workers without a traceback.
    threading.Thread(target=_end_with_the_command, daemon=True).start()
    gc.freeze()
    gc.disable()  # A proof makes no reference cycles, and scanning its large state for them is slow.


def _end_with_the_command() -> None:
    command = multiprocessing.parent_process()
    assert command is not None
    connection.wait([command.sentinel])
    os._exit(1)


def _prove(place: str, stretch: Stretch) -> Finding:
    at = stretch.after

    def progress(_stream: str, version: int, _until: int) -> None:
        nonlocal at
        with _done.get_lock():
            _done.value += version - at
        at = version

    found: list[Finding] = []

    async def proved() -> None:  # Returns nothing, since closing the event loop formats the task's result.
        found.extend(await _prove_all(place, [stretch], progress))

    asyncio.run(proved())
    return found[0]
