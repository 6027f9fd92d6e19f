"""The results of every bet in a simulation beside its exact odds, in the stable JSON form."""

from math import sqrt
from statistics import NormalDist
from typing import Final

import msgspec

from sabot.odds.bet_odds import BetOdds
from sabot.odds.chi_square import Fit, fit
from sabot.odds.histogram import Histogram
from sabot.odds.next_coup import NextCoup
from sabot.odds.simulated_arrays import SEED_VERSION
from sabot.odds.simulation import Simulation
from sabot.odds.study import Study
from sabot.rules.aspect import Aspect

CONFIDENCE: Final = 0.95
REACH: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
"""Half the width of the confidence interval, in standard errors."""


class BetTally(msgspec.Struct, frozen=True):
    """Edges are per unit staked; above zero they favour the house."""

    win: int
    push: int
    lose: int
    house_edge: float
    standard_error: float
    confidence_95: tuple[float, float]
    exact: float
    """The exact house edge of a fresh shoe."""
    z: float | None
    """By how many standard errors the edge exceeds the exact one; null where the standard error is zero."""

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


class SimulationTally(msgspec.Struct, frozen=True):
    rule_set: str
    decks: int
    seed: int
    seed_version: int
    """Which way of dealing the seed stands for; the same seed gives other shoes in another version."""
    shoes: int
    coups: int
    complete: bool
    """False after Ctrl-C."""
    coups_a_shoe: int | None
    burns_by_face_value: bool
    behind_cutting_card: int
    bets: dict[str, BetTally]
    chi_square: Fit | None
    """Over all outcome classes; null where there were too few coups."""


def tally(study: Study, simulation: Simulation, histogram: Histogram, exact: NextCoup) -> SimulationTally:
    """Tally a simulation. The result depends neither on the workers nor on the processor that dealt the shoes."""
    dealing = simulation.dealing
    return SimulationTally(
        rule_set=study.terms.rule_set.id,
        decks=dealing.decks,
        seed=simulation.seed,
        seed_version=SEED_VERSION,
        shoes=histogram.shoes,
        coups=histogram.total,
        complete=simulation.is_complete(histogram),
        coups_a_shoe=dealing.coups_a_shoe,
        burns_by_face_value=dealing.burns_by_face_value,
        behind_cutting_card=dealing.behind_cutting_card,
        bets={name: BetTally.of(bet.odds(histogram), bet.odds(exact)) for name, bet in study.bets.items()},
        chi_square=fit(histogram.weights(Aspect.ALL), exact.weights(Aspect.ALL)),
    )
