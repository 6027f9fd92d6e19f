"""Effects of removal: how the expected net of a bet changes when one card is removed from the shoe."""

from fractions import Fraction

from sabot.odds.composition import Composition
from sabot.odds.next_coup import NextCoup
from sabot.odds.study import Study
from sabot.rules.cards import DECK


def effects_of_removal(study: Study, composition: Composition) -> dict[str, dict[str, Fraction]]:
    """By bet and card, the change in the expected net of a unit staked when one such card is removed.

    Where only ranks were counted, by bet and rank. A card of which none is left is omitted.
    """
    before = study.odds(NextCoup(composition))
    effects: dict[str, dict[str, Fraction]] = {bet: {} for bet in before}
    for one, copies in zip(DECK, composition.cards, strict=True):
        if copies:
            name = one.notation if composition.suits_known else one.rank
            for bet, odds in study.odds(NextCoup(composition.without([one]))).items():
                effects[bet][name] = odds.mean - before[bet].mean
    return effects
