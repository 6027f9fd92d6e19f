"""The report of a table over a period, read from its records: what came in, what was won and corrected, and what the
exact odds expect the house to win.

The figures of a period are those at its end less those at its beginning, so the records before it are read too.
"""

from collections import Counter
from functools import lru_cache
from math import sqrt

import msgspec

from sabot.floor.records.record_codec import read_answer, read_events
from sabot.floor.records.recovery import after_record_in_full
from sabot.journal.record import Record
from sabot.odds.composition import Composition
from sabot.odds.next_coup import NextCoup
from sabot.odds.study import Study
from sabot.rules.terms import Terms
from sabot.table.state import UNCONFIGURED, AnyTable, Played, TableState
from sabot.views.reports import (
    BetLine,
    FloatLine,
    Heading,
    PutRightLine,
    Recorded,
    ShiftReport,
    bets_report,
    float_lines,
    put_right,
    shift_report,
)

NINETY_FIVE_OF_A_HUNDRED = 1.959964
"""Standard deviations to either side of the mean that hold 95 of 100 cases."""


class TableReport(msgspec.Struct, frozen=True):
    """All figures that the reports of a table show."""

    heading: Heading
    table: str
    currency: str
    as_of: int
    """The version of the newest record that was read."""
    signed_to: int
    """The version up to which the table's records are signed; with 0 nobody vouches for any of them."""
    records: int
    """How many records of the period changed something."""
    first: int
    last: int
    """The versions of the first and last of them; 0 where there are none."""
    shift: ShiftReport
    put_right: tuple[PutRightLine, ...]
    bets: tuple[BetLine, ...]
    float_lines: tuple[FloatLine, ...]


class TableReportReader:
    """Takes the records of a table one by one, and makes the report of a period at the end."""

    def __init__(self, table: str, from_ms: int, to_ms: int) -> None:
        self._table, self._from_ms, self._to_ms = table, from_ms, to_ms
        self._before: AnyTable = UNCONFIGURED
        self._state: AnyTable = UNCONFIGURED
        self._within: list[Recorded] = []
        self._versions: list[int] = []
        self._as_of = 0

    def take(self, record: Record) -> bool:
        """Read one record, and return whether later ones may belong to the period."""
        at_ms, accepted = record.entry.at_ms, read_answer(record).accepted
        if accepted is not msgspec.UNSET and at_ms >= self._to_ms:
            return False
        self._as_of = record.version
        if accepted is msgspec.UNSET:
            return True  # A refusal or a taking changes nothing, and a taking is dated by another clock.
        self._state = after_record_in_full(self._state, record)
        if at_ms < self._from_ms:
            self._before = self._state
            return True
        self._within.append(Recorded(at_ms, tuple(read_events(accepted))))
        self._versions.append(record.version)
        return True

    def report(self, program: str, made_ms: int, signed_to: int) -> TableReport:
        played = self._played()
        bets = tuple(_with_theory(line, played) for line in bets_report(played))
        shift = shift_report(self._table, self._within, self._state, self._before)
        theory = [line.theoretical_win for line in bets if line.theoretical_win is not None]
        if theory and len(theory) == len(bets):
            win = msgspec.structs.replace(shift.win, theoretical_win=round(sum(theory)))
            shift = msgspec.structs.replace(shift, win=win)
        return TableReport(
            heading=Heading(f"Table {self._table}", program, self._from_ms, self._to_ms, made_ms),
            table=self._table,
            currency=self._state.configuration.currency if isinstance(self._state, TableState) else "",
            as_of=self._as_of,
            signed_to=signed_to,
            records=len(self._versions),
            first=self._versions[0] if self._versions else 0,
            last=self._versions[-1] if self._versions else 0,
            shift=shift,
            put_right=put_right(self._within),
            bets=bets,
            float_lines=float_lines(self._within),
        )

    def _played(self) -> list[Played]:
        """The coups settled for money in the period, as they stand at its end."""
        earlier = {one.coup for one in self._before.played}
        return [one for one in self._state.played if one.coup not in earlier and not one.session]


def _with_theory(line: BetLine, played: list[Played]) -> BetLine:
    """The line with the expected win of the bet, and the bounds for 95 of 100 such periods.

    All wagers on a bet in one coup win or lose together, so the independent quantities are the sums by coup. Every coup
    is taken as the first of a fresh shoe, which is the mean over whole shoes.
    """
    staked: Counter[tuple[int, Terms]] = Counter()
    for one in {played.coup: played for played in played}.values():
        if one.invalid:
            continue
        for settled in one.settlements.values():
            for wager in settled:
                if wager.bet == line.bet:
                    staked[one.coup, one.terms] += wager.stake_cents
    mean = variance = 0.0
    for (_, terms), cents in staked.items():
        odds = _odds(terms).get(line.bet)
        if odds is None:
            return line
        edge, spread = odds
        mean += edge * cents
        variance += spread * cents**2
    reach = NINETY_FIVE_OF_A_HUNDRED * sqrt(variance)
    return msgspec.structs.replace(line, theoretical_win=mean, low=mean - reach, high=mean + reach)


@lru_cache(maxsize=32)
def _odds(terms: Terms) -> dict[str, tuple[float, float]]:
    """The house's edge on a unit staked on each bet, and the variance of its net."""
    studied = Study.of(terms).odds(NextCoup(Composition.fresh(terms.decks)))
    return {bet: (float(odds.house_edge), float(odds.variance)) for bet, odds in studied.items()}
