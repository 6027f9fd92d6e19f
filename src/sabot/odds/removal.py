"""Effects of removal: what one card fewer does to a bet, which is how much knowing that it has gone is worth."""

from fractions import Fraction

from sabot.odds.composition import Composition
from sabot.odds.next_coup import NextCoup
from sabot.odds.study import Study
from sabot.rules.cards import DECK


def effects_of_removal(study: Study, composition: Composition) -> dict[str, dict[str, Fraction]]:
    """By bet and card, how much more a unit staked may expect to win when one such card has gone.

    Where only ranks were counted, by rank. A card of which none is left has no effect and is left out.
    """
    before = study.odds(NextCoup(composition))
    effects: dict[str, dict[str, Fraction]] = {bet: {} for bet in before}
    for one, copies in zip(DECK, composition.cards, strict=True):
        if copies:
            name = one.notation if composition.suits_known else one.rank
            for bet, odds in study.odds(NextCoup(composition.without([one]))).items():
                effects[bet][name] = odds.mean - before[bet].mean
    return effects
