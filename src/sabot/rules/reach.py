"""The reach of one coup: the most that a station can gain or lose in it, from the pay tables and the limits alone.

Every coup that the table of play can deal is looked at, with every pair its first cards can make: a face. Faces that
decide all the bets alike are one. The bounds are exact for a purse that covers the maxima. For a smaller one they let
every amount be staked, also below a minimum or between steps, and a side bet without its qualifying wager. So no lawful
wager reaches further.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from math import lcm
from typing import NamedTuple

import msgspec

from sabot.rules.aspect import Aspect, union
from sabot.rules.cards import DECK, Card, Suit
from sabot.rules.coup import Coup, read_in_shoe_order
from sabot.rules.hand import Pair
from sabot.rules.limits import Limits
from sabot.rules.pattern import start_signature, suit_in_common, third_signature
from sabot.rules.rule_set import Bet
from sabot.rules.terms import Outcome, Terms

_NOTHING = Fraction(0)


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
    """One coup of every kind that bets on this aspect can tell apart, and of every ending."""
    kinds: dict[tuple[object, ...], Coup] = {}
    begun = _starts(aspect)
    for mine, theirs in product(begun, begun):
        for (p1, p2), (b1, b2) in _both_starts(aspect, begun[mine], begun[theirs]):
            for coup in _endings(aspect, (p1, b1, p2, b2)):
                one, other = coup.player, coup.banker
                pairs = one.pair if aspect.player_pair else None, other.pair if aspect.banker_pair else None
                kind = (one.total, len(one.cards), other.total, len(other.cards), *pairs)
                kinds.setdefault((*kind, *aspect.finer_class(coup)), coup)
    return tuple(kinds.values())


_Start = tuple[Card, Card]


def _starts(aspect: Aspect) -> dict[int, list[_Start]]:
    """By their count, two cards of every kind that is told apart; of pairs every rank where that may matter."""
    kinds: dict[tuple[object, ...], _Start] = {}
    for first, second in combinations_with_replacement(DECK, 2):
        pair = Pair.of(first, second) if aspect.player_pair or aspect.banker_pair else Pair.NONE
        rank = first.rank if aspect.same_pair and pair is not Pair.NONE else None
        asked = start_signature(aspect.player_starts + aspect.banker_starts, first, second)
        drawn = tuple(_drawn_to(thirds, first, second) for thirds in (aspect.player_thirds, aspect.banker_thirds))
        kinds.setdefault((_count(first, second), pair, rank, asked, drawn), (first, second))
    by_count: dict[int, list[_Start]] = {}
    for start in kinds.values():
        by_count.setdefault(_count(*start), []).append(start)
    return by_count


def _both_starts(aspect: Aspect, mine: list[_Start], theirs: list[_Start]) -> Iterator[tuple[_Start, _Start]]:
    """One of every kind of both hands' first two cards."""
    kinds: dict[tuple[object, ...], tuple[_Start, _Start]] = {}
    for player, banker in product(mine, theirs):
        pairs = Pair.of(*player), Pair.of(*banker)
        same = aspect.same_pair and Pair.NONE not in pairs and player[0].rank is banker[0].rank
        asked = start_signature(aspect.player_starts, *player), start_signature(aspect.banker_starts, *banker)
        drawn = _drawn_to(aspect.player_thirds, *player), _drawn_to(aspect.banker_thirds, *banker)
        told = pairs[0] if aspect.player_pair else None, pairs[1] if aspect.banker_pair else None
        kinds.setdefault((*told, same, *asked, *drawn), (player, banker))
    yield from kinds.values()


def _endings(aspect: Aspect, first_four: tuple[Card, Card, Card, Card]) -> Iterator[Coup]:
    """With every kind of third card where one is due."""
    p1, b1, p2, b2 = first_four
    suits = suit_in_common(p1, p2), suit_in_common(b1, b2)
    thirds = _thirds((aspect.player_thirds, aspect.banker_thirds), suits if aspect.asks_for_cards else (None, None))
    for fifth in thirds:
        for sixth in thirds:
            coup, left = read_in_shoe_order((*first_four, fifth, sixth))
            yield coup
            if left:
                break
        if len(left) > 1:
            break


@cache
def _thirds(asked: tuple[tuple[str, ...], tuple[str, ...]], suits: tuple[Suit | None, Suit | None]) -> tuple[Card, ...]:
    """A card of every kind that is told apart as a third one, given the suits that the first two have in common."""
    kinds: dict[tuple[object, ...], Card] = {}
    for card in DECK:
        told = [third_signature(thirds, card, suit) for thirds, suit in zip(asked, suits, strict=True)]
        kinds.setdefault((card.points, *told), card)
    return tuple(kinds.values())


def _drawn_to(thirds: tuple[str, ...], first: Card, second: Card) -> frozenset[tuple[object, ...]]:
    """What is told apart of a third card to these two; most starts have the same."""
    return _told(thirds, suit_in_common(first, second)) if thirds else frozenset()


@cache
def _told(thirds: tuple[str, ...], suit: Suit | None) -> frozenset[tuple[object, ...]]:
    return frozenset((card.points, third_signature(thirds, card, suit)) for card in DECK)


def _count(first: Card, second: Card) -> int:
    return (first.points + second.points) % 10
