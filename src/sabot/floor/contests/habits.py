"""Robots at the stations of a session: how entrants wager who want to go on, and how some get it wrong.

A robot sees what its station shows: its credits, the limits, the coups left, and the score it must beat. It is seeded,
so that the same seed meets the same coups with the same wagers.
"""

from collections.abc import Mapping
from typing import Literal, get_args

import msgspec

from sabot.rules.chance import uniform, words
from sabot.rules.limits import Limits
from sabot.rules.rule_set import Bet

ContestHabit = Literal["steady", "all_in_last", "leader_hugger", "tie_chaser", "idler", "latecomer"]
HABITS: tuple[ContestHabit, ...] = get_args(ContestHabit)
_PLAYER, _BANKER, _TIE = Bet("player"), Bet("banker"), Bet("tie")
LAST_COUPS = 2
"""A robot that saves itself for the end lays all it can in so many last coups."""


class SeatSight(msgspec.Struct, frozen=True):
    """What a station shows its entrant before the wagers are laid."""

    coup: int
    credits: int
    limits: Mapping[Bet, Limits]
    left: int | None
    """Coups left; None where the session ends by the clock."""
    compulsory: int
    """What must be laid in each coup, or nothing."""
    line: int
    """The score of the last place that goes on; of the first that does not, for an entrant above it."""
    is_through: bool


class ContestRobot:
    """An entrant at one station. `wagers` answers for each coup once."""

    def __init__(self, entrant: int, habit: ContestHabit, seed: int) -> None:
        self.entrant, self.habit = entrant, habit
        self._draw = uniform(words(f"contest {entrant} {habit} {seed}".encode()))
        self._coup = 0

    def wagers(self, seen: SeatSight) -> dict[Bet, int]:
        """The wagers of this coup, as far as limits and credits go."""
        if seen.coup == self._coup or not seen.coup:
            return {}
        self._coup = seen.coup
        wanted = self._wanted(seen)
        laid = sum(wanted.values())
        if 0 < laid < seen.compulsory:
            wanted[_BANKER] = wanted.get(_BANKER, 0) + seen.compulsory - laid
        return _within(wanted, seen)

    def _wanted(self, seen: SeatSight) -> dict[Bet, int]:
        small = max(seen.compulsory, seen.limits[_BANKER].minimum)
        side = _BANKER if self._draw(2) else _PLAYER
        match self.habit:
            case "steady" | "latecomer":
                return {side: small * (1 + self._draw(3))}
            case "all_in_last":
                last = seen.left is not None and seen.left <= LAST_COUPS
                return {side: seen.limits[side].maximum if last else small}
            case "leader_hugger":
                behind = seen.line - seen.credits + seen.limits[side].step
                return {side: small if seen.is_through else max(small, behind)}
            case "tie_chaser":
                return {side: small, _TIE: seen.limits[_TIE].minimum * (1 + self._draw(4))}
            case "idler":
                return {} if self._draw(5) == 0 else {side: small}


def _within(wanted: Mapping[Bet, int], seen: SeatSight) -> dict[Bet, int]:
    left, laid = seen.credits, dict[Bet, int]()
    for bet, most in wanted.items():
        if bet in seen.limits and (stake := seen.limits[bet].permitted(min(most, left))):
            laid[bet] = stake
            left -= stake
    return laid
