"""What every bet pays, worked out once more from the rule books' pay tables alone; it shares no code with the rules."""

from collections.abc import Sequence
from fractions import Fraction

LOST, BACK = Fraction(-1), Fraction(0)
WITH_COMMISSION = frozenset({"crown-traditional", "mbs-baccarat"})
DRAGON = {
    1: {4: 1, 5: 2, 6: 4, 7: 6, 8: 10, 9: 30},
    2: {4: 1, 5: 3, 6: 4, 7: 7, 8: 8, 9: 20},
    3: {4: 2, 5: 2, 6: 4, 7: 4, 8: 10, 9: 30},
}
PERFECT_PAIRS = {1: (6, 12, 25), 2: (5, 10, 30)}
"""Mixed, coloured, perfect."""
RED = "HD"


Hands = tuple[Sequence[str], Sequence[str]]
"""The Player's cards and the Banker's, as they were dealt."""


def net(rule_set: str, bet: str, cents: int, hands: Hands, options: dict[str, int]) -> int:
    """What a wager brings beyond its stake; a lost stake is negative."""
    exact = _times(rule_set, bet, hands, options) * cents
    assert exact.denominator == 1, "no permitted wager pays a fraction of a cent"
    return int(exact)


def _times(rule_set: str, bet: str, hands: Hands, options: dict[str, int]) -> Fraction:
    player, banker = hands
    own, other = (banker, player) if bet.startswith("banker") else (player, banker)
    margin = _count(own) - _count(other)
    if bet in ("player", "banker"):
        won = _even_money(rule_set, bet, banker) if margin > 0 else LOST
        return BACK if margin == 0 else won
    if bet.endswith("perfect_pairs"):
        return _perfect_pairs(own, options["perfect_pairs"])
    if bet.endswith("dragon_bonus"):
        return _dragon(own, other, margin, options["dragon_bonus"])
    pays, wins = {
        "tie": (8, margin == 0),
        "super_6": (12, _count(banker) == 6 > _count(player)),
        "player_pair": (11, own[0][0] == own[1][0]),
        "banker_pair": (11, own[0][0] == own[1][0]),
    }[bet]
    return Fraction(pays) if wins else LOST


def _even_money(rule_set: str, bet: str, banker: Sequence[str]) -> Fraction:
    if bet == "player":
        return Fraction(1)
    if rule_set in WITH_COMMISSION:
        return Fraction(19, 20)
    return Fraction(1, 2) if _count(banker) == 6 else Fraction(1)


def _perfect_pairs(hand: Sequence[str], option: int) -> Fraction:
    first, second = hand[0], hand[1]
    mixed, coloured, perfect = PERFECT_PAIRS[option]
    if first[0] != second[0]:
        return LOST
    if first[1] == second[1]:
        return Fraction(perfect)
    return Fraction(coloured if (first[1] in RED) == (second[1] in RED) else mixed)


def _dragon(own: Sequence[str], other: Sequence[str], margin: int, option: int) -> Fraction:
    if margin == 0:
        return BACK if _is_natural(own) and _is_natural(other) else LOST
    if margin < 0:
        return LOST
    return Fraction(1) if _is_natural(own) else Fraction(DRAGON[option].get(margin, -1))


def _is_natural(hand: Sequence[str]) -> bool:
    return len(hand) == 2 and _count(hand) >= 8


def _count(hand: Sequence[str]) -> int:
    return sum(1 if card[0] == "A" else int(card[0]) if card[0].isdigit() else 0 for card in hand) % 10
