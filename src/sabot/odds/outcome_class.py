"""Outcome classes: sets of coups that every bet on an aspect treats alike, each represented by one coup.

A ruling depends only on the parts of a coup that its bet's aspect names, so one coup for each combination is enough to
ask the terms for it. Totals, naturals and pairs of a representative are those of its class, and so are its first two
cards and its third one where patterns are asked of them; otherwise its cards are placeholders. Some classes cannot be
dealt, such as a third card of a hand that did not draw; nothing counts them.
"""

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Final, NamedTuple, Protocol

from sabot.odds.exact import CELLS
from sabot.rules.aspect import Aspect
from sabot.rules.cards import DECK, Card, Rank, Suit
from sabot.rules.coup import Coup, Winner
from sabot.rules.hand import Hand, Pair
from sabot.rules.pattern import (
    Signature,
    start_classes,
    start_signature,
    suit_in_common,
    third_classes,
    third_signature,
)
from sabot.rules.table_of_play import INITIAL_DEAL

_ACE, _TWO = DECK[0], DECK[1]
_NO_REASONS: Final = (INITIAL_DEAL[0], INITIAL_DEAL[1])
"""No pay table depends on why a hand drew."""

_Three = tuple[Card, Card, Card]
_Asked = tuple[tuple[str, ...], tuple[str, ...]]
"""The patterns asked of a hand's first two cards, and of its third."""


class CoupCounts(Protocol):
    """Numbers of coups by outcome class: exact ones, or those of a simulation."""

    @property
    def total(self) -> int: ...

    def weights(self, aspect: Aspect) -> Sequence[int]:
        """In the order of `outcome_classes(aspect)`."""


class Shape(NamedTuple):
    """How many classes an aspect tells apart by each part, in the order of the outcome classes."""

    player_pair: int
    banker_pair: int
    same_pair: int
    player_start: int
    banker_start: int
    player_third: int
    banker_third: int
    cell: int


@cache
def shape(aspect: Aspect) -> Shape:
    return Shape(
        player_pair=len(_pairs(aspect.player_pair)),
        banker_pair=len(_pairs(aspect.banker_pair)),
        same_pair=1 + aspect.same_pair,
        player_start=len(start_classes(aspect.player_starts)),
        banker_start=len(start_classes(aspect.banker_starts)),
        player_third=len(third_classes(aspect.player_thirds)),
        banker_third=len(third_classes(aspect.banker_thirds)),
        cell=CELLS if aspect.ending else 1,
    )


@cache
def outcome_classes(aspect: Aspect) -> tuple[Coup, ...]:
    """A representative coup of every class that a bet on this aspect can distinguish, in the order of `Shape`."""
    players = (aspect.player_starts, aspect.player_thirds)
    bankers = (aspect.banker_starts, aspect.banker_thirds)
    return tuple(
        _coup(cell, (first, one), (second, other))
        for first, second in product(_pairs(aspect.player_pair), _pairs(aspect.banker_pair))
        for same in ((False, True) if aspect.same_pair else (False,))
        for p, b in product(start_classes(players[0]), start_classes(bankers[0]))
        for q, c in product(third_classes(players[1]), third_classes(bankers[1]))
        for one, other in [_cards(players, bankers, ((p, q), (b, c)), same=same)]
        for cell in range(CELLS if aspect.ending else 1)
    )


def _pairs(asked: bool) -> tuple[Pair, ...]:  # noqa: FBT001  A field of the aspect.
    return tuple(Pair) if asked else (Pair.NONE,)


@cache
def _cards(
    players: _Asked, bankers: _Asked, told: tuple[tuple[Signature, Signature], ...], *, same: bool
) -> tuple[_Three, _Three]:
    """Three cards of each hand with these signatures, whose first ones are of one rank or, if it can be, are not."""
    mine, theirs = _hands(players).get(told[0], {}), _hands(bankers).get(told[1], {})
    for (one, first), (other, second) in product(mine.items(), theirs.items()):
        if (one is other) == same:
            return first, second
    return next(iter(mine.values()), (_ACE,) * 3), next(iter(theirs.values()), (_TWO,) * 3)


@cache
def _hands(asked: _Asked) -> dict[tuple[Signature, Signature], dict[Rank, _Three]]:
    """Three cards for every signature that they can have, by the rank of the first; a pair where it can be one."""
    starts, thirds = asked
    drawn = {suit: {third_signature(thirds, card, suit): card for card in reversed(DECK)} for suit in (None, *Suit)}
    hands: dict[tuple[Signature, Signature], dict[Rank, _Three]] = {}
    for first in DECK:
        for second in sorted(DECK, key=lambda card: card.rank is not first.rank):
            begun = start_signature(starts, first, second)
            for signature, third in drawn[suit_in_common(first, second)].items():
                hands.setdefault((begun, signature), {}).setdefault(first.rank, (first, second, third))
    return hands


def _coup(cell: int, player: tuple[Pair, _Three], banker: tuple[Pair, _Three]) -> Coup:
    one = _hand(cell // 200 == 1, cell // 10 % 10, *player)
    other = _hand(cell // 100 % 2 == 1, cell % 10, *banker)
    lead = one.total - other.total
    winner = Winner.PLAYER if lead > 0 else Winner.BANKER if lead < 0 else Winner.TIE
    return Coup(one, other, winner, abs(lead), _NO_REASONS)


def _hand(drew: bool, total: int, pair: Pair, cards: _Three) -> Hand:  # noqa: FBT001  A digit of the cell's number.
    return Hand(cards if drew else cards[:2], total, natural=not drew and total >= 8, pair=pair)
