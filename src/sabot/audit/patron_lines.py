"""The lines of a report by patron, over one table or over several: one pass over the columns of each."""

import numpy as np

from sabot.audit.patron_totals import Column, PatronPlaces, column, longer
from sabot.audit.period_sum import PatronSums, PeriodSum, read_patrons
from sabot.audit.theory import Theory
from sabot.views.reports import PatronLine


class PatronLines:
    def __init__(self) -> None:
        self._places = PatronPlaces()
        self._figures: list[Column] = [np.zeros(0, np.int64) for _ in range(7)]
        """Coups, commission, win, time, turnover; then the tables at which something was staked, and those of them
        whose odds are known."""
        self._means = np.zeros(0)

    def add(self, one: PeriodSum, theory: Theory) -> None:
        """Add the patrons of a table, who may have been at others."""
        sums = read_patrons(one)
        if not sums.patrons:
            return
        places = self._places.of(sums.patrons)
        figures = [column(written) for written in sums.figures]
        turnover = sum((column(written) for *_, written in sums.stakes), np.zeros(len(places), np.int64))
        means, known = _expected(sums, theory)
        played = figures[0] != 0
        self._figures = [longer(total, len(self._places)) for total in self._figures]
        self._means = np.concatenate([self._means, np.zeros(len(self._places) - len(self._means))])
        for total, more in zip(self._figures, (*figures, turnover, played, played & known), strict=True):
            total[places] += more
        self._means[places] += np.where(played & known, means, 0.0)

    def lines(self) -> tuple[PatronLine, ...]:
        """By reference. What the odds expect is told where all of it is known."""
        coups, commission, win, present_ms, turnover, tables, known = (one.tolist() for one in self._figures)
        means = self._means.tolist()
        return tuple(
            PatronLine(
                patron=patron,
                coups=coups[at],
                turnover=turnover[at],
                win=win[at],
                commission=commission[at],
                present_ms=present_ms[at],
                theoretical_win=means[at] if tables[at] == known[at] > 0 else None,
            )
            for patron, at in self._places.by_name()
        )


def _expected(sums: PatronSums, theory: Theory) -> tuple[np.ndarray, np.ndarray]:
    """The expected win of each patron, and whether something was staked and all its odds are known."""
    means, staked = np.zeros(len(sums.patrons)), np.zeros(len(sums.patrons), bool)
    unknown = staked.copy()
    for terms, bet, written in sums.stakes:
        cents, edge = column(written), theory.edge(terms, bet)
        staked |= cents != 0
        if edge is None:
            unknown |= cents != 0
        else:
            means += edge * cents
    return means, staked & ~unknown
