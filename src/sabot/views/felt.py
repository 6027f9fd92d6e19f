"""The felt of a table without real cards, for demonstration and training: what lies on it and what comes out next.

A person deals such a table at a console. The program that runs the table has the order of the cards. The cards lie
where the table counts its cards, so that a wrong entry is seen beside the card that lies there.
"""

from collections.abc import Callable

import msgspec

from sabot.rules.cards import CARDS
from sabot.rules.coup import next_card
from sabot.rules.hand import Side
from sabot.table.coup.evolving import with_its_entries
from sabot.table.phase import Phase
from sabot.table.state import Stage, TableState

CardAt = Callable[[int], str]
"""The card that comes out of the shoe at a position, from 1."""


class Felt(msgspec.Struct, frozen=True, kw_only=True):
    """The cards in their notation, each hand in the order of drawing."""

    player: tuple[str, ...] = ()
    banker: tuple[str, ...] = ()
    drawn: str = ""
    """The card that comes out of the shoe and is to be entered; nothing while none is drawn."""
    drawn_for: Side | None = None
    """The hand that is due it."""
    cutting_card: bool = False
    """Whether the cutting card comes out before it."""
    astray: tuple[str, ...] = ()
    """Cards that are out and were due to nobody."""
    astray_on: Side | None = None
    unseen: int = 0
    """Cards that are out and lie face down."""


def felt_of(state: TableState, card_at: CardAt) -> Felt:
    """What lies there in the coup under way; between coups the cards are cleared away."""
    whole = with_its_entries(state)
    coup, shoe, out = whole.coup, whole.shoe, whole.shoe.out - len(whole.shoe.carried)
    if coup is None or shoe.stage is not Stage.IN_PLAY:
        return Felt()
    lying = tuple(card_at(position) for position in range(out - len(coup.cards) + 1, out + 1))
    player, banker = hands_of(lying)
    due = next_card([CARDS[one] for one in lying])
    if due is None or state.phase is Phase.WAGERING:
        return Felt(player=player, banker=banker)
    cutting = shoe.last_coup is None and shoe.left <= shoe.behind_cutting_card
    return Felt(player=player, banker=banker, drawn=card_at(out + 1), drawn_for=due.side, cutting_card=cutting)


def hands_of(cards: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Cards in the order of drawing as they lie: Player's and Banker's."""
    hands: dict[Side, list[str]] = {Side.PLAYER: [], Side.BANKER: []}
    for place, notation in enumerate(cards):
        due = next_card([CARDS[one] for one in cards[:place]])
        if due is not None:
            hands[due.side].append(notation)
    return tuple(hands[Side.PLAYER]), tuple(hands[Side.BANKER])
