"""A virtual shoe: cards put in order by chance alone, with a commitment to that order.

Chance arrives as bytes that were drawn from the operating system outside; `rules/chance.py` makes an order of them.
There are 416! orders of eight decks, which is 3,025 bits; fewer bytes than that could not reach them all, so more are
asked for.
"""

from collections.abc import Sequence

from sabot.rules.chance import permuted, uniform, words
from sabot.rules.shoe import full_shoe
from sabot.table.shoe.commitment import SALT_BYTES, Committed, place_of

ORDER_BYTES = 512
"""4,096 bits for an order that needs at most 3,025."""
ENTROPY_BYTES = ORDER_BYTES + SALT_BYTES


class VirtualShoe(Committed):
    """The cards of one shoe in committed order; it knows its table and its number, so that it is taken for no other."""

    def __init__(self, table: str, number: int, order: Sequence[str], salt: bytes) -> None:
        super().__init__(order, salt)
        self.table, self.number = table, number

    def card(self, position: int, cut_at: int) -> str:
        """The card that comes out at this position, from 1, after a cut at so many cards."""
        return self.order[place_of(position, cut_at, len(self.order))]

    def proof_of(self, position: int, cut_at: int) -> str:
        return self.proof(place_of(position, cut_at, len(self.order)))


def shuffle(table: str, number: int, decks: int, entropy: bytes) -> VirtualShoe:
    """A full shoe in an order that follows from the entropy; the salt is drawn apart from it."""
    if len(entropy) != ENTROPY_BYTES:
        raise ValueError(f"a shoe is shuffled from {ENTROPY_BYTES} bytes of entropy, not {len(entropy)}")
    draw = uniform(words(entropy[:ORDER_BYTES]))
    order = [card.notation for card in permuted(full_shoe(decks), draw)]
    return VirtualShoe(table, number, order, entropy[ORDER_BYTES:])
