"""Figures of coups that are being added up: by bet, and stakes by the terms they were played by."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from sabot.audit.coup_figures import PlayFigures
from sabot.audit.period_sum import BetSum, PlayedTerms, PlaySum, ProductSum, StakeSum


class TermsSeen:
    """The terms that stakes were played by, each with a number while they are added up."""

    def __init__(self) -> None:
        self._numbers: dict[PlayedTerms, int] = {}

    def number(self, played_by: PlayedTerms) -> int:
        return self._numbers.setdefault(played_by, len(self._numbers))

    def numbers(self, terms: Iterable[PlayedTerms]) -> list[int]:
        return [self.number(one) for one in terms]

    def places(self, used: set[int]) -> tuple[tuple[PlayedTerms, ...], dict[int, int]]:
        """The terms that are used, in an order of their own, and the place of each number in it."""
        found = [(played_by, number) for played_by, number in self._numbers.items() if number in used]
        found.sort(key=lambda one: _write(one[0]))
        return tuple(played_by for played_by, _ in found), {number: place for place, (_, number) in enumerate(found)}


class PlayTotals:
    """What was played by one patron, dealer or table, or by all."""

    __slots__ = ("_bets", "_products", "_stakes", "commission", "coups")

    def __init__(self) -> None:
        self.coups = self.commission = 0
        self._bets: dict[str, list[int]] = {}
        self._stakes: dict[tuple[int, str], int] = {}
        self._products: dict[tuple[int, str, str], int] = {}

    def add(self, figures: PlayFigures, terms: int, sign: int, *, products: bool) -> None:
        """Add a coup, or take one away; with the products of its stakes where the spread of the win is asked for."""
        self.coups += sign
        self.commission += sign * figures.commission
        for bet, line in figures.bets.items():
            self._add(bet, line, sign)
            self._stakes[terms, bet] = self._stakes.get((terms, bet), 0) + sign * line.turnover
        if products:
            staked = sorted((bet, line.turnover) for bet, line in figures.bets.items())
            for place, (bet, cents) in enumerate(staked):
                for other, others in staked[place:]:
                    self._product((terms, bet, other), sign * cents * others)

    def join(self, one: PlaySum, numbers: Sequence[int]) -> None:
        self.coups += one.coups
        self.commission += one.commission
        for bet, line in one.bets.items():
            self._add(bet, line, 1)
        for stake in one.stakes:
            key = numbers[stake.terms], stake.bet
            self._stakes[key] = self._stakes.get(key, 0) + stake.cents
        for both in one.products:
            self._product((numbers[both.terms], both.bet, both.other), int(both.products))

    def _add(self, bet: str, line: BetSum, sign: int) -> None:
        total = self._bets.get(bet)
        if total is None:
            total = self._bets[bet] = [0, 0, 0]
        total[0] += sign * line.wagers
        total[1] += sign * line.turnover
        total[2] += sign * line.win

    def _product(self, key: tuple[int, str, str], cents: int) -> None:
        self._products[key] = self._products.get(key, 0) + cents

    def terms(self) -> set[int]:
        staked = {terms for (terms, _), cents in self._stakes.items() if cents}
        return staked | {terms for (terms, _, _), cents in self._products.items() if cents}

    def sum(self, places: Mapping[int, int]) -> PlaySum:
        bets = {bet: BetSum(*line) for bet, line in self._bets.items() if any(line)}
        stakes = [StakeSum(places[terms], bet, cents) for (terms, bet), cents in self._stakes.items() if cents]
        products = [
            ProductSum(places[terms], bet, other, str(cents))
            for (terms, bet, other), cents in self._products.items()
            if cents
        ]
        stakes.sort(key=lambda one: (one.terms, one.bet))
        products.sort(key=lambda one: (one.terms, one.bet, one.other))
        return PlaySum(self.coups, self.commission, bets, stakes, products)


def joined(sums: Iterable[PlaySum], terms: int) -> PlaySum:
    """What several played together, under terms of the same list of so many."""
    total, numbers = PlayTotals(), range(terms)
    for one in sums:
        total.join(one, numbers)
    return total.sum({number: number for number in numbers})


_write = msgspec.msgpack.Encoder(order="deterministic").encode
