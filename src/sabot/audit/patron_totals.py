"""Figures of patrons that are being added up, in columns with one figure for each patron."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from sabot.audit.coup_figures import PlayFigures
from sabot.audit.period_sum import PatronSums, PlaySum

Column = np.ndarray[tuple[int], np.dtype[np.int64]]
"""Cents, coups or milliseconds. All that a casino ever turned over is far below the bound of 64 bits."""


class PatronPlaces:
    """The places that patrons have in columns."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._places)

    def of(self, patrons: Collection[str]) -> Column:
        """A patron who is new gets the next place."""
        known = self._places
        return np.array([known.setdefault(patron, len(known)) for patron in patrons], np.int64)

    def by_name(self) -> list[tuple[str, int]]:
        return sorted(self._places.items())


def column(written: bytes) -> Column:
    return np.frombuffer(written, "<i8")


def longer(figures: Column, length: int) -> Column:
    """The column with as many figures, the new ones 0."""
    return np.concatenate([figures, np.zeros(length - len(figures), np.int64)])


class PatronTotals:
    def __init__(self) -> None:
        self._places = PatronPlaces()
        self._figures: list[Column] = [np.zeros(0, np.int64) for _ in range(4)]
        """Coups, commission, win, time."""
        self._stakes: dict[tuple[int, str], Column] = {}
        """By the number of the terms, and by bet."""

    def add(self, patron: str, figures: PlayFigures, terms: int, sign: int) -> None:
        """Add a coup, or take one away."""
        win = sum(line.win for line in figures.bets.values())
        staked = [(terms, bet, line.turnover) for bet, line in figures.bets.items()]
        self._add(patron, (1, figures.commission, win), staked, sign)

    def join_play(self, patron: str, play: PlaySum, numbers: Sequence[int]) -> None:
        """Add what a later period changed in coups of this one."""
        staked = [(numbers[one.terms], one.bet, one.cents) for one in play.stakes]
        self._add(patron, (play.coups, play.commission, play.win), staked, 1)

    def _add(self, patron: str, figures: Sequence[int], staked: Sequence[tuple[int, str, int]], sign: int) -> None:
        (place,) = self._placed((patron,))
        for total, figure in zip(self._figures, figures, strict=False):
            total[place] += sign * figure
        for terms, bet, cents in staked:
            self._staked(terms, bet)[place] += sign * cents

    def join(self, one: PatronSums, numbers: Sequence[int]) -> None:
        places = self._placed(one.patrons)
        for total, written in zip(self._figures, one.figures, strict=True):
            total[places] += column(written)
        for terms, bet, written in one.stakes:
            self._staked(numbers[terms], bet)[places] += column(written)

    def terms(self) -> set[int]:
        """The numbers of the terms that stakes were played by."""
        return {terms for (terms, _), cents in self._stakes.items() if cents.any()}

    def sums(self, terms: Mapping[int, int], sat_ms: Mapping[str, int]) -> PatronSums:
        """The sums by the places of terms, with the time that is counted beside them."""
        sat = self._placed(sat_ms)
        *figures, present_ms = self._figures
        present_ms = present_ms.copy()
        present_ms[sat] += np.array(list(sat_ms.values()), np.int64)
        figures.append(present_ms)
        stakes = {(terms[number], bet): cents for (number, bet), cents in self._stakes.items() if cents.any()}
        seen = np.any([*figures, *stakes.values()], axis=0)
        order = [(name, place) for name, place in self._places.by_name() if seen[place]]
        places = np.array([place for _, place in order], np.int64)
        return PatronSums(
            [name for name, _ in order],
            [_written(total[places]) for total in figures],
            [(number, bet, _written(cents[places])) for (number, bet), cents in sorted(stakes.items(), key=_key)],
        )

    def _placed(self, patrons: Collection[str]) -> Column:
        before, places = len(self._places), self._places.of(patrons)
        if len(self._places) > before:
            self._figures = [longer(one, len(self._places)) for one in self._figures]
            self._stakes = {stake: longer(one, len(self._places)) for stake, one in self._stakes.items()}
        return places

    def _staked(self, terms: int, bet: str) -> Column:
        found = self._stakes.get((terms, bet))
        if found is None:
            found = self._stakes[terms, bet] = np.zeros(len(self._places), np.int64)
        return found


def _key(stake: tuple[tuple[int, str], Column]) -> tuple[int, str]:
    return stake[0]


def _written(figures: Column) -> bytes:
    return figures.astype("<i8").tobytes()
