"""A disk that stands still: a named pipe in place of a file, whose reader waits until the other end is closed."""

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

LET_GO_S = 20.0
"""After this a reader that keeps the event loop is let go, so that the test is red; otherwise it would never end."""


@contextmanager
def stalled(file: Path) -> Iterator[None]:
    """The file is a named pipe meanwhile, unless the test takes it away."""
    os.mkfifo(file)

    def let_go() -> None:
        with suppress(OSError):  # Nobody reads it.
            os.close(os.open(file, os.O_WRONLY | os.O_NONBLOCK))

    timer = threading.Timer(LET_GO_S, let_go)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        file.unlink(missing_ok=True)


async def opened_by_its_reader(pipe: Path, reader: "asyncio.Task[Any]") -> int:
    """The other end of the pipe, once it is being read; the event loop has to run for that."""
    while not reader.done():
        with suppress(OSError):
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        await asyncio.sleep(0)
    raise AssertionError("nothing else ran while the file was read")
