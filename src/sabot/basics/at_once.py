"""Running a coroutine that never waits, as those of a journal in memory, without an event loop."""

from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def at_once(work: Coroutine[Any, Any, T]) -> T:
    try:
        work.send(None)
    except StopIteration as stop:
        outcome: T = stop.value
        return outcome
    raise AssertionError("it waits for something")
