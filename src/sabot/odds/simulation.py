"""A simulation of whole shoes, by number of shoes or of coups. Its result depends only on the seed and that number."""

from math import ceil
from typing import Final

import msgspec

from sabot.basics.mistake import Mistake
from sabot.odds.dealing import Dealing
from sabot.odds.histogram import Histogram
from sabot.odds.workers import Watch, Workers

MOST: Final = 10**15
"""The most coups or shoes: over an hour's work for a thousand cores, and far below the largest count."""

SEEDS: Final = 2**63


class Simulation(msgspec.Struct, frozen=True, kw_only=True):
    dealing: Dealing
    seed: int
    shoes: int | None = None
    coups: int | None = None
    """Exactly one of `shoes` and `coups` is given."""

    def __post_init__(self) -> None:
        if not 0 <= self.seed < SEEDS:
            raise Mistake(f"a seed is a whole number from 0 to {SEEDS - 1}, not {self.seed}")
        if (self.shoes is None) == (self.coups is None):
            raise Mistake("say either how many coups or how many shoes")
        for what, number in (("shoes", self.shoes), ("coups", self.coups)):
            if number is not None and not 1 <= number <= MOST:
                raise Mistake(f"a simulation has 1 to {MOST:,} {what}, not {number:,}")

    @property
    def expected_coups(self) -> float:
        return self.coups or (self.shoes or 0) * self.dealing.expected_coups

    @property
    def none_dealt(self) -> Histogram:
        return Histogram(told_apart=self.dealing.told_apart)

    def is_complete(self, dealt: Histogram) -> bool:
        return dealt.shoes == self.shoes if self.coups is None else dealt.total >= self.coups

    @property
    def sure_shoes(self) -> int:
        """How many shoes are dealt in any case. A run may be resumed within these."""
        if self.coups is None:
            assert self.shoes is not None
            return self.shoes
        return int(self.coups / self.dealing.expected_coups * 0.999) // 4 * 4

    def run(self, workers: Workers, watch: Watch, dealt: Histogram | None = None) -> Histogram:
        """Deal all shoes that are wanted; fewer only after Ctrl-C. The first of them may have been dealt before."""
        begun, sure = dealt or self.none_dealt, self.sure_shoes
        assert begun.shoes % 4 == 0 or begun.shoes == sure
        more = workers.deal(self.dealing, self.seed, range(begun.shoes, sure), lambda more: watch(begun + more))
        surely = begun + more
        if surely.shoes < sure or self.coups is None:
            return surely
        return self._until_enough(self.coups, surely, workers, watch)

    def _until_enough(self, coups: int, dealt: Histogram, workers: Workers, watch: Watch) -> Histogram:
        """Nearly all shoes have been dealt. Deal the rest, again from the start of a group of four with a few shoes
        more each time, until there are enough coups. So the number of shoes depends only on the cards.
        """
        rest, shoes = self.none_dealt, 0
        while rest.shoes == shoes and (missing := coups - dealt.total - rest.total) > 0:
            shoes += ceil(missing / self.dealing.expected_coups)
            to_deal = range(dealt.shoes, dealt.shoes + shoes)
            rest = workers.deal(self.dealing, self.seed, to_deal, lambda more: watch(dealt + more))
        return dealt + rest
