"""Patron robots: simple habits at a station, for demonstrations, training and load.

A robot sees what its station shows: its own account, whether wagering is open, and the results that everybody sees. It
is seeded, so that the same seed meets the same coups with the same wagers, and it stays within the limits of the table
and within its own purse. What it keeps between coups is in the robot alone; the table's state has no habits.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from sabot.rules.chance import uniform, words
from sabot.rules.limits import Limits
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.phase import Phase
from sabot.table.state import TableState

RobotAct = acts.WagerAct | acts.Leave
Habit = Literal["banker", "follower", "tie_hunter", "side_bets", "doubler"]


class RobotSight(msgspec.Struct, frozen=True):
    """What a station shows of the table, as far as a robot looks."""

    coup: int
    """The coup under way, or 0 between coups."""
    wagering: bool
    balance: int
    may_wager: bool
    """Whether the station has an account whose patron is not leaving."""
    remembered: Mapping[Bet, int]
    """What a touch on Repeat would place again."""
    limits: Mapping[Bet, Limits]
    last_winner: str
    """player, banker, tie, or nothing before the first result."""


def seen_at(state: TableState, station: str, last_winner: str) -> RobotSight:
    """What this station shows; other patrons' wagers are no part of it."""
    purse, seat = state.purse(station), state.stations[station]
    return RobotSight(
        coup=state.coup.number if state.coup else 0,
        wagering=state.phase is Phase.WAGERING,
        balance=purse.balance,
        may_wager=seat.is_open and not seat.leaving and not seat.directed_to_leave,
        remembered=seat.last_wagers,
        limits={bet: limits for bet, limits in state.limits.items() if bet in state.offered},
        last_winner=last_winner,
    )


class Robot:
    """A patron at one station. `moves` is asked whenever there is something to see, and answers for each coup once."""

    def __init__(self, station: str, habit: Habit, seed: int, *, leaves: tuple[int, int] | None = None) -> None:
        self.station, self.habit, self._leaves = station, habit, leaves
        self._draw = uniform(words(f"{station} {habit} {seed}".encode()))
        self._coup = 0
        self._before = 0
        """What it had when it last wagered; less of it now means that it lost."""
        self._is_gone = False

    def moves(self, seen: RobotSight) -> list[RobotAct]:
        """What the patron does now: its wagers once in each coup, or leaving when ahead or behind enough."""
        if not seen.may_wager or self._is_gone:
            return []
        if not seen.coup and self._leaves is not None and not self._leaves[0] < seen.balance < self._leaves[1]:
            self._is_gone = True
            return [acts.Leave()]
        if not seen.wagering or seen.coup == self._coup:
            return []
        self._coup = seen.coup
        again = self._again(seen) if self.habit == "doubler" else []
        self._before = seen.balance
        return again or self._affordable(self._wagers(seen), seen)

    def _again(self, seen: RobotSight) -> list[RobotAct]:
        """The last wager again, twice as much after a loss, and from the start after a win."""
        stake, limits = seen.remembered.get(Bet("player"), 0), seen.limits[Bet("player")]
        if not stake or seen.balance > self._before or stake > seen.balance:
            return []
        lost = seen.balance < self._before
        return (
            [acts.Repeat(), acts.Double()]
            if lost and 2 * stake <= min(limits.maximum, seen.balance)
            else [acts.Repeat()]
        )

    def _wagers(self, seen: RobotSight) -> list[tuple[Bet, int]]:
        """Bets with stakes counted in minimums."""
        match self.habit:
            case "banker":
                return [(Bet("banker"), 2)]
            case "follower":
                followed = seen.last_winner if seen.last_winner in ("player", "banker") else "player"
                return [(Bet(followed), 1 + self._draw(3))]
            case "tie_hunter":
                return [(Bet("player"), 1), (Bet("tie"), 1 + self._draw(4))]
            case "side_bets":
                sides = sorted(bet for bet in seen.limits if bet not in ("player", "banker", "tie"))
                chosen = [sides[self._draw(len(sides))] for _ in range(2)] if sides else []
                return [(Bet("banker"), 1), *((bet, 1) for bet in dict.fromkeys(chosen))]
            case "doubler":
                return [(Bet("player"), 1)]

    def _affordable(self, wagers: Sequence[tuple[Bet, int]], seen: RobotSight) -> list[RobotAct]:
        """As far as the purse goes and the table's limits allow; a stake is whole steps above the minimum."""
        left, touches = seen.balance, list[RobotAct]()
        for bet, minimums in wagers:
            limits = seen.limits.get(bet)
            if limits is None:
                continue
            cents = limits.permitted(limits.minimum * minimums)
            cents = cents if cents <= left else limits.minimum
            if cents <= left:
                left -= cents
                touches.append(acts.SetWager(bet=bet, cents=cents))
        return touches
