"""A study: the bets of a rule set, each under its option, with the rulings of every outcome class worked out once."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

from sabot.odds.bet_odds import BetOdds, RulingChance, net
from sabot.odds.next_coup import NextCoup
from sabot.odds.outcome_class import Aspect, CoupCounts, asks_for_suits, aspect_of, outcome_classes
from sabot.rules.rule_set import Bet, BetRules, RuleSet
from sabot.rules.terms import Ruling, Terms


class StudiedBet:
    """One bet under its terms, with its ruling on every outcome class."""

    def __init__(self, terms: Terms, bet: Bet) -> None:
        self.rules: BetRules = terms.bets[bet]
        self._terms, self._bet = terms, bet
        self.aspect = aspect_of(self.rules)
        self._nets: dict[Aspect, tuple[Sequence[int], int]] = {}
        places: dict[Ruling, list[int]] = {}
        for place, outcome_class in enumerate(outcome_classes(self.aspect)):
            places.setdefault(terms.rulings(outcome_class)[bet], []).append(place)
        order = [line.name for line in self.rules.lines]
        ordered = sorted(places, key=lambda ruling: [*order, ruling.name].index(ruling.name))
        self._places = [(ruling, net(ruling), places[ruling]) for ruling in ordered]
        """The places of the outcome classes that each ruling decides, in pay table order; a loss by no line is last."""

    def odds(self, coups: CoupCounts) -> BetOdds:
        weights = coups.weights(self.aspect)
        chances = [
            RulingChance(ruling, won, sum([weights[place] for place in places])) for ruling, won, places in self._places
        ]
        return BetOdds(self.rules.title, coups.total, tuple(chances))

    def is_answered_by(self, coming: NextCoup) -> bool:
        """False for a bet that depends on suits, where only ranks were counted."""
        return coming.composition.suits_known or not asks_for_suits(self.rules)

    def nets(self, aspect: Aspect) -> tuple[Sequence[int], int]:
        """The net on each outcome class in whole fractions of the stake, and how many of them make a unit."""
        if aspect not in self._nets:
            rulings = [self._terms.rulings(outcome_class)[self._bet] for outcome_class in outcome_classes(aspect)]
            nets = {ruling: net(ruling) for ruling in set(rulings)}
            unit = lcm(*(one.denominator for one in nets.values()))
            whole = {ruling: int(one * unit) for ruling, one in nets.items()}
            self._nets[aspect] = [whole[ruling] for ruling in rulings], unit
        return self._nets[aspect]


class Study:
    def __init__(self, terms: Terms, bets: Mapping[str, StudiedBet]) -> None:
        self.terms = terms
        self.bets = bets
        """By the bet's name, or where all options are studied by name and option: `player_dragon_bonus.2`."""

    @staticmethod
    def of(terms: Terms) -> "Study":
        return Study(terms, {bet: StudiedBet(terms, bet) for bet in terms.bets})

    @staticmethod
    def of_all_options(rule_set: RuleSet, decks: int) -> "Study":
        plain = Terms(rule_set, decks)
        bets: dict[str, StudiedBet] = {}
        for bet, rules in plain.bets.items():
            if rules.option is None:
                bets[bet] = StudiedBet(plain, bet)
            else:
                for choice in range(1, rule_set.options[rules.option].choices + 1):
                    chosen = Terms(rule_set, decks, {rules.option: choice})
                    bets[f"{bet}.{choice}"] = StudiedBet(chosen, bet)
        return Study(plain, bets)

    def odds(self, coming: NextCoup) -> dict[str, BetOdds]:
        """The odds of every bet that the composition can answer."""
        return {name: bet.odds(coming) for name, bet in self.bets.items() if bet.is_answered_by(coming)}

    def covariance(self, one: str, other: str, coming: NextCoup) -> Fraction:
        """Of the nets of two bets on the same coup, a unit on each."""
        mine, theirs = self.bets[one], self.bets[other]
        aspect = mine.aspect if mine.aspect is theirs.aspect else Aspect.ALL
        (xs, x_unit), (ys, y_unit) = mine.nets(aspect), theirs.nets(aspect)
        together = sum([weight * x * y for weight, x, y in zip(coming.weights(aspect), xs, ys, strict=True) if weight])
        mean = Fraction(together, coming.total * x_unit * y_unit)
        return mean - mine.odds(coming).mean * theirs.odds(coming).mean
