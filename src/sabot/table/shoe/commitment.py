"""The commitment to a virtual shoe: one digest, published before the first wager, that binds the whole order of cards.

It is a Merkle root. The leaf of each place is SHA-256(0x00 ‖ the place's salt ‖ "place/cards:card"), so that a card can
be proved by itself when it is dealt, while the others stay hidden. The salts of all places follow from one salt by
HMAC-SHA-256, which goes one way: a proof shows the salt of its own place and of no other. When the shoe has ended its
order and its salt are opened, and anybody can work the commitment out again.

The commitment is to the cards as they were shuffled. The cut comes afterwards and turns them round, so the
person who cuts has a say in what is dealt, and nobody who knew the order had one.

Places count from 0 here, positions in the shoe from 1.
"""

import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Sequence

from sabot.basics.merkle import Levels, climbed, leaf, levels_over, way_up
from sabot.rules.cards import CARDS, DECK

SALT_BYTES = 32
_DIGEST = re.compile(r"[0-9a-f]{64}")
_PROOF = re.compile(r"[0-9a-f]{64}(?:\.[0-9a-f]{64}){0,12}")


def is_commitment(written: str) -> bool:
    return _DIGEST.fullmatch(written) is not None


class Committed:
    """An order of cards with its salt: what publishes, proves and opens."""

    def __init__(self, order: Sequence[str], salt: bytes) -> None:
        assert len(salt) == SALT_BYTES
        self.order, self.salt = tuple(order), salt
        cards = len(self.order)
        self._levels: Levels = levels_over(
            [_leaf(_salt_of(salt, place), place, cards, card) for place, card in enumerate(self.order)]
        )

    @property
    def commitment(self) -> str:
        return self._levels[-1][0].hex()

    def proof(self, place: int) -> str:
        """The salt of the place and the neighbours from the leaf up, in hexadecimal with points between them."""
        neighbours = [digest for _, digest in way_up(self._levels, place)]
        return ".".join(part.hex() for part in (_salt_of(self.salt, place), *neighbours))


def proves(commitment: str, place: int, cards: int, card: str, proof: str) -> bool:
    """Whether the proof leads from this card at this place to the commitment."""
    if _PROOF.fullmatch(proof) is None:
        return False
    salt, *neighbours = (bytes.fromhex(part) for part in proof.split("."))
    root = climbed(_leaf(salt, place, cards, card), place, cards, neighbours)
    return root is not None and root.hex() == commitment


def place_of(position: int, cut_at: int, cards: int) -> int:
    """Where a card that comes out of the shoe at this position lay before the cut."""
    return (cut_at + position - 1) % cards


def wrong_with_opening(commitment: str, decks: int, order: str, salt: str) -> str | None:
    """What speaks against this being the order that was committed to, or nothing."""
    cards = split_order(order)
    if cards is None:
        return "it is not written as cards of two letters each"
    if Counter(cards) != Counter({card.notation: decks for card in DECK}):
        return f"it does not hold the cards of {decks} decks"
    if _DIGEST.fullmatch(salt) is None:
        return "its salt is not written as 64 hexadecimal digits"
    if Committed(cards, bytes.fromhex(salt)).commitment != commitment:
        return "order and salt do not come to the commitment"
    return None


def split_order(written: str) -> tuple[str, ...] | None:
    """`AS2D…` as its cards."""
    cards = tuple(written[at : at + 2] for at in range(0, len(written), 2))
    return cards if all(card in CARDS and CARDS[card].notation == card for card in cards) else None


def _salt_of(salt: bytes, place: int) -> bytes:
    return hmac.digest(salt, str(place).encode(), hashlib.sha256)


def _leaf(salt: bytes, place: int, cards: int, card: str) -> bytes:
    return leaf(salt + f"{place}/{cards}:{card}".encode())
