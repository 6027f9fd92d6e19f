"""Keeps the readers of a process away from a file for the moment in which it is exchanged for another."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class ReadingGate:
    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._readers, self._is_shut = 0, False

    @contextmanager
    def reading(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._is_shut)
            self._readers += 1
        try:
            yield
        finally:
            with self._changed:
                self._readers -= 1
                self._changed.notify_all()

    @contextmanager
    def shut(self) -> Iterator[None]:
        """Wait until nobody reads, and let nobody begin while the block lasts."""
        with self._changed:
            self._is_shut = True
            self._changed.wait_for(lambda: self._readers == 0)
        try:
            yield
        finally:
            with self._changed:
                self._is_shut = False
                self._changed.notify_all()
