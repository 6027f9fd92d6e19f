"""An immutable list that grows at its end: adding an item takes constant time and leaves every earlier value valid."""

from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class GrowingList(Generic[T]):
    """A linked list that iterates from its oldest item; `then` returns a longer list that shares this one's items."""

    __slots__ = ("_before", "_length", "last")

    def __init__(self, before: "GrowingList[T] | None" = None, last: T | None = None) -> None:
        self._before = before
        self._length: int = 0 if before is None else before._length + 1  # noqa: SLF001  Of this class; `len` costs a call.
        self.last = last

    def then(self, item: T) -> "GrowingList[T]":
        return GrowingList(self, item)

    def instead(self, item: T) -> "GrowingList[T]":
        """The same list with its last item replaced."""
        assert self._before is not None, "an empty list has no last item"
        return GrowingList(self._before, item)

    @property
    def before_last(self) -> T | None:
        """The item before the last one, if there is one."""
        return None if self._before is None else self._before.last

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        items: list[T] = []
        here = self
        while here._before is not None:
            items.append(here.last)  # type: ignore[arg-type]  # Every list but the empty one has a last item.
            here = here._before
        return reversed(items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GrowingList) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash((self._length, self.last))

    def __repr__(self) -> str:
        return f"GrowingList({list(self)!r})"
