"""The exact distribution of the next coup, by outcome class, from the cards that are left.

It is counted by the C kernel where there is one and by NumPy elsewhere; both return the same integers as `exact`.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import product
from math import perm

import msgspec

from sabot.odds import exact_arrays, exact_kernel
from sabot.odds.composition import NEEDED, Composition
from sabot.odds.exact import Counted
from sabot.odds.joint import PAIRS, Joint, joint
from sabot.odds.outcome_class import Aspect, outcome_classes
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
    def __init__(self, composition: Composition, solve: Solver | None = None) -> None:
        composition.check_playable()
        self.composition = composition
        self.total = perm(composition.size, NEEDED)
        counted = (solve or _quickest())(composition)
        self.cells = counted.cells
        """Sequences by cell, whose number is made of: Player drew, Banker drew, Player's total, Banker's total."""
        mixed, coloured, perfect = counted.pairs
        rest = perm(composition.size - 2, NEEDED - 2)
        self.pairs = {
            Pair.NONE: self.total - (mixed + coloured + perfect) * rest,
            **{pair: count * rest for pair, count in zip(PAIRS, counted.pairs, strict=True)},
        }
        """Sequences by one hand's pair. Both hands have the same distribution, because cards are exchangeable."""

    @cached_property
    def joint(self) -> Joint:
        """Cells and pairs together, counted only when needed, since it takes a hundred times as long as the cells."""
        return joint(self.composition, self.cells)

    def weights(self, aspect: Aspect) -> Sequence[int]:
        """The sequences of six cards in each of `outcome_classes(aspect)`."""
        if aspect is Aspect.ENDING:
            return self.cells
        if aspect is Aspect.ALL:
            return [count for pairs in product(Pair, Pair) for count in self.joint[pairs]]
        return tuple(self.pairs.values())

    @cached_property
    def outcomes(self) -> Outcomes:
        won, natural = Counter[Winner](), Counter[Winner]()
        with_six = 0
        for count, outcome_class in zip(self.cells, outcome_classes(Aspect.ENDING), strict=True):
            won[outcome_class.winner] += count
            if outcome_class.player.natural or outcome_class.banker.natural:
                natural[outcome_class.winner] += count
            if outcome_class.winner is Winner.BANKER and outcome_class.banker.total == 6:
                with_six += count
        return Outcomes(
            player=won[Winner.PLAYER],
            banker=won[Winner.BANKER],
            tie=won[Winner.TIE],
            banker_with_6=with_six,
            player_natural_win=natural[Winner.PLAYER],
            banker_natural_win=natural[Winner.BANKER],
            natural_tie=natural[Winner.TIE],
            four_cards=sum(self.cells[:100]),
            five_cards=sum(self.cells[100:300]),
            six_cards=sum(self.cells[300:]),
        )


def _quickest() -> Solver:
    return exact_kernel.count if exact_kernel.is_there() else exact_arrays.count
