"""Faces: coups that stand for all that look alike to a bet.

A ruling looks at totals, numbers of cards and pairs and at nothing else, so one coup for each combination is enough to
ask the terms. Its cards are stand-ins; its hands say what the cell and the pairs say.
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

_STAND_IN: Final = DECK[0]
_NOT_LOOKED_AT: Final = (INITIAL_DEAL[0], INITIAL_DEAL[1])
"""Why a hand drew is of no interest to a pay table."""


class Looks(enum.Enum):
    """What a bet looks at: how the coup ended, one hand's pair, or all of it together."""

    AT_THE_END = "end"
    AT_PLAYERS_PAIR = "player's pair"
    AT_BANKERS_PAIR = "banker's pair"
    AT_ALL = "all"


class Weighed(Protocol):
    """Coups by face, counted exactly or as they came in a simulation."""

    @property
    def total(self) -> int: ...

    def weights(self, at: Looks) -> Sequence[int]:
        """In the order of `faces`."""


def looks(rules: BetRules) -> Looks:
    asked = [line.when for line in rules.lines]
    at_end = any(when.winner is not None or when.margin is not None for when in asked)
    at_player = any(when.player_pair is not None for when in asked)
    at_banker = any(when.banker_pair is not None for when in asked)
    return {
        (True, False, False): Looks.AT_THE_END,
        (False, True, False): Looks.AT_PLAYERS_PAIR,
        (False, False, True): Looks.AT_BANKERS_PAIR,
    }.get((at_end, at_player, at_banker), Looks.AT_ALL)


def asks_for_suits(rules: BetRules) -> bool:
    """Whether it tells a mixed pair from a coloured or a perfect one."""
    pairs = {pair for line in rules.lines for pair in (line.when.player_pair, line.when.banker_pair)}
    return not pairs <= {None, "any"}


@cache
def faces(at: Looks) -> tuple[Coup, ...]:
    """In the order of `NextCoup.weights`."""
    if at is Looks.AT_THE_END:
        return tuple(_face(cell, Pair.NONE, Pair.NONE) for cell in range(CELLS))
    if at is Looks.AT_PLAYERS_PAIR:
        return tuple(_face(0, pair, Pair.NONE) for pair in Pair)
    if at is Looks.AT_BANKERS_PAIR:
        return tuple(_face(0, Pair.NONE, pair) for pair in Pair)
    return tuple(_face(cell, *pairs) for pairs in product(Pair, Pair) for cell in range(CELLS))


def _face(cell: int, player_pair: Pair, banker_pair: Pair) -> Coup:
    player = _hand(cell // 200 == 1, cell // 10 % 10, player_pair)
    banker = _hand(cell // 100 % 2 == 1, cell % 10, banker_pair)
    lead = player.total - banker.total
    winner = Winner.PLAYER if lead > 0 else Winner.BANKER if lead < 0 else Winner.TIE
    return Coup(player, banker, winner, abs(lead), _NOT_LOOKED_AT)


def _hand(drew: bool, total: int, pair: Pair) -> Hand:  # noqa: FBT001  A cell's first figures are these.
    return Hand((_STAND_IN,) * (3 if drew else 2), total, natural=not drew and total >= 8, pair=pair)
