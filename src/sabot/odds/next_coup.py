"""The exact distribution of the next coup, by outcome class, from the cards that are left.

It is counted by the C kernel where there is one and by NumPy elsewhere; both return the same integers as `exact`.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from math import perm
from typing import Final

import msgspec
import numpy as np

from sabot.odds import both_pairs, exact_arrays, exact_kernel
from sabot.odds.bet_odds import taker
from sabot.odds.composition import NEEDED, Composition
from sabot.odds.exact import CELLS, Counted, Sums
from sabot.odds.grouping import Grouping
from sabot.odds.joint import joint
from sabot.odds.outcome_class import outcome_classes
from sabot.rules.aspect import Aspect
from sabot.rules.coup import Winner
from sabot.rules.hand import Pair

Solver = Callable[[Composition], Counted]


class Outcomes(msgspec.Struct, frozen=True):
    """Outcomes of a coup, in ordered sequences of six cards."""

    player: int
    banker: int
    tie: int
    banker_with_6: int
    player_natural_win: int
    banker_natural_win: int
    natural_tie: int
    four_cards: int
    five_cards: int
    six_cards: int


class NextCoup:
    """Nothing is counted before it is asked for, and a study asks for no more than its bets need."""

    def __init__(self, composition: Composition, solve: Solver | None = None) -> None:
        composition.check_playable()
        self.composition = composition
        self._solve = solve
        self._joint: dict[Aspect, list[int]] = {}
        """By aspect, what takes a hundred times as long to count as the cells; nothing that was not asked for."""

    def sums(self, grouping: Grouping) -> Sums:
        """Sequences by group of cells, then by one hand's pair, then all."""
        if self._solve is None:
            return grouping.count(self.composition)
        return grouping.summed(self._counted)

    @cached_property
    def _counted(self) -> Counted:
        return (self._solve or _quickest())(self.composition)

    @property
    def total(self) -> int:
        return perm(self.composition.size, NEEDED)

    @property
    def cells(self) -> tuple[int, ...]:
        """Sequences by cell, whose number is made of: Player drew, Banker drew, Player's total, Banker's total."""
        return self._counted.cells

    @property
    def pairs(self) -> dict[Pair, int]:
        """Sequences by one hand's pair. Both hands have the same distribution, because cards are exchangeable."""
        return dict(zip(Pair, self._counted.pairs, strict=True))

    def weights(self, aspect: Aspect) -> Sequence[int]:
        """The sequences of six cards in each of `outcome_classes(aspect)`."""
        if aspect == Aspect.ENDING:
            return self.cells
        if aspect in (Aspect.PLAYER_PAIR, Aspect.BANKER_PAIR):
            return self._counted.pairs
        if aspect not in self._joint:
            self._joint[aspect] = self._count_jointly(aspect)
        return self._joint[aspect]

    def _count_jointly(self, aspect: Aspect) -> list[int]:
        if aspect.ending or aspect.asks_for_cards:
            return joint(self.composition, aspect)
        pairs: list[int] = both_pairs.weights(np.array([self.composition.cards]), aspect)[0].tolist()
        return pairs

    @property
    def outcomes(self) -> Outcomes:
        sums = self.sums(_OUTCOMES)
        return Outcomes(*[sum(take(sums)) for take in _TAKERS])


def _outcomes_of(place: int) -> tuple[str, ...]:
    """The names of the outcomes to which a cell belongs."""
    ended = outcome_classes(Aspect.ENDING)[place]
    natural = "natural_tie" if ended.winner is Winner.TIE else f"{ended.winner}_natural_win"
    return (
        ended.winner.value,
        *(("banker_with_6",) if ended.winner is Winner.BANKER and ended.banker.total == 6 else ()),
        *((natural,) if ended.player.natural or ended.banker.natural else ()),
        {4: "four_cards", 5: "five_cards", 6: "six_cards"}[len(ended.player.cards) + len(ended.banker.cards)],
    )


_OUTCOMES: Final = Grouping([_outcomes_of(place) for place in range(CELLS)])
_TAKERS: Final = tuple(
    taker(_OUTCOMES.of_cells(place for place in range(CELLS) if name in _outcomes_of(place)))
    for name in Outcomes.__struct_fields__
)
"""For each outcome, takes its sums."""


def _quickest() -> Solver:
    return exact_kernel.count if exact_kernel.is_there() else exact_arrays.count
