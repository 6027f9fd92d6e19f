"""What every bet of some terms pays in each outcome that bets tell apart, and how likely the outcomes are.

Outcomes are in three parts: how the coup ends, Player's pair, and Banker's pair. The exact chances within a part follow
from the unseen cards in one count. Those of two parts together would take a hundred times as long; `returns.py` needs
none of them. A casino's own bet that depends on more than one part is left out.
"""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sabot.odds.composition import NEEDED, Composition
from sabot.odds.study import COUNTED_AT_ONCE, Study
from sabot.rules.hand import Pair
from sabot.rules.terms import Terms

Floats = NDArray[np.float64]


class Payoffs:
    def __init__(self, terms: Terms) -> None:
        study = Study.of(terms)
        self._grouping = study.grouping
        groups, pairs = study.grouping.number, len(Pair)
        self.parts: Final = (slice(0, groups), slice(groups, groups + pairs), slice(groups + pairs, groups + 2 * pairs))
        """The outcomes of each part."""
        self.part_of_outcome: Final = np.repeat(np.arange(3), [groups, pairs, pairs])
        chosen = [name for name in study.bets if name in study.ruled]
        self.place: Final = {name: place for place, name in enumerate(chosen)}
        """The bets that are watched, by name."""
        self.nets: Final[Floats] = np.zeros((len(chosen), groups + 2 * pairs))
        """The net of a unit on each bet in each outcome of its part."""
        self.part_of_bet: Final[Floats] = np.zeros((len(chosen), len(COUNTED_AT_ONCE)))
        """One where a bet depends on a part."""
        for name, place in self.place.items():
            part = COUNTED_AT_ONCE.index(study.bets[name].aspect)
            self.part_of_bet[place, part] = 1
            shift = pairs if part == 2 else 0
            ruled = study.ruled[name]
            for net, outcomes in zip(ruled.nets, ruled.places, strict=True):
                self.nets[place, [one + shift for one in outcomes]] = float(net)
        self._last: tuple[Composition | None, Floats] = None, self.nets
        fresh = self.chances(Composition.fresh(terms.decks))
        means = self.nets @ fresh
        self.spread: Final[Floats] = np.sqrt(self.nets**2 @ fresh - means**2)
        """The standard deviation of a unit on each bet from a fresh shoe, by which stakes are compared."""

    def chances(self, unseen: Composition) -> Floats:
        """The chance of each outcome within its part."""
        known, chances = self._last
        if known is not unseen:  # Several detectors ask about the same coup.
            sums = self._grouping.count(unseen)
            pairs = sums[-1 - len(Pair) : -1]
            chances = np.array((*sums[:-1], *pairs)) / sums[-1]
            self._last = unseen, chances
        return chances


@lru_cache(maxsize=64)
def payoffs_of(terms: Terms) -> Payoffs:
    return Payoffs(terms)


def are_chances_known(unseen: Composition | None) -> bool:
    """Whether the chances of a coup from these cards can be told."""
    return unseen is not None and unseen.suits_known and unseen.size >= NEEDED
