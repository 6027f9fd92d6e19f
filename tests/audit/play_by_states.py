"""What dealers dealt and patrons played, by the states of a table: what reports by sums are held to."""

from collections import Counter
from collections.abc import Iterable
from math import sqrt

from sabot.audit.theory import NINETY_FIVE_OF_A_HUNDRED, Expected, covariance, edges
from sabot.rules.terms import Settlement, Terms
from sabot.table import events as e
from sabot.table.state import AnyTable, Played, TableState
from sabot.views.reports import DealerLine, PatronLine

Staked = list[tuple[Terms, dict[str, int]]]
"""Of each coup its terms and the stakes by bet."""


class PlayByStates:
    """Follows a table's states act by act: who opened which coup, who was there for how long."""

    def __init__(self) -> None:
        self._dealers: dict[int, str] = {}
        self._patrons: dict[int, str] = {}
        self._ran: Counter[str] = Counter()
        self._sat: Counter[str] = Counter()
        self._voids: Counter[str] = Counter()
        self._corrected: Counter[str] = Counter()
        self._clock_ms = 0
        self._is_within = False

    def acted(self, at_ms: int, state: AnyTable, *, within: bool) -> None:
        """An act comes at a moment; the state is the one before it."""
        now_ms = max(self._clock_ms, at_ms)
        if within and self._is_within:
            self._ran[state.dealer or ""] += now_ms - self._clock_ms
            for patron in _seated(state):
                self._sat[patron] += now_ms - self._clock_ms
        self._clock_ms, self._is_within = now_ms, within and (self._is_within or at_ms > 0)

    def happened(self, event: e.Event, before: AnyTable, after: AnyTable, *, within: bool) -> None:
        if isinstance(event, e.WageringOpened):
            self._dealers[event.coup] = before.dealer or ""
        if isinstance(event, e.DummyCoupDeclared):
            self._dealers.setdefault(event.coup, before.dealer or "")
        if isinstance(after, TableState):
            self._patrons |= {number: one.patron for number, one in after.sessions.items()}
        if within and isinstance(event, e.CoupVoided):
            self._voids[self._dealers[event.coup]] += 1
        if within and isinstance(event, e.CoupRecalculated | e.CoupInvalidated):
            self._corrected[self._dealers[event.coup]] += 1

    def dealer_lines(self, played: Iterable[Played]) -> tuple[DealerLine, ...]:
        coups: dict[str, list[Played]] = {}
        for one in played:
            coups.setdefault(self._dealers[one.coup], []).append(one)
        names = {*coups, *(+self._ran), *self._voids, *self._corrected} - {""}
        return tuple(self._dealer_line(name, coups.get(name, [])) for name in sorted(names))

    def _dealer_line(self, name: str, coups: list[Played]) -> DealerLine:
        wagers = [one for played in coups for settled in played.settlements.values() for one in settled]
        hours = self._ran[name] / 3_600_000
        return DealerLine(
            dealer=name,
            coups=len(coups),
            turnover=sum(one.stake_cents for one in wagers),
            win=-sum(one.net_cents for one in wagers),
            commission=sum(one.commission_cents for one in wagers),
            voids=self._voids[name],
            corrected=self._corrected[name],
            present_ms=self._ran[name],
            coups_an_hour=round(len(coups) / hours, 1) if hours else None,
            **expected([(one.terms, stakes(one.settlements.values())) for one in coups])._asdict(),
        )

    def patron_lines(self, played: Iterable[Played]) -> tuple[PatronLine, ...]:
        coups: dict[str, list[tuple[Terms, list[Settlement]]]] = {}
        for one in played:
            wagers: dict[str, list[Settlement]] = {}
            for station, settled in one.settlements.items():
                wagers.setdefault(self._patrons[one.controls[station]], []).extend(settled)
            for patron, some in wagers.items():
                coups.setdefault(patron, []).append((one.terms, some))
        names = {*coups, *(+self._sat)} - {""}
        return tuple(self._patron_line(name, coups.get(name, [])) for name in sorted(names))

    def _patron_line(self, name: str, coups: list[tuple[Terms, list[Settlement]]]) -> PatronLine:
        wagers = [one for _, settled in coups for one in settled]
        return PatronLine(
            patron=name,
            coups=len(coups),
            turnover=sum(one.stake_cents for one in wagers),
            win=-sum(one.net_cents for one in wagers),
            commission=sum(one.commission_cents for one in wagers),
            present_ms=self._sat[name],
            theoretical_win=expected([(terms, stakes([settled])) for terms, settled in coups]).theoretical_win,
        )


def _seated(state: AnyTable) -> set[str]:
    if not isinstance(state, TableState) or state.session is not None:
        return set()
    return {one.patron for one in state.stations.values() if one.is_open and one.patron}


def stakes(wagers: Iterable[Iterable[Settlement]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for settled in wagers:
        for one in settled:
            total[one.bet] += one.stake_cents
    return dict(total)


def expected(coups: Staked) -> Expected:
    """The mean, and the variance of each coup by every two of its bets; all bets of these coups have known odds."""
    if not any(staked for _, staked in coups):
        return Expected()
    mean = sum(edges(terms)[bet] * cents for terms, staked in coups for bet, cents in staked.items())
    variance = sum(
        covariance(terms, *sorted((bet, other))) * cents * others
        for terms, staked in coups
        for bet, cents in staked.items()
        for other, others in staked.items()
    )
    reach = NINETY_FIVE_OF_A_HUNDRED * sqrt(max(0.0, variance))
    return Expected(mean, mean - reach, mean + reach)
