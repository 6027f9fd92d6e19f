"""Late wagers that win too often: what a patron lays who knows more than the others when wagering closes.

Cards that nobody has seen are independent of any wager, however late. So each late wager wins with its exact chance,
given that it wins or loses, and a bet that it wins more often is a martingale at an honest table.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from sabot.basics.phrase import Phrase, phrase
from sabot.integrity.chances import chance_of_winning
from sabot.integrity.light import Kind
from sabot.integrity.seen import LATE_MS, CoupSeen, LateWager
from sabot.integrity.subjects import OfSubjects, Subjects, Watched, watched
from sabot.integrity.tilts import MORE, log_factors

WINDOWS_MS: Final = (250, 1_000, LATE_MS)
"""How late is late is not known in advance: each has a third of the capital."""


class LateState(msgspec.Struct):
    subjects: Subjects = {}


class LateAndWinning(OfSubjects):
    name = "late/1"
    kind = Kind.LATE_WAGERS
    form = LateState
    state: LateState

    def take_coup(self, coup: CoupSeen) -> None:
        for seat, late in coup.late.items():
            largest = _largest(late)
            if largest is None:
                continue
            net = coup.nets.get(seat, {}).get(largest, 0)
            chance = chance_of_winning(coup, largest)
            if net and chance is not None:
                self._see(seat, late[largest].before_closing_ms, chance, won=net > 0)

    def _see(self, seat: str, before_closing_ms: int, chance: float, *, won: bool) -> None:
        one = watched(self.state.subjects, seat, len(WINDOWS_MS) * len(MORE))
        bets = log_factors(MORE, chance, happened=won)
        one.mixture.multiply(
            by for window in WINDOWS_MS for by in (bets if before_closing_ms <= window else [0.0] * len(bets))
        )
        one.count(1, won, chance)

    def told(self, name: str, one: Watched) -> Phrase:
        return phrase("integrity_late_wagers", late=one.things, won=one.marked, expected=one.as_expected, seat=name)


def _largest(late: Mapping[str, LateWager]) -> str | None:
    """The bet to which most was added."""
    added = {bet: wager.added_cents for bet, wager in late.items() if wager.added_cents > 0}
    return max(added, key=lambda bet: (added[bet], bet)) if added else None
