"""A pseudo-terminal with a simulated device at its other end, so that a driver opens a port as it does a real one."""

import asyncio
import contextlib
import os
import tty
from collections.abc import Callable
from typing import Self


class PseudoTerminal:
    """While it is entered, `path` is a port; `hear` gets what is written there, and gives what is answered."""

    def __init__(self, hear: Callable[[bytes], bytes]) -> None:
        self._hear = hear
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)

    def __enter__(self) -> Self:
        asyncio.get_running_loop().add_reader(self._master, self._take)
        return self

    def __exit__(self, *_: object) -> None:
        self.unplug()
        os.close(self._slave)

    def unplug(self) -> None:
        """The device is gone from the port: reading and writing fail from now on."""
        if self._master >= 0:
            asyncio.get_running_loop().remove_reader(self._master)
            os.close(self._master)
            self._master = -1

    def send(self, data: bytes) -> None:
        """Bytes that nobody asked for, as from a device that types."""
        with contextlib.suppress(BlockingIOError):
            os.write(self._master, data)

    def _take(self) -> None:
        with contextlib.suppress(BlockingIOError, OSError):
            answer = self._hear(os.read(self._master, 4096))
            if answer:
                os.write(self._master, answer)
