"""What wagers pay, worked out a second time, from the rule book's words alone and for the simulated table's bets.

It shares no code with the rules. Cards count by their rank, and the nearer hand to nine wins even money. Banker pays
five per cent commission, Tie pays eight for one, and on a tie the other two are returned.
"""

from collections.abc import Iterable, Mapping


def count(cards: Iterable[str]) -> int:
    return sum(_value(card[0]) for card in cards) % 10


def _value(rank: str) -> int:
    return 1 if rank == "A" else int(rank) if rank.isdigit() else 0


def net(bet: str, cents: int, hands: Mapping[str, list[str]]) -> int:
    """What a patron's account gains by a wager beyond the stake; a lost stake is negative."""
    player, banker = count(hands["player"]), count(hands["banker"])
    if player == banker:
        return 8 * cents if bet == "tie" else 0
    winner = "player" if player > banker else "banker"
    if bet != winner:
        return -cents
    return cents if bet == "player" else cents - cents * 5 // 100
