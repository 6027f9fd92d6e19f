"""The seal: a Merkle root over every station's wagers, published before the first card.

A leaf is SHA-256(0x00 ‖ salt ‖ the station's wagers), a node SHA-256(0x01 ‖ left ‖ right); an odd node goes up alone.
The salt keeps a patron's wagers from being guessed; the two prefixes keep a leaf from passing as a node.
"""

import hashlib
from collections.abc import Mapping

import msgspec


class Receipt(msgspec.Struct, frozen=True):
    """What a patron needs to prove that these wagers were sealed under that root."""

    station: str
    wagers: dict[str, int]
    salt: str
    path: list[tuple[str, str]]
    """From the leaf up: on which side the neighbour stands, and its digest."""
    root: str


def seal(sealed: Mapping[str, Mapping[str, int]], salts: Mapping[str, str]) -> str:
    """The root over all stations with wagers, in the order of their names; no wagers, no leaves, an empty digest."""
    return _levels(sealed, salts)[-1][0].hex()


def receipt(station: str, sealed: Mapping[str, Mapping[str, int]], salts: Mapping[str, str]) -> Receipt:
    levels = _levels(sealed, salts)
    place = sorted(sealed).index(station)
    path = []
    for level in levels[:-1]:
        neighbour = place ^ 1
        if neighbour < len(level):
            path.append(("left" if neighbour < place else "right", level[neighbour].hex()))
        place //= 2
    return Receipt(station, dict(sealed[station]), salts.get(station, ""), path, levels[-1][0].hex())


def proves(shown: Receipt) -> bool:
    """Whether the receipt leads to its root."""
    digest = _leaf(shown.station, shown.wagers, shown.salt)
    for side, neighbour in shown.path:
        other = bytes.fromhex(neighbour)
        digest = _node(other, digest) if side == "left" else _node(digest, other)
    return digest.hex() == shown.root


def _levels(sealed: Mapping[str, Mapping[str, int]], salts: Mapping[str, str]) -> list[list[bytes]]:
    level = [_leaf(station, sealed[station], salts.get(station, "")) for station in sorted(sealed)]
    levels = [level or [hashlib.sha256().digest()]]
    while len(levels[-1]) > 1:
        level = levels[-1]
        pairs = [_node(*level[at : at + 2]) if at + 1 < len(level) else level[at] for at in range(0, len(level), 2)]
        levels.append(pairs)
    return levels


def _leaf(station: str, wagers: Mapping[str, int], salt: str) -> bytes:
    written = msgspec.json.encode([station, sorted(wagers.items())])
    return hashlib.sha256(b"\0" + bytes.fromhex(salt) + written).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()
