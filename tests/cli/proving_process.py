"""A process that proves a journal with several workers, however short the journal is.

    python -m tests.cli.proving_process PLACE PROCESSES [kill] [threads]

It prints the verdict. With `kill`, one of the workers is dead before it is asked for anything. With `threads`, the
process has a second thread, so that its workers begin anew instead of being forked. That is not done in the process of
the tests: what watches over the resources of such workers lives as long as the process that started it.
"""

import asyncio
import multiprocessing
import sys
import threading

import msgspec

from sabot.audit.verify import Against, Verdict, verify
from sabot.cli.worker_processes import proving_workers
from sabot.journal.opening import open_to_read
from tests.floor.nights import BUILD


def quiet(*_: object) -> None:
    pass


def proved(place: str, processes: int, *, kill: bool = False) -> Verdict:
    with proving_workers(processes, place, worth_sharing=1) as workers:
        if kill:
            multiprocessing.active_children()[0].kill()

        async def prove() -> Verdict:
            journal = await open_to_read(place)
            try:
                return await verify(journal, Against(BUILD), quiet, workers=workers)
            finally:
                await journal.close()

        return asyncio.run(prove())


if __name__ == "__main__":
    if "threads" in sys.argv:
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    verdict = proved(sys.argv[1], int(sys.argv[2]), kill="kill" in sys.argv)
    sys.stdout.buffer.write(msgspec.json.encode(verdict))
