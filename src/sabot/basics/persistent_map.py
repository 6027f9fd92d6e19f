"""An immutable mapping whose versions share their parts: the cost of a change does not grow with the mapping.

It is a trie on the CRC-32 of the key, sixteen branches a level, with plain dicts as leaves.
"""

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar
from zlib import crc32

T = TypeVar("T")

LARGEST_LEAF = 32
"""A leaf with more entries is split into sixteen branches."""
_SLICE = 512
"""Entries of one of the parts in which a large map is gone through, on average."""
_DEEPEST = 8
"""Each level takes four of the checksum's 32 bits. Leaves at this depth hold any number of entries."""


class PersistentMap(Mapping[str, T], Generic[T]):
    """Reads like a dict. Its order has no meaning but is the same in every process."""

    __slots__ = ("_root",)

    def __init__(self, entries: Mapping[str, T] | None = None) -> None:
        self._root: _Node[T] = _split(dict(entries or {}), 0)

    def put(self, key: str, value: T) -> "PersistentMap[T]":
        return _of(_put(self._root, 0, key, value))

    def without(self, key: str) -> "PersistentMap[T]":
        return _of(_without(self._root, 0, key)) if key in self else self

    def __getitem__(self, key: str) -> T:
        node, depth = self._root, 0
        while isinstance(node, tuple):
            node, depth = node[_branch(key, depth)], depth + 1
        return node[key]

    def __iter__(self) -> Iterator[str]:
        for leaf in _leaves(self._root):
            yield from leaf

    def __len__(self) -> int:
        return sum(map(len, _leaves(self._root)))

    def whole(self) -> dict[str, T]:
        """All entries in one dict, which is quicker to go through."""
        return {key: value for leaf in _leaves(self._root) for key, value in leaf.items()}

    def slices(self) -> Iterator[dict[str, T]]:
        """All entries in parts, of a few hundred each; equal maps have equal parts."""
        levels, entries = 0, len(self)
        while entries > _SLICE * 16**levels and levels < _DEEPEST:
            levels += 1
        yield from _slices(self._root, 0, levels)

    def __repr__(self) -> str:
        return f"PersistentMap({self.whole()!r})"


_Node = dict[str, T] | tuple["_Node[T]", ...]


def _of(root: _Node[T]) -> PersistentMap[T]:
    made: PersistentMap[T] = PersistentMap()
    made._root = root  # noqa: SLF001  The only place that makes a map of nodes.
    return made


def _branch(key: str, depth: int) -> int:
    """The branch that a key belongs to. Python's own hash would differ from process to process."""
    return (crc32(key.encode()) >> (4 * depth)) & 15


def _split(leaf: dict[str, T], depth: int) -> _Node[T]:
    if len(leaf) <= LARGEST_LEAF or depth == _DEEPEST:
        return leaf
    leaves: list[dict[str, T]] = [{} for _ in range(16)]
    for key, value in leaf.items():
        leaves[_branch(key, depth)][key] = value
    return tuple(_split(one, depth + 1) for one in leaves)


def _put(node: _Node[T], depth: int, key: str, value: T) -> _Node[T]:
    if not isinstance(node, tuple):
        return _split({**node, key: value}, depth)
    branch = _branch(key, depth)
    return _instead(node, branch, _put(node[branch], depth + 1, key, value))


def _without(node: _Node[T], depth: int, key: str) -> _Node[T]:
    if not isinstance(node, tuple):
        return {each: value for each, value in node.items() if each != key}
    branch = _branch(key, depth)
    return _instead(node, branch, _without(node[branch], depth + 1, key))


def _instead(node: tuple[_Node[T], ...], branch: int, one: _Node[T]) -> _Node[T]:
    return (*node[:branch], one, *node[branch + 1 :])


def _slices(node: _Node[T], depth: int, levels: int) -> Iterator[dict[str, T]]:
    if depth == levels:
        yield {key: value for leaf in _leaves(node) for key, value in leaf.items()}
        return
    if not isinstance(node, tuple):
        leaves: list[dict[str, T]] = [{} for _ in range(16)]
        for key, value in node.items():
            leaves[_branch(key, depth)][key] = value
        node = tuple(leaves)
    for one in node:
        yield from _slices(one, depth + 1, levels)


def _leaves(node: _Node[T]) -> Iterator[dict[str, T]]:
    if isinstance(node, tuple):
        for one in node:
            yield from _leaves(one)
    else:
        yield node
