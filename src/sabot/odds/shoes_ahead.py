"""Simulated shoes with the cards unseen before every coup, dealt with NumPy, many shoes at a time.

Every card of these shoes is drawn, with its suit, since the odds of the next coup depend on all of them; `simulation`
deals shoes of its own, whose suits are drawn only for pairs. Shoes are numbered: seed and number alone decide a shoe.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from sabot.odds.dealing import CARDS_OF_A_COUP, Dealing
from sabot.odds.exact import BANKER_DRAWS, PLAYER_DRAWS
from sabot.odds.exact_kernel import CardCounts
from sabot.odds.simulated_arrays import mixed, words_of
from sabot.rules.cards import DECK

_SHOES_BEGIN: Final = 1 << 63
"""The words of the seed's stream from here on are the keys of shoes; `simulation` uses those from zero on."""

_UNKNOWN: Final = -1
_POINTS: Final = np.array([one.points for one in DECK], dtype=np.intp)
_BURN_VALUES: Final = np.array([one.rank.burn_value for one in DECK], dtype=np.intp)
_PLAYER_DRAWS: Final = np.array(PLAYER_DRAWS, dtype=np.bool_)
_BANKER_DRAWS: Final = np.array(BANKER_DRAWS, dtype=np.bool_)

_Numbers = npt.NDArray[np.intp]


class CoupsAhead(NamedTuple):
    """An entry for each coup, shoe by shoe."""

    shoes: _Numbers
    """The number of the coup's shoe."""
    coups: _Numbers
    """The number of the coup in its shoe, from 1."""
    unseen: CardCounts
    """The cards not shown before the coup, in the order of `DECK`: burned unseen, behind the cutting card, to come."""


def shuffled(decks: int, seed: int, shoes: range) -> npt.NDArray[np.uint8]:
    """The cards of each shoe from front to back, as places in `DECK`: sorted by a random word each."""
    key = mixed(np.array([seed], dtype=np.uint64))
    numbers = np.arange(shoes.start, shoes.stop, dtype=np.uint64) + np.uint64(_SHOES_BEGIN)
    keys = words_of(key, numbers)[:, None]
    words = words_of(keys, np.arange(decks * len(DECK), dtype=np.uint64)[None, :])
    order = np.argsort(words, axis=1, kind="stable")
    return (order % len(DECK)).astype(np.uint8)


def deal(dealing: Dealing, seed: int, shoes: range) -> CoupsAhead:
    """Deal these shoes to their last coup."""
    return _Shoes(dealing, shuffled(dealing.decks, seed, shoes)).deal(shoes.start)


class _Shoes:
    """Shoes dealt coup by coup together until the last of them is over."""

    def __init__(self, dealing: Dealing, cards: npt.NDArray[np.uint8]) -> None:
        self._dealing, self._cards = dealing, cards
        self._unseen = np.full((len(cards), len(DECK)), dealing.decks, dtype=np.uint8)
        self._position = np.ones(len(cards), dtype=np.intp)
        if dealing.burns_by_face_value:
            every, shown = np.arange(len(cards)), cards[:, 0]
            self._unseen[every, shown] -= 1
            self._position += _BURN_VALUES[shown]
        self._to_come = np.full(len(cards), _UNKNOWN, dtype=np.intp)

    def deal(self, first: int) -> CoupsAhead:
        active, coup = np.arange(len(self._cards)), 0
        shoes, coups, unseen = [], [], []
        while len(active):
            coup += 1
            shoes.append(active)
            coups.append(np.full(len(active), coup, dtype=np.intp))
            unseen.append(self._unseen[active])
            self._play(active)
            active = active[self._goes_on(active, coup)]
        by_shoe = np.argsort(np.concatenate(shoes), kind="stable")
        return CoupsAhead(
            np.concatenate(shoes)[by_shoe] + first, np.concatenate(coups)[by_shoe], np.concatenate(unseen)[by_shoe]
        )

    def _play(self, shoes: _Numbers) -> None:
        at = self._position[shoes]
        p1, b1, p2, b2, fifth, sixth = (self._cards[shoes, at + place] for place in range(CARDS_OF_A_COUP))
        player, banker = (_POINTS[p1] + _POINTS[p2]) % 10, (_POINTS[b1] + _POINTS[b2]) % 10
        player_draws = _PLAYER_DRAWS[player, banker]
        column = (_POINTS[fifth] + 1) * player_draws
        banker_draws = _BANKER_DRAWS[player, banker, column]
        for card in (p1, b1, p2, b2):
            self._unseen[shoes, card] -= 1
        self._unseen[shoes, fifth] -= player_draws | banker_draws
        self._unseen[shoes, sixth] -= player_draws & banker_draws
        self._position[shoes] += 4 + player_draws.astype(np.intp) + banker_draws

    def _goes_on(self, shoes: _Numbers, coups: int) -> npt.NDArray[np.bool_]:
        """Which shoes have another coup: the cutting card decides (G-18, G-20), or a fixed number of coups."""
        dealing = self._dealing
        if dealing.coups_a_shoe is not None:
            return np.full(len(shoes), coups < dealing.coups_a_shoe)
        position, to_come = self._position[shoes], self._to_come[shoes]
        seen = (to_come == _UNKNOWN) & (position > dealing.cards - dealing.behind_cutting_card)
        to_come = np.where(seen, dealing.coups_after_cutting_card, to_come - (to_come > _UNKNOWN))
        self._to_come[shoes] = to_come
        going_on: npt.NDArray[np.bool_] = (to_come != 0) & (dealing.cards - position >= CARDS_OF_A_COUP)
        return going_on
