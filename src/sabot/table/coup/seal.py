"""The seal: a Merkle root over every station's wagers, published before the first card.

A leaf is SHA-256(0x00 ‖ salt ‖ the station's wagers); `merkle` says how leaves come to a root. The salt keeps a
patron's wagers from being guessed.
"""

from collections.abc import Mapping

import msgspec

from sabot.basics.merkle import Levels, leaf, levels_over, node, way_up
from sabot.rules.rule_set import Bet


class Receipt(msgspec.Struct, frozen=True):
    """What a patron needs to prove that these wagers were sealed under that root."""

    station: str
    wagers: dict[Bet, int]
    salt: str
    path: list[tuple[str, str]]
    """From the leaf up: on which side the neighbour stands, and its digest."""
    root: str


def seal(sealed: Mapping[str, Mapping[Bet, int]], salts: Mapping[str, str]) -> str:
    """The root over all stations with wagers, in the order of their names; no wagers, no leaves, an empty digest."""
    return _levels(sealed, salts)[-1][0].hex()


def receipts(sealed: Mapping[str, Mapping[Bet, int]], salts: Mapping[str, str]) -> dict[str, Receipt]:
    """The receipt of every station with wagers; the tree is made, and written, once for all of them."""
    levels = [list(map(bytes.hex, level)) for level in _levels(sealed, salts)]
    root = levels[-1][0]
    return {
        station: Receipt(
            station,
            dict(sealed[station]),
            salts.get(station, ""),
            way_up(levels, place),
            root,
        )
        for place, station in enumerate(sorted(sealed))
    }


def receipt(station: str, sealed: Mapping[str, Mapping[Bet, int]], salts: Mapping[str, str]) -> Receipt:
    return receipts(sealed, salts)[station]


def proves(shown: Receipt) -> bool:
    """Whether the receipt leads to its root."""
    digest = _leaf(shown.station, shown.wagers, shown.salt)
    for side, neighbour in shown.path:
        other = bytes.fromhex(neighbour)
        digest = node(other, digest) if side == "left" else node(digest, other)
    return digest.hex() == shown.root


def _levels(sealed: Mapping[str, Mapping[Bet, int]], salts: Mapping[str, str]) -> Levels:
    return levels_over([_leaf(station, sealed[station], salts.get(station, "")) for station in sorted(sealed)])


def _leaf(station: str, wagers: Mapping[Bet, int], salt: str) -> bytes:
    laid = [*wagers.items()] if len(wagers) == 1 else sorted(wagers.items())
    return leaf(bytes.fromhex(salt) + _encode((station, laid)))


_encode = msgspec.json.Encoder().encode
