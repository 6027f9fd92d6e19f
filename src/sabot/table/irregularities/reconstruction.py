"""The first coup of a shoe, put together again around a burn that was left out (CROWN 11.1.1)."""

from sabot.rules.cards import Card
from sabot.rules.coup import next_card, read_in_shoe_order
from sabot.table.events import CoupReconstructed
from sabot.table.state import CoupUnderWay


def without_burn(coup: CoupUnderWay, missing: int, clause: str) -> CoupReconstructed:
    """The first cards of the coup are the burn, and each card after them falls as many places later.

    Where fewer cards are out than were to be burned, the rest is burned before the coup goes on.
    """
    burned, used = coup.cards[:missing], coup.cards[missing:]
    left_over: tuple[Card, ...] = ()
    if next_card(used) is None:
        again, left_over = read_in_shoe_order(used)
        used = again.cards
    return CoupReconstructed(
        coup=coup.number,
        burned=" ".join(card.notation for card in burned),
        still_due=missing - len(burned),
        cards=tuple(card.notation for card in used),
        left_over=tuple(card.notation for card in left_over),
        clause=clause,
    )
