"""A mapping that shares: filing something costs the same however much is in it, and no earlier value ever changes."""

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar
from zlib import crc32

T = TypeVar("T")

FULL = 32
"""So many things share a drawer; one more, and they are spread over sixteen drawers."""
_DEEPEST = 8
"""A name has 32 bits to be told apart by, four at a time. Drawers below that hold whatever they must."""


class Cabinet(Mapping[str, T], Generic[T]):
    """Like a dict to read, but in no order that means anything; it is the same order in every process."""

    __slots__ = ("_top",)

    def __init__(self, things: Mapping[str, T] | None = None) -> None:
        self._top: _Drawers[T] = _spread(dict(things or {}), 0)

    def put(self, name: str, thing: T) -> "Cabinet[T]":
        return _of(_put(self._top, 0, name, thing))

    def without(self, name: str) -> "Cabinet[T]":
        return _of(_without(self._top, 0, name)) if name in self else self

    def __getitem__(self, name: str) -> T:
        drawers, depth = self._top, 0
        while isinstance(drawers, tuple):
            drawers, depth = drawers[_place(name, depth)], depth + 1
        return drawers[name]

    def __iter__(self) -> Iterator[str]:
        for drawer in _all(self._top):
            yield from drawer

    def __len__(self) -> int:
        return sum(map(len, _all(self._top)))

    def whole(self) -> dict[str, T]:
        """Everything in one dict, for whoever needs all of it at once."""
        return {name: thing for drawer in _all(self._top) for name, thing in drawer.items()}

    def __repr__(self) -> str:
        return f"Cabinet({self.whole()!r})"


_Drawers = dict[str, T] | tuple["_Drawers[T]", ...]


def _of(top: _Drawers[T]) -> Cabinet[T]:
    cabinet: Cabinet[T] = Cabinet()
    cabinet._top = top  # noqa: SLF001  A cabinet is made of drawers here and nowhere else.
    return cabinet


def _place(name: str, depth: int) -> int:
    """Where a name is filed; Python's own hash would differ from process to process."""
    return (crc32(name.encode()) >> (4 * depth)) & 15


def _spread(drawer: dict[str, T], depth: int) -> _Drawers[T]:
    if len(drawer) <= FULL or depth == _DEEPEST:
        return drawer
    drawers: list[dict[str, T]] = [{} for _ in range(16)]
    for name, thing in drawer.items():
        drawers[_place(name, depth)][name] = thing
    return tuple(_spread(one, depth + 1) for one in drawers)


def _put(drawers: _Drawers[T], depth: int, name: str, thing: T) -> _Drawers[T]:
    if not isinstance(drawers, tuple):
        return _spread({**drawers, name: thing}, depth)
    place = _place(name, depth)
    return _instead(drawers, place, _put(drawers[place], depth + 1, name, thing))


def _without(drawers: _Drawers[T], depth: int, name: str) -> _Drawers[T]:
    if not isinstance(drawers, tuple):
        return {each: thing for each, thing in drawers.items() if each != name}
    place = _place(name, depth)
    return _instead(drawers, place, _without(drawers[place], depth + 1, name))


def _instead(drawers: tuple[_Drawers[T], ...], place: int, one: _Drawers[T]) -> _Drawers[T]:
    return (*drawers[:place], one, *drawers[place + 1 :])


def _all(drawers: _Drawers[T]) -> Iterator[dict[str, T]]:
    if isinstance(drawers, tuple):
        for one in drawers:
            yield from _all(one)
    else:
        yield drawers
