"""A seat that lays a bet just when the cards left favour it: its patron counts, or knows the cards in another way.

To count is no offence in itself, but the house is told. A return shows it late, since favourable edges are small; the
choice of coups shows it soon. Within a quarter of a shoe, an honest patron's wagers on a bet fall on favourable coups
as on others, up to the odds ratio `TOLERATED`. The number that do is hypergeometric (`overlap.py`).
"""

from typing import Final

import msgspec

from sabot.basics.phrase import Phrase, phrase
from sabot.integrity.chances import favourable
from sabot.integrity.light import Kind
from sabot.integrity.overlap import RATIOS, log_factors
from sabot.integrity.seen import CoupSeen, ShoeSeen
from sabot.integrity.subjects import OfSubjects, Subjects, Watched, watched

TOLERATED: Final = 4.0
QUARTERS: Final = 4


class CoupToChoose(msgspec.Struct, array_like=True, gc=False):
    quarter: int
    favourable: tuple[str, ...]
    laid: dict[str, tuple[str, ...]]
    """The bets laid, by seat."""


class KnowingState(msgspec.Struct):
    coups: list[CoupToChoose] = []
    """Of this shoe."""
    subjects: Subjects = {}
    """By seat and bet, with a blank between them."""


class Knowing(OfSubjects):
    name = "knowing/1"
    kind = Kind.KNOWING
    form = KnowingState
    state: KnowingState

    def take_coup(self, coup: CoupSeen) -> None:
        good = favourable(coup)
        if good is None or coup.unseen is None:
            return
        quarter = coup.unseen.size * QUARTERS // (52 * coup.terms.decks + 1)
        laid = {seat: tuple(stakes) for seat, stakes in coup.stakes.items()}
        self.state.coups.append(CoupToChoose(quarter, good, laid))

    def take_shoe(self, _: ShoeSeen) -> None:
        state = self.state
        good = {bet for coup in state.coups for bet in coup.favourable}
        laid = {(seat, bet) for coup in state.coups for seat, bets in coup.laid.items() for bet in bets if bet in good}
        for seat, bet in sorted(laid):
            self._see(seat, bet)
        state.coups = []

    def _see(self, seat: str, bet: str) -> None:
        factors, things, marked, expected = [0.0] * len(RATIOS), 0, 0, 0.0
        for quarter in range(QUARTERS):
            coups = [coup for coup in self.state.coups if coup.quarter == quarter]
            good = [bet in coup.favourable for coup in coups]
            mine = [bet in coup.laid.get(seat, ()) for coup in coups]
            both = sum(one and other for one, other in zip(good, mine, strict=True))
            if not sum(mine):
                continue
            more = log_factors(len(coups), sum(good), sum(mine), both, TOLERATED)
            factors = [one + by for one, by in zip(factors, more, strict=True)]
            things, marked = things + sum(mine), marked + both
            expected += sum(mine) * sum(good) / len(coups)
        one = watched(self.state.subjects, f"{seat} {bet}", len(RATIOS))
        one.mixture.multiply(factors)
        one.count(things, marked, expected)

    def told(self, _name: str, one: Watched) -> Phrase:
        return phrase("integrity_knowing", wagers=one.things, favourable=one.marked, expected=one.as_expected)
