"""Two seats that wager against each other with like amounts and move together: chips passed from one patron to another.

Patrons have habits: one lays the same chips on Banker all night, another on Player, and they are opposed in every coup.
So being opposed makes a pair worth watching from the next shoe on, and is no evidence. Evidence is that both *move*
together: that they change sides, or raise, in the same coups. An honest patron's moves may depend on the road and on
the own last result in any way. The assumption is about coups with the same length of the running streak and the same
last results of both. Which of these a patron moves in does not depend on the other's moves beyond the odds ratio
`TOLERATED`. The number of joint moves is then hypergeometric in each such group of a shoe's coups (`overlap.py`). A
pair that never moves cannot be told from habit, and gives no evidence either way.
"""

from collections.abc import Mapping
from typing import Final

import msgspec
import numpy as np

from sabot.basics.phrase import Phrase, phrase
from sabot.integrity.light import Kind
from sabot.integrity.overlap import RATIOS, log_factors
from sabot.integrity.seen import CoupSeen, ShoeSeen
from sabot.integrity.sides import PLAYER, lead, side_of
from sabot.integrity.subjects import OfSubjects, Subjects, Watched, watched

TOLERATED: Final = 3.0
FEWEST_COMMON: Final = 20
OPPOSED_PART: Final = 0.8
LIKE_AMOUNTS: Final = 0.8
"""The smaller of two like amounts is at least this part of the larger one."""
LONGEST_STREAK: Final = 4
_MOVES: Final = 2
"""Changes of the side, and raises."""


class CoupOfSides(msgspec.Struct, array_like=True, gc=False):
    streak: int
    """How often in a row the last hand had won before this coup."""
    won: int
    """1 for Player, -1 for Banker, 0 for a tie."""
    wagers: dict[str, int]
    """Cents by seat: above zero on Player, below zero on Banker."""


class OpposedState(msgspec.Struct):
    coups: list[CoupOfSides] = []
    """Of this shoe."""
    subjects: Subjects = {}
    """The pairs that are watched, with a blank between the seats."""


class Opposed(OfSubjects):
    name = "opposed/1"
    kind = Kind.OPPOSED_SEATS
    form = OpposedState
    state: OpposedState

    def take_coup(self, coup: CoupSeen) -> None:
        wagers = {}
        for seat, stakes in coup.stakes.items():
            if side := side_of(stakes):
                wagers[seat] = stakes[side] if side == PLAYER else -stakes[side]
        self.state.coups.append(CoupOfSides(_streak(self.state.coups), lead(coup.cards), wagers))

    def take_shoe(self, _: ShoeSeen) -> None:
        state = self.state
        moves = _moves(state.coups)
        for pair, one in state.subjects.items():
            first, second = pair.split(" ")
            groups = _groups(moves.get(first, {}), moves.get(second, {}))
            factors = [0.0] * (_MOVES * len(RATIOS))
            for group in groups:
                factors = [by + more for by, more in zip(factors, _group_factors(group), strict=True)]
            one.mixture.multiply(factors)
            one.count(*_opposed(state.coups, first, second), 0.0)
        for first, second in _often_opposed(state.coups):
            watched(state.subjects, f"{first} {second}", _MOVES * len(RATIOS))
        state.coups = []

    def told(self, _name: str, one: Watched) -> Phrase:
        return phrase("integrity_opposed_seats", common=one.things, opposed=one.marked)


class WagerMove(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """How a seat's wager differs from its last one."""

    streak: int
    last_result: int
    """1 where the last wager won, -1 where it lost, 0 for a push."""
    switched: bool
    raised: bool


def _streak(coups: list[CoupOfSides]) -> int:
    decided = [coup.won for coup in coups[-12:] if coup.won]
    streak = 0
    while streak < min(LONGEST_STREAK, len(decided)) and decided[-1 - streak] == decided[-1]:
        streak += 1
    return streak


def _moves(coups: list[CoupOfSides]) -> dict[str, dict[int, WagerMove]]:
    """By seat and the number of the coup in its shoe."""
    found: dict[str, dict[int, WagerMove]] = {}
    last: dict[str, tuple[int, int]] = {}
    for number, coup in enumerate(coups):
        for seat, wager in coup.wagers.items():
            if seat in last:
                before, won = last[seat]
                side = 1 if before > 0 else -1
                found.setdefault(seat, {})[number] = WagerMove(
                    coup.streak, side * won, (wager > 0) != (before > 0), abs(wager) > abs(before)
                )
            last[seat] = wager, coup.won
    return found


_Group = list[tuple[WagerMove, WagerMove]]


def _groups(first: Mapping[int, WagerMove], second: Mapping[int, WagerMove]) -> list[_Group]:
    """The moves of both in the same coups, by what the road and their last results were."""
    groups: dict[tuple[int, int, int], _Group] = {}
    for number, one in first.items():
        other = second.get(number)
        if other is not None:
            groups.setdefault((one.streak, one.last_result, other.last_result), []).append((one, other))
    return list(groups.values())


def _group_factors(group: _Group) -> list[float]:
    found: list[float] = []
    for marks in (
        [(one.switched, other.switched) for one, other in group],
        [(one.raised, other.raised) for one, other in group],
    ):
        mine, theirs = sum(one for one, _ in marks), sum(other for _, other in marks)
        found += log_factors(len(marks), mine, theirs, sum(one and other for one, other in marks), TOLERATED)
    return found


def _often_opposed(coups: list[CoupOfSides]) -> list[tuple[str, str]]:
    """The pairs of seats that were opposed with like amounts in most coups of a shoe."""
    seats = sorted({seat for coup in coups for seat in coup.wagers})
    wagers = np.array([[coup.wagers.get(seat, 0) for seat in seats] for coup in coups]).reshape(len(coups), len(seats))
    one, other = wagers[:, :, None], wagers[:, None, :]
    common = ((one != 0) & (other != 0)).sum(axis=0)
    smaller, larger = np.minimum(abs(one), abs(other)), np.maximum(abs(one), abs(other))
    opposed = ((np.sign(one) * np.sign(other) < 0) & (smaller >= LIKE_AMOUNTS * larger)).sum(axis=0)
    often = (common >= FEWEST_COMMON) & (opposed >= OPPOSED_PART * common)
    return [(seats[first], seats[second]) for first, second in np.argwhere(np.triu(often, 1)).tolist()]


def _opposed(coups: list[CoupOfSides], first: str, second: str) -> tuple[int, int]:
    """In how many coups both wagered, and in how many of them against each other with like amounts."""
    common = opposed = 0
    for coup in coups:
        one, other = coup.wagers.get(first), coup.wagers.get(second)
        if one and other:
            common += 1
            smaller, larger = sorted((abs(one), abs(other)))
            opposed += (one > 0) != (other > 0) and smaller >= LIKE_AMOUNTS * larger
    return common, opposed
