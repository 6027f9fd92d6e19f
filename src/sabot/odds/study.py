"""A study: the bets of a rule set, each under its option, with the rulings of every outcome class worked out once."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Final

from sabot.odds.bet_odds import BetOdds, RuledPlaces, net
from sabot.odds.exact import CELLS, Sums
from sabot.odds.grouping import Grouping
from sabot.odds.next_coup import NextCoup
from sabot.odds.outcome_class import CoupCounts, outcome_classes
from sabot.rules.aspect import Aspect, union
from sabot.rules.rule_set import Bet, BetRules, RuleSet
from sabot.rules.terms import Ruling, Terms

COUNTED_AT_ONCE: Final = (Aspect.ENDING, Aspect.PLAYER_PAIR, Aspect.BANKER_PAIR)
"""The aspects whose distributions one count of a composition gives."""


class StudiedBet:
    """One bet under its terms, with its ruling on every outcome class."""

    def __init__(self, terms: Terms, bet: Bet) -> None:
        self.rules: BetRules = terms.bets[bet]
        self._terms, self._bet = terms, bet
        self.aspect = self.rules.aspect
        self._nets: dict[Aspect, tuple[Sequence[int], int]] = {}
        places: dict[Ruling, list[int]] = {}
        for place, outcome_class in enumerate(outcome_classes(self.aspect)):
            places.setdefault(terms.rulings(outcome_class)[bet], []).append(place)
        order = [line.name for line in self.rules.lines]
        ordered = sorted(places, key=lambda ruling: [*order, ruling.name].index(ruling.name))
        self.ruled = RuledPlaces([(ruling, places[ruling]) for ruling in ordered])
        """The outcome classes that each ruling decides, in pay table order; a loss by no line is last."""

    def odds(self, coups: CoupCounts) -> BetOdds:
        return BetOdds(self.rules.title, coups.total, self.ruled, coups.weights(self.aspect))

    def ruled_by(self, grouping: Grouping) -> RuledPlaces:
        """The same by the places of sums; for a bet that depends on the ending alone or on one pair alone."""
        assert self.aspect in COUNTED_AT_ONCE
        places = grouping.of_cells if self.aspect == Aspect.ENDING else grouping.of_pairs
        return RuledPlaces(
            [(one, places(mine)) for one, mine in zip(self.ruled.rulings, self.ruled.places, strict=True)]
        )

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
        self.grouping = Grouping(_keys(list(bets.values())))
        self.ruled = {name: bet.ruled_by(self.grouping) for name, bet in bets.items() if bet.aspect in COUNTED_AT_ONCE}
        """By bet, its rulings by the places of the sums; not for a bet that depends on more than one of these."""
        self.alike = {
            name: next(first for first, other in self.ruled.items() if other.is_like(ruled))
            for name, ruled in self.ruled.items()
        }
        """By bet, the first one that always has the same odds; mostly itself."""
        self.of_ranks = {name: bet for name, bet in bets.items() if not bet.rules.asks_for_suits}
        """The bets that counts by rank alone can answer."""

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

    @cached_property
    def aspect(self) -> Aspect:
        """What all its bets together depend on."""
        return union(bet.aspect for bet in self.bets.values())

    def odds(self, coming: NextCoup) -> "StudyOdds":
        """The odds of every bet that the composition can answer."""
        return StudyOdds(self, coming, coming.sums(self.grouping))

    def covariance(self, one: str, other: str, coming: NextCoup) -> Fraction:
        """Of the nets of two bets on the same coup, a unit on each."""
        mine, theirs = self.bets[one], self.bets[other]
        aspect = mine.aspect | theirs.aspect
        (xs, x_unit), (ys, y_unit) = mine.nets(aspect), theirs.nets(aspect)
        together = sum([weight * x * y for weight, x, y in zip(coming.weights(aspect), xs, ys, strict=True) if weight])
        mean = Fraction(together, coming.total * x_unit * y_unit)
        return mean - mine.odds(coming).mean * theirs.odds(coming).mean


class StudyOdds(Mapping[str, BetOdds]):
    """The odds of every bet on one coup. All sequences are counted; each bet is read from them when it is asked for."""

    __slots__ = ("_answered", "_coming", "_study", "sums")

    def __init__(self, study: Study, coming: NextCoup, sums: Sums) -> None:
        self._study, self._coming, self.sums = study, coming, sums
        self._answered = study.bets if coming.composition.suits_known else study.of_ranks

    @property
    def total(self) -> int:
        """The number of sequences."""
        return self.sums[-1]

    def __getitem__(self, name: str) -> BetOdds:
        bet = self._answered[name]
        ruled = self._study.ruled.get(name)
        if ruled is None:
            return bet.odds(self._coming)
        return BetOdds(bet.rules.title, self.sums[-1], ruled, self.sums)

    def __iter__(self) -> Iterator[str]:
        return iter(self._answered)

    def __len__(self) -> int:
        return len(self._answered)


def _keys(bets: Sequence[StudiedBet]) -> list[Hashable]:
    """For each cell, the rulings of all bets that depend on the ending alone."""
    deciding = [bet.ruled for bet in bets if bet.aspect == Aspect.ENDING]
    ruled = [{place: number for number, places in enumerate(one.places) for place in places} for one in deciding]
    return [tuple(numbers[place] for numbers in ruled) for place in range(CELLS)]
