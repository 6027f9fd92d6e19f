"""The reach of one coup: the most that a station can gain or lose in it, from the pay tables and the limits alone.

Every coup that the table of play can deal is looked at, with every pair its first cards can make: a face. Faces that
decide all the bets alike are one. The bounds are exact for a purse that covers the maxima; for a smaller one they let
every amount be staked, also below a minimum or between steps, and a side bet without its qualifying wager, so that no
lawful wager reaches further.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import lcm
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from sabot.rules.aspect import Aspect, union
from sabot.rules.cards import DECK, Card, Rank, card
from sabot.rules.coup import Coup, read_in_shoe_order
from sabot.rules.hand import Hand, Pair
from sabot.rules.limits import Limits
from sabot.rules.rule_set import Bet
from sabot.rules.terms import Outcome, Terms

_NOTHING = Fraction(0)
_CARD_OF = {one.points: one for one in DECK if one.rank is not Rank.TEN}
_TEN = card("TS")
"""Beside another card it changes no count and makes no pair."""


class Winning(NamedTuple):
    """A bet that wins on a face."""

    net: int
    """What it earns, less commission, for as many cents as `Reach.of` says."""
    maximum: int


class Reach(msgspec.Struct, frozen=True):
    of: int
    """So many cents of a stake have winnings in whole cents, whatever the bet."""
    faces: tuple[tuple[Winning, ...], ...]
    """The bets that win, the best odds first, for every face on which something wins more than on any other."""
    covers: int
    """A balance from which on the maxima can be staked on every face."""
    most_gained: int
    """The most that such a balance gains."""
    most_lost: int
    """The greatest sum of maxima of bets that lose together."""

    def gain(self, balance: int) -> int:
        """The most that one coup can add to a balance; the stakes are at most the balance together."""
        if balance >= self.covers:
            return self.most_gained
        return max((_gain(face, balance) // self.of for face in self.faces), default=0)

    def loss(self, balance: int, compulsory: int = 0) -> int:
        """The most that one coup can take off a balance, by lost wagers or by forfeit of a compulsory one."""
        return max(0, min(balance, max(self.most_lost, compulsory)))

    def highest(self, balance: int, coups: int) -> int:
        """The most that so many coups can make of a balance."""
        for played in range(coups):
            if balance >= self.covers:
                return balance + (coups - played) * self.most_gained
            balance += self.gain(balance)
        return balance

    def lowest(self, balance: int, coups: int, compulsory: int = 0) -> int:
        """The least that so many coups can make of a balance."""
        return balance - max(0, min(balance, coups * max(self.most_lost, compulsory)))


def reach_of(terms: Terms, limits: Mapping[Bet, Limits]) -> Reach:
    """The reach under these terms and limits; worked out once for each."""
    return _reach(terms, tuple((bet, limit.maximum) for bet, limit in limits.items()))


@lru_cache(maxsize=64)
def _reach(terms: Terms, maxima: tuple[tuple[Bet, int], ...]) -> Reach:
    decided = frozenset(_faces(terms, tuple(bet for bet, _ in maxima)))
    most = [maximum for _, maximum in maxima]
    lost = max((sum(cents for cents, net in zip(most, face, strict=True) if net < 0) for face in decided), default=0)
    paying = {tuple(max(net, _NOTHING) for net in face) for face in decided}
    best = [one for one in paying if not any(one != other and _surpasses(other, one) for other in paying)]
    of = lcm(*(net.denominator for face in best for net in face))
    faces = {
        tuple(
            sorted((Winning(int(net * of), cents) for cents, net in zip(most, face, strict=True) if net), reverse=True)
        )
        for face in best
    }
    covers = max((sum(one.maximum for one in face) for face in faces), default=0)
    gained = max((_gain(face, covers) // of for face in faces), default=0)
    return Reach(of, tuple(sorted(faces, reverse=True)), covers, gained, lost)


def _gain(face: tuple[Winning, ...], balance: int) -> int:
    gained = 0
    for net, maximum in face:
        stake = min(maximum, max(balance, 0))
        gained += net * stake
        balance -= stake
    return gained


def _surpasses(one: tuple[Fraction, ...], other: tuple[Fraction, ...]) -> bool:
    """Whether no bet wins more on the other face."""
    return all(mine >= theirs for mine, theirs in zip(one, other, strict=True))


# Faces


def _faces(terms: Terms, bets: tuple[Bet, ...]) -> Iterator[tuple[Fraction, ...]]:
    """What each cent on each of the bets earns net, on every face: -1 where it loses, 0 where it is returned."""
    for coup in coups_of_every_kind(union(terms.bets[bet].aspect for bet in bets)):
        rulings = terms.rulings(coup)
        yield tuple(
            Fraction(-1) if ruling.outcome is Outcome.LOSE else Fraction(ruling.gross - ruling.commission)
            for ruling in map(rulings.__getitem__, bets)
        )


@cache
def coups_of_every_kind(aspect: Aspect) -> tuple[Coup, ...]:
    """One coup of every kind that bets on this aspect can tell apart, and of every ending.

    The cards of a pair are placeholders: what is asked of it stands beside them.
    """
    kinds: dict[tuple[object, ...], Coup] = {}
    for ended in _every_ending():
        for player, banker in product(
            _thirds(ended.player, aspect.player_thirds), _thirds(ended.banker, aspect.banker_thirds)
        ):
            for coup in _with_pairs(replace(ended, player=player, banker=banker), aspect):
                one, other = coup.player, coup.banker
                kind = (one.total, len(one.cards), one.pair, other.total, len(other.cards), other.pair)
                kinds.setdefault((*kind, *aspect.finer_class(coup)), coup)
    return tuple(kinds.values())


def _thirds(hand: Hand, asked: tuple[Rank, ...]) -> Iterator[Hand]:
    """The hand with a third card of no rank that is asked for, and with each of its points that is."""
    third = hand.third
    if third is None:
        yield hand
        return
    alike = [rank for rank in Rank if rank.points == third.points]
    for rank in {rank if rank in asked else None: rank for rank in alike}.values():
        yield replace(hand, cards=(*hand.cards[:2], card(f"{rank}S")))


def _with_pairs(coup: Coup, aspect: Aspect) -> Iterator[Coup]:
    """The coup with every pair that its first cards can make with their counts."""
    for first, second in product(_pairs(coup.player, aspect.player_pair), _pairs(coup.banker, aspect.banker_pair)):
        player, banker = replace(coup.player, pair=first), replace(coup.banker, pair=second)
        if aspect.same_pair and Pair.NONE not in (first, second):
            if _count(player) == _count(banker):
                yield replace(coup, player=_starting(player, _TEN), banker=_starting(banker, _TEN))
            player, banker = _starting(player, _TEN), _starting(banker, _CARD_OF[0])
        yield replace(coup, player=player, banker=banker)


def _pairs(hand: Hand, asked: bool) -> tuple[Pair, ...]:  # noqa: FBT001  Whether any bet asks for this hand's pair.
    """What the first two cards can be with their count: a pair counts twice something, so never an odd number."""
    return tuple(Pair) if asked and _count(hand) % 2 == 0 else (Pair.NONE,)


def _count(hand: Hand) -> int:
    return (hand.cards[0].points + hand.cards[1].points) % 10


def _starting(hand: Hand, first: Card) -> Hand:
    return replace(hand, cards=(first, *hand.cards[1:]))


def _every_ending() -> Iterator[Coup]:
    """Every count of two cards for each hand, with every third card where one is due."""
    counts = [(_CARD_OF[points], _TEN) for points in range(10)]
    for (p1, p2), (b1, b2) in product(counts, counts):
        for third in range(10):
            for last in range(10):
                coup, left = read_in_shoe_order((p1, b1, p2, b2, _CARD_OF[third], _CARD_OF[last]))
                yield coup
                if left:
                    break
            if len(left) > 1:
                break
