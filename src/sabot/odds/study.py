"""A study: the bets of a rule set, each under its option, ready to be answered for one composition after another."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

from sabot.odds.bet_odds import BetOdds, Chance, net
from sabot.odds.next_coup import NextCoup
from sabot.odds.outcome_class import Looks, Weighed, asks_for_suits, faces, looks
from sabot.rules.rule_set import Bet, BetRules, RuleSet
from sabot.rules.terms import Ruling, Terms


class Studied:
    """One bet under its terms: how it is ruled on every face, worked out once for all compositions."""

    def __init__(self, terms: Terms, bet: Bet) -> None:
        self.rules: BetRules = terms.bets[bet]
        self._terms, self._bet = terms, bet
        self.looks = looks(self.rules)
        self._nets: dict[Looks, tuple[Sequence[int], int]] = {}
        places: dict[Ruling, list[int]] = {}
        for place, face in enumerate(faces(self.looks)):
            places.setdefault(terms.rulings(face)[bet], []).append(place)
        order = [line.name for line in self.rules.lines]
        ordered = sorted(places, key=lambda ruling: [*order, ruling.name].index(ruling.name))
        self._places = [(ruling, net(ruling), places[ruling]) for ruling in ordered]
        """The faces that each ruling decides, in the order of the pay table, and the loss by no line last."""

    def odds(self, coups: Weighed) -> BetOdds:
        weights = coups.weights(self.looks)
        chances = [
            Chance(ruling, won, sum([weights[place] for place in places])) for ruling, won, places in self._places
        ]
        return BetOdds(self.rules.title, coups.total, tuple(chances))

    def is_answered_by(self, coming: NextCoup) -> bool:
        """Where only ranks were counted, a bet that asks for suits has no odds."""
        return coming.composition.suits_known or not asks_for_suits(self.rules)

    def nets(self, at: Looks) -> tuple[Sequence[int], int]:
        """The net on each face, in whole numbers of a part of the stake that divides them all."""
        if at not in self._nets:
            rulings = [self._terms.rulings(face)[self._bet] for face in faces(at)]
            nets = {ruling: net(ruling) for ruling in set(rulings)}
            unit = lcm(*(one.denominator for one in nets.values()))
            whole = {ruling: int(one * unit) for ruling, one in nets.items()}
            self._nets[at] = [whole[ruling] for ruling in rulings], unit
        return self._nets[at]


class Study:
    def __init__(self, terms: Terms, bets: Mapping[str, Studied]) -> None:
        self.terms = terms
        self.bets = bets
        """By name: the bet's own, or with its option's number, `player_dragon_bonus.2`, where all are studied."""

    @staticmethod
    def of(terms: Terms) -> "Study":
        return Study(terms, {bet: Studied(terms, bet) for bet in terms.bets})

    @staticmethod
    def of_all_options(rule_set: RuleSet, decks: int) -> "Study":
        plain = Terms(rule_set, decks)
        bets: dict[str, Studied] = {}
        for bet, rules in plain.bets.items():
            if rules.option is None:
                bets[bet] = Studied(plain, bet)
            else:
                for choice in range(1, rule_set.options[rules.option].choices + 1):
                    chosen = Terms(rule_set, decks, {rules.option: choice})
                    bets[f"{bet}.{choice}"] = Studied(chosen, bet)
        return Study(plain, bets)

    def odds(self, coming: NextCoup) -> dict[str, BetOdds]:
        """Of every bet that the composition can answer."""
        return {name: bet.odds(coming) for name, bet in self.bets.items() if bet.is_answered_by(coming)}

    def covariance(self, one: str, other: str, coming: NextCoup) -> Fraction:
        """Of the nets of two bets on the same coup, a unit on each."""
        mine, theirs = self.bets[one], self.bets[other]
        at = mine.looks if mine.looks is theirs.looks else Looks.AT_ALL
        (xs, x_unit), (ys, y_unit) = mine.nets(at), theirs.nets(at)
        together = sum([weight * x * y for weight, x, y in zip(coming.weights(at), xs, ys, strict=True) if weight])
        mean = Fraction(together, coming.total * x_unit * y_unit)
        return mean - mine.odds(coming).mean * theirs.odds(coming).mean
