"""Which of the two hands a seat is on, and which hand won."""

from collections.abc import Mapping, Sequence
from typing import Final

PLAYER: Final = "player"
BANKER: Final = "banker"
_POINTS: Final = tuple(rank + 1 if rank < 9 else 0 for _ in range(4) for rank in range(13))
"""By the place of a card in `DECK`."""


def side_of(stakes: Mapping[str, int]) -> str:
    """`player` or `banker`, where a seat wagers on exactly one of them; empty otherwise."""
    player, banker = stakes.get(PLAYER, 0), stakes.get(BANKER, 0)
    if player and not banker:
        return PLAYER
    return BANKER if banker and not player else ""


def hands(coup: Sequence[int]) -> tuple[list[int], list[int]]:
    """Player's and Banker's cards. A single third card is Banker's where Player stood, on six or more."""
    player, banker, thirds = [coup[0], coup[2]], [coup[1], coup[3]], coup[4:]
    if len(thirds) == 1 and total(player) > 5:
        return player, [*banker, *thirds]
    return [*player, *thirds[:1]], [*banker, *thirds[1:]]


def total(hand: Sequence[int]) -> int:
    return sum([_POINTS[card] for card in hand]) % 10


def lead(coup: Sequence[int]) -> int:
    """1 where Player won, -1 where Banker won, 0 for a tie."""
    player, banker = hands(coup)
    difference = total(player) - total(banker)
    return (difference > 0) - (difference < 0)
