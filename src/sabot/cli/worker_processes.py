"""Several processes that prove stretches of a journal side by side."""

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

from sabot.audit.chain import Progress
from sabot.audit.segment import Finding, Stretch, prove
from sabot.audit.verify import Hands
from sabot.journal.opening import open_to_read

LOOK_EVERY_S = 0.5
WORTH_SHARING = 20_000
"""With fewer records nobody else is asked, for to ask costs something, too."""


@contextmanager
def crew_of(
    processes: int, place: str, progress: Progress, worth_sharing: int = WORTH_SHARING
) -> Iterator[Hands | None]:
    """Hands that prove the journal at a place, or none where one process does it alone.

    Ask for them before anything else runs in this process.

    A process that is forked is there at once and needs nothing loaded. That is safe only while there is one thread, and
    not on every system; elsewhere a process begins anew.
    """
    if processes == 1:
        yield None
        return
    fork = sys.platform == "linux" and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if fork else "spawn")
    done = context.Value("q", 0)
    with ProcessPoolExecutor(processes, context, _begin, (done,)) as pool:
        if fork:
            pool.submit(os.getpid).result()  # The first task starts them all.

        async def crew(stretches: Sequence[Stretch]) -> list[Finding]:
            if sum(stretch.until - stretch.after for stretch in stretches) < worth_sharing:
                return await _prove_all(place, stretches, progress)
            watching = asyncio.create_task(_watch(done, stretches, progress))
            try:
                return await _share_out(pool, place, stretches)
            except BrokenExecutor:  # Somebody has ended one of the processes: nothing is lost but time.
                return await _prove_all(place, stretches, progress)
            finally:
                watching.cancel()

        yield Hands(crew, processes, worth_sharing)


async def _share_out(pool: Executor, place: str, stretches: Sequence[Stretch]) -> list[Finding]:
    """Whatever takes longest is begun first."""
    loop = asyncio.get_running_loop()
    order = sorted(range(len(stretches)), key=lambda each: -stretches[each].until)
    started = {each: loop.run_in_executor(pool, _prove, place, stretches[each]) for each in order}
    return list(await asyncio.gather(*(started[each] for each in range(len(stretches)))))


async def _watch(done: Any, stretches: Sequence[Stretch], progress: Progress) -> None:
    names = {stretch.stream for stretch in stretches}
    of = sum(stretch.until - stretch.after for stretch in stretches)
    name = names.pop() if len(names) == 1 else f"{len(names)} streams"
    while True:
        await asyncio.sleep(LOOK_EVERY_S)
        progress(name, done.value, of)


async def _prove_all(place: str, stretches: Sequence[Stretch], progress: Progress) -> list[Finding]:
    journal = await open_to_read(place)
    try:
        return [await prove(journal, stretch, progress) for stretch in stretches]
    finally:
        await journal.close()


# In the processes.

_done: Any = None


def _begin(done: Any) -> None:
    global _done  # noqa: PLW0603  What a process is given when it begins has no other place to stay.
    _done = done
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Whoever stops the command stops its processes, without a word.
    threading.Thread(target=_end_with_the_command, daemon=True).start()
    gc.freeze()
    gc.disable()  # A proof makes no circles, and what is remembered of a day need not be looked through for them.


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

    async def proved() -> None:  # It returns nothing, for an event loop that ends writes out what its task returned.
        found.extend(await _prove_all(place, [stretch], progress))

    asyncio.run(proved())
    return found[0]
