"""Merkle trees: one root over many leaves, and the path of digests from a leaf to the root.

A leaf is SHA-256(0x00 ‖ its content), a node SHA-256(0x01 ‖ left ‖ right); an odd node is moved up unchanged. The
prefixes differ so that a leaf cannot be presented as a node.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

Digest = TypeVar("Digest", bytes, str)

Levels = list[list[bytes]]
"""From the leaves to the root."""


def leaf(content: bytes) -> bytes:
    return sha256(b"\0" + content).digest()


def node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1%b%b" % (left, right)).digest()


def levels_over(leaves: Sequence[bytes]) -> Levels:
    """All levels of the tree; without leaves the root is the digest of nothing."""
    levels = [list(leaves) or [sha256().digest()]]
    while len(levels[-1]) > 1:
        level = levels[-1]
        alone = level[-1:] if len(level) % 2 else []
        levels.append([*map(node, level[::2], level[1::2]), *alone])
    return levels


def way_up(levels: list[list[Digest]], place: int) -> list[tuple[str, Digest]]:
    """From a leaf to the root: the side of each neighbour, and its digest, as the levels have it."""
    way = []
    for level in levels[:-1]:
        neighbour = place ^ 1
        if neighbour < len(level):
            way.append(("left" if neighbour < place else "right", level[neighbour]))
        place //= 2
    return way


def climbed(digest: bytes, place: int, leaves: int, neighbours: Sequence[bytes]) -> bytes | None:
    """The root computed from a leaf at a known place; None where the path has too many or too few neighbours."""
    left = iter(neighbours)
    while leaves > 1:
        if place ^ 1 < leaves:
            neighbour = next(left, None)
            if neighbour is None:
                return None
            digest = node(neighbour, digest) if place % 2 else node(digest, neighbour)
        place, leaves = place // 2, (leaves + 1) // 2
    return digest if next(left, None) is None else None
