"""Outcome classes: sets of coups that every bet on an aspect treats alike, each represented by one coup.

A ruling depends only on the parts of a coup that its bet's aspect names, so one coup for each combination is enough to
ask the terms for it. The cards of a representative are placeholders; its totals, naturals, pairs and third cards are
those of its class. Some classes cannot be dealt, such as a third card of a hand that did not draw; nothing counts them.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import Final, Protocol

from sabot.odds.exact import CELLS
from sabot.rules.aspect import Aspect
from sabot.rules.cards import DECK, Card, Rank, card
from sabot.rules.coup import Coup, Winner
from sabot.rules.hand import Hand, Pair
from sabot.rules.table_of_play import INITIAL_DEAL

_ACE, _TWO = DECK[0], DECK[1]
_NO_REASONS: Final = (INITIAL_DEAL[0], INITIAL_DEAL[1])
"""No pay table depends on why a hand drew."""


class CoupCounts(Protocol):
    """Numbers of coups by outcome class: exact ones, or those of a simulation."""

    @property
    def total(self) -> int: ...

    def weights(self, aspect: Aspect) -> Sequence[int]:
        """In the order of `outcome_classes(aspect)`."""


@cache
def outcome_classes(aspect: Aspect) -> tuple[Coup, ...]:
    """A representative coup of every class that a bet on this aspect can distinguish.

    In the order of: Player's pair, Banker's, whether they are of one rank, Player's third card, Banker's, the cell.
    """
    return tuple(
        _coup(cell, (player, player_third), (banker, banker_third), same_pair=same)
        for player, banker in product(_pairs(aspect.player_pair), _pairs(aspect.banker_pair))
        for same in ((False, True) if aspect.same_pair else (False,))
        for player_third, banker_third in product(_thirds(aspect.player_thirds), _thirds(aspect.banker_thirds))
        for cell in range(CELLS if aspect.ending else 1)
    )


def _pairs(asked: bool) -> tuple[Pair, ...]:  # noqa: FBT001  A field of the aspect.
    return tuple(Pair) if asked else (Pair.NONE,)


def _thirds(asked: tuple[Rank, ...]) -> Iterator[Card]:
    """A card for any other rank, then one for each rank that is asked for."""
    yield next((one for one in DECK if one.rank not in asked), _ACE)
    yield from (card(f"{rank}S") for rank in asked)


def _coup(cell: int, player: tuple[Pair, Card], banker: tuple[Pair, Card], *, same_pair: bool) -> Coup:
    one = _hand(cell // 200 == 1, cell // 10 % 10, *player, _ACE)
    other = _hand(cell // 100 % 2 == 1, cell % 10, *banker, _ACE if same_pair else _TWO)
    lead = one.total - other.total
    winner = Winner.PLAYER if lead > 0 else Winner.BANKER if lead < 0 else Winner.TIE
    return Coup(one, other, winner, abs(lead), _NO_REASONS)


def _hand(drew: bool, total: int, pair: Pair, third: Card, first: Card) -> Hand:  # noqa: FBT001  A digit of the cell's number.
    return Hand((first, first, third) if drew else (first, first), total, natural=not drew and total >= 8, pair=pair)
