"""Outcome classes: sets of coups that every bet treats alike, each represented by one coup.

A ruling depends only on totals, numbers of cards and pairs, so one coup for each combination is enough to ask the terms
for it. The cards of a representative are placeholders; its totals, naturals and pairs are those of its class.
"""

import enum
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Final, Protocol

from sabot.odds.exact import CELLS
from sabot.rules.cards import DECK
from sabot.rules.coup import Coup, Winner
from sabot.rules.hand import Hand, Pair
from sabot.rules.rule_set import BetRules
from sabot.rules.table_of_play import INITIAL_DEAL

_PLACEHOLDER: Final = DECK[0]
_NO_REASONS: Final = (INITIAL_DEAL[0], INITIAL_DEAL[1])
"""No pay table depends on why a hand drew."""


class Aspect(enum.Enum):
    """The part of a coup that a bet depends on: how it ended, one hand's pair, or everything."""

    ENDING = "ending"
    PLAYER_PAIR = "player's pair"
    BANKER_PAIR = "banker's pair"
    ALL = "all"


class CoupCounts(Protocol):
    """Numbers of coups by outcome class: exact ones, or those of a simulation."""

    @property
    def total(self) -> int: ...

    def weights(self, aspect: Aspect) -> Sequence[int]:
        """In the order of `outcome_classes(aspect)`."""


def aspect_of(rules: BetRules) -> Aspect:
    asked = [line.when for line in rules.lines]
    at_end = any(when.winner is not None or when.margin is not None for when in asked)
    at_player = any(when.player_pair is not None for when in asked)
    at_banker = any(when.banker_pair is not None for when in asked)
    return {
        (True, False, False): Aspect.ENDING,
        (False, True, False): Aspect.PLAYER_PAIR,
        (False, False, True): Aspect.BANKER_PAIR,
    }.get((at_end, at_player, at_banker), Aspect.ALL)


def asks_for_suits(rules: BetRules) -> bool:
    """Whether the bet distinguishes mixed, coloured and perfect pairs."""
    pairs = {pair for line in rules.lines for pair in (line.when.player_pair, line.when.banker_pair)}
    return not pairs <= {None, "any"}


@cache
def outcome_classes(aspect: Aspect) -> tuple[Coup, ...]:
    """A representative coup of every class that a bet on this aspect can distinguish."""
    if aspect is Aspect.ENDING:
        return tuple(_outcome_class(cell, Pair.NONE, Pair.NONE) for cell in range(CELLS))
    if aspect is Aspect.PLAYER_PAIR:
        return tuple(_outcome_class(0, pair, Pair.NONE) for pair in Pair)
    if aspect is Aspect.BANKER_PAIR:
        return tuple(_outcome_class(0, Pair.NONE, pair) for pair in Pair)
    return tuple(_outcome_class(cell, *pairs) for pairs in product(Pair, Pair) for cell in range(CELLS))


def _outcome_class(cell: int, player_pair: Pair, banker_pair: Pair) -> Coup:
    player = _hand(cell // 200 == 1, cell // 10 % 10, player_pair)
    banker = _hand(cell // 100 % 2 == 1, cell % 10, banker_pair)
    lead = player.total - banker.total
    winner = Winner.PLAYER if lead > 0 else Winner.BANKER if lead < 0 else Winner.TIE
    return Coup(player, banker, winner, abs(lead), _NO_REASONS)


def _hand(drew: bool, total: int, pair: Pair) -> Hand:  # noqa: FBT001  A digit of the cell's number.
    return Hand((_PLACEHOLDER,) * (3 if drew else 2), total, natural=not drew and total >= 8, pair=pair)
