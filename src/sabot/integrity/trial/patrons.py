"""Patrons with habits: what each wagers, given the road and the own last wager. None knows a card.

Every habit is honest, and a careless test would take most of them for a cheat. Favourites are opposed in every coup,
and followers move together. Some patrons lay late, and some lay side bets at the end of a shoe.
"""

from collections.abc import Sequence
from typing import Final, Protocol

import msgspec

UNIT: Final = 2_500
"""Cents; all stakes are multiples of it, so that every win is paid in whole cents."""
LARGEST: Final = 64 * UNIT
SIDES: Final = ("player", "banker")


class TrialChance(Protocol):
    """What draws the numbers; a generator of NumPy is one."""

    def random(self) -> float:
        """A number from 0 to 1."""

    def integers(self, low: int, high: int) -> int:
        """A whole number from `low` to one below `high`."""


class Situation(msgspec.Struct):
    """What everybody sees before a coup."""

    results: list[int]
    """1 for Player, -1 for Banker, 0 for a tie, of this shoe."""
    decided: list[int]
    """The same without ties."""
    left: int
    """Cards that nobody has seen."""


Draws = Sequence[float]
"""Numbers from 0 to 1 for one patron in one coup."""
DRAWS: Final = 8


class TrialPatron:
    """One who keeps to a side, now and then sits out, and lays side bets now and then."""

    def __init__(self, chance: TrialChance) -> None:
        self.flat = UNIT * (1 << int(chance.integers(0, 4)))
        self.sits_out = 0.3 * chance.random()
        self.late = 0.6 * chance.random() ** 2
        """How often it lays in the last two seconds."""
        self.how_late = 0.5 + 2 * chance.random()
        self.favourite = 1 if chance.random() < 0.45 else -1
        self.side_bets = 0.25 * chance.random() ** 2
        self.at_the_end = chance.random() < 0.1
        """Whether it likes ties when the shoe is nearly over."""
        self.claims = 0.0002 * 3 ** chance.random()
        self.last = 0
        """The last wager: above zero on Player, below zero on Banker."""
        self.won = 0
        """1 where it won, -1 where it lost."""

    def wager(self, now: Situation, draws: Draws) -> dict[str, int]:
        """The stakes by bet; empty where it sits out."""
        if draws[0] < self.sits_out:
            return {}
        side, stake = self.side(now, draws), self.stake(draws)
        self.last = side * stake
        stakes = {SIDES[side < 0]: stake}
        if draws[1] < self.side_bets or (self.at_the_end and now.left < 60):
            stakes[_SIDE_BETS[int(draws[2] * len(_SIDE_BETS))]] = UNIT
        return stakes

    def side(self, _now: Situation, _draws: Draws) -> int:
        return self.favourite

    def stake(self, _draws: Draws) -> int:
        return self.flat


_SIDE_BETS: Final = ("tie", "tie", "player_pair", "banker_pair", "player_dragon_bonus", "player_perfect_pairs")


class Follower(TrialPatron):
    """Lays on the hand that won last."""

    def side(self, now: Situation, _draws: Draws) -> int:
        return now.decided[-1] if now.decided else self.favourite


class Contrarian(TrialPatron):
    """Lays on the hand that lost last."""

    def side(self, now: Situation, _draws: Draws) -> int:
        return -now.decided[-1] if now.decided else self.favourite


class StreakBettor(TrialPatron):
    """Floats up on a streak of three and follows it; otherwise lays little."""

    def side(self, now: Situation, _draws: Draws) -> int:
        return now.decided[-1] if now.decided else self.favourite

    def wager(self, now: Situation, draws: Draws) -> dict[str, int]:
        self._on_streak = len(now.decided) > 2 and len(set(now.decided[-3:])) == 1
        return super().wager(now, draws)

    def stake(self, _draws: Draws) -> int:
        return self.flat * 4 if self._on_streak else self.flat


class Doubler(TrialPatron):
    """Floats after a loss and begins again after a win."""

    def stake(self, _draws: Draws) -> int:
        if self.won < 0 and abs(self.last) < LARGEST:
            return 2 * abs(self.last)
        return self.flat


class Wanderer(TrialPatron):
    """Changes side and stake as it likes."""

    def side(self, _now: Situation, draws: Draws) -> int:
        return 1 if draws[3] < 0.48 else -1

    def stake(self, draws: Draws) -> int:
        return UNIT * (1 << int(draws[4] * 5))


HABITS: Final[tuple[type[TrialPatron], ...]] = (
    *(TrialPatron, TrialPatron, TrialPatron, Follower, Follower, Contrarian, StreakBettor, Doubler, Wanderer, Wanderer),
)


def patron(chance: TrialChance) -> TrialPatron:
    return HABITS[int(chance.integers(0, len(HABITS)))](chance)
