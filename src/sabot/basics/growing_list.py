"""A sequence that only grows: adding to it costs the same however long it is, and no earlier value ever changes."""

from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Trail(Generic[T]):
    """Like a tuple to read, in order; `then` gives a longer trail that shares all of this one."""

    __slots__ = ("_before", "_length", "last")

    def __init__(self, before: "Trail[T] | None" = None, last: T | None = None) -> None:
        self._before = before
        self._length = 0 if before is None else len(before) + 1
        self.last = last

    def then(self, item: T) -> "Trail[T]":
        return Trail(self, item)

    def instead(self, item: T) -> "Trail[T]":
        """The same trail with its last item replaced."""
        assert self._before is not None, "an empty trail has no last item"
        return Trail(self._before, item)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        items: list[T] = []
        here = self
        while here._before is not None:
            items.append(here.last)  # type: ignore[arg-type]  # Every trail but the empty one has a last item.
            here = here._before
        return reversed(items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trail) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash((self._length, self.last))

    def __repr__(self) -> str:
        return f"Trail({list(self)!r})"
