"""A tally: what every bet came to in a simulation, beside what it should come to, in the stable JSON form."""

from math import sqrt
from statistics import NormalDist
from typing import Final

import msgspec

from sabot.odds.bet_odds import BetOdds
from sabot.odds.chi_square import Fit, fit
from sabot.odds.histogram import Histogram
from sabot.odds.next_coup import NextCoup
from sabot.odds.outcome_class import Looks
from sabot.odds.simulation import Simulation
from sabot.odds.study import Study

CONFIDENCE: Final = 0.95
REACH: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
"""How many standard errors the confidence interval reaches to either side."""


class BetTally(msgspec.Struct, frozen=True):
    """Edges are per unit staked; above nought they favour the house."""

    win: int
    push: int
    lose: int
    house_edge: float
    standard_error: float
    confidence_95: tuple[float, float]
    exact: float
    """The house edge of a fresh shoe, exactly."""
    z: float | None
    """How many standard errors the edge lies above the exact one; null where there is no error to measure in."""

    @staticmethod
    def of(came: BetOdds, exact: BetOdds) -> "BetTally":
        edge, error, true = float(came.house_edge), came.sd / sqrt(came.total), float(exact.house_edge)
        return BetTally(
            win=int(came.win * came.total),
            push=int(came.push * came.total),
            lose=int(came.lose * came.total),
            house_edge=edge,
            standard_error=error,
            confidence_95=(edge - REACH * error, edge + REACH * error),
            exact=true,
            z=(edge - true) / error if error else None,
        )


class Tally(msgspec.Struct, frozen=True):
    rule_set: str
    decks: int
    seed: int
    shoes: int
    coups: int
    complete: bool
    """False where Ctrl-C came first."""
    coups_a_shoe: int | None
    burns_by_face_value: bool
    behind_cutting_card: int
    bets: dict[str, BetTally]
    chi_square: Fit | None
    """Of all cells together; null where there were too few coups."""


def tally(study: Study, simulation: Simulation, histogram: Histogram, exact: NextCoup) -> Tally:
    """Nothing in it tells by which crew, kernel or processor the shoes were dealt, because nothing depends on it."""
    dealing = simulation.dealing
    return Tally(
        rule_set=study.terms.rule_set.id,
        decks=dealing.decks,
        seed=simulation.seed,
        shoes=histogram.shoes,
        coups=histogram.total,
        complete=simulation.is_complete(histogram),
        coups_a_shoe=dealing.coups_a_shoe,
        burns_by_face_value=dealing.burns_by_face_value,
        behind_cutting_card=dealing.behind_cutting_card,
        bets={name: BetTally.of(bet.odds(histogram), bet.odds(exact)) for name, bet in study.bets.items()},
        chi_square=fit(histogram.weights(Looks.AT_ALL), exact.weights(Looks.AT_ALL)),
    )
