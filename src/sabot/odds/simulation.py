"""A simulation: whole shoes, so many or until so many coups are dealt. It is a function of seed and number of shoes."""

from math import ceil
from typing import Final

import msgspec

from sabot.basics.mistake import Mistake
from sabot.odds.dealing import Dealing
from sabot.odds.histogram import Histogram
from sabot.odds.workers import Crew, Watch

MOST: Final = 10**15
"""Coups or shoes: more than a year's work for a thousand cores, and far below what the counts can hold."""

SEEDS: Final = 2**63


class Simulation(msgspec.Struct, frozen=True, kw_only=True):
    dealing: Dealing
    seed: int
    shoes: int | None = None
    coups: int | None = None
    """One of the two is given."""

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

    def is_complete(self, dealt: Histogram) -> bool:
        return dealt.shoes == self.shoes if self.coups is None else dealt.total >= self.coups

    def run(self, crew: Crew, watch: Watch) -> Histogram:
        """All that is wanted; less only after Ctrl-C."""
        if self.coups is None:
            assert self.shoes is not None
            return crew.deal(self.dealing, self.seed, range(self.shoes), watch)
        return self._until_enough(self.coups, crew, watch)

    def _until_enough(self, coups: int, crew: Crew, watch: Watch) -> Histogram:
        """Nearly all shoes are dealt at once. The rest is dealt again, from where a four of shoes begins, with a few
        shoes more each time until it is enough: which shoes those are depends on the cards alone.
        """
        bulk = int(coups / self.dealing.expected_coups * 0.999) // 4 * 4
        dealt = crew.deal(self.dealing, self.seed, range(bulk), watch)
        if dealt.shoes < bulk:
            return dealt
        rest, shoes = Histogram(), 0
        while rest.shoes == shoes and (missing := coups - dealt.total - rest.total) > 0:
            shoes += ceil(missing / self.dealing.expected_coups)
            rest = crew.deal(self.dealing, self.seed, range(bulk, bulk + shoes), lambda more: watch(dealt + more))
        return dealt + rest
