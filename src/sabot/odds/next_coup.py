"""The next coup: the exact distribution of all that a bet can look at, from the cards that are left.

The C kernel counts it where there is one, and NumPy elsewhere; both give what `exact` gives, to the last unit.
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
from sabot.odds.outcome_class import Looks, faces
from sabot.rules.coup import Winner
from sabot.rules.hand import Pair

Solver = Callable[[Composition], Counted]


class Outcomes(msgspec.Struct, frozen=True):
    """What a coup can come to, in ordered sequences of six cards."""

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
        """By cell, whose number is made of: Player drew, Banker drew, Player's total, Banker's total."""
        mixed, coloured, perfect = counted.pairs
        rest = perm(composition.size - 2, NEEDED - 2)
        self.pairs = {
            Pair.NONE: self.total - (mixed + coloured + perfect) * rest,
            **{pair: count * rest for pair, count in zip(PAIRS, counted.pairs, strict=True)},
        }
        """Of one hand. It is the same for both, since either hand's first two cards are any two of the shoe."""

    @cached_property
    def joint(self) -> Joint:
        """Cells and pairs together. It takes a hundred times as long as the cells, so it is made only if asked for."""
        return joint(self.composition, self.cells)

    def weights(self, at: Looks) -> Sequence[int]:
        """Sequences of six cards by face, in the order of `face.faces`."""
        if at is Looks.AT_THE_END:
            return self.cells
        if at is Looks.AT_ALL:
            return [count for pairs in product(Pair, Pair) for count in self.joint[pairs]]
        return tuple(self.pairs.values())

    @cached_property
    def outcomes(self) -> Outcomes:
        won, natural = Counter[Winner](), Counter[Winner]()
        with_six = 0
        for count, face in zip(self.cells, faces(Looks.AT_THE_END), strict=True):
            won[face.winner] += count
            if face.player.natural or face.banker.natural:
                natural[face.winner] += count
            if face.winner is Winner.BANKER and face.banker.total == 6:
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
