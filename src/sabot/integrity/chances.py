"""The exact chances of a coup's wagers, from the cards that nobody had seen before it."""

from functools import lru_cache

import numpy as np

from sabot.integrity.payoffs import Floats, are_chances_known, payoffs_of
from sabot.integrity.seen import CoupSeen
from sabot.rules.terms import Terms


@lru_cache(maxsize=1024)
def _winning_and_losing(terms: Terms, bet: str) -> tuple[Floats, Floats]:
    payoffs = payoffs_of(terms)
    nets = payoffs.nets[payoffs.place[bet]]
    return (nets > 0).astype(np.float64), (nets < 0).astype(np.float64)


def chance_of_winning(coup: CoupSeen, bet: str) -> float | None:
    """The chance that a wager on the bet wins, given that it wins or loses; None where it is not known."""
    payoffs = payoffs_of(coup.terms)
    if coup.unseen is None or not are_chances_known(coup.unseen) or bet not in payoffs.place:
        return None
    chances = payoffs.chances(coup.unseen)
    winning, losing = _winning_and_losing(coup.terms, bet)
    won, lost = float(winning @ chances), float(losing @ chances)
    return won / (won + lost) if won + lost else 1.0


def favourable(coup: CoupSeen) -> tuple[str, ...] | None:
    """The bets whose edge favoured the patron; None where that is not known."""
    if coup.unseen is None or not are_chances_known(coup.unseen):
        return None
    payoffs = payoffs_of(coup.terms)
    gains = payoffs.nets @ payoffs.chances(coup.unseen)
    return tuple(bet for bet, place in payoffs.place.items() if gains[place] > 0)
