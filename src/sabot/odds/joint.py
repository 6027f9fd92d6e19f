"""The joint distribution of everything that a bet can ask for: cells, pairs, first two cards and third cards.

Cards that no question tells apart are one kind, and first two cards that no question tells apart are one class of
hands; a class has one total. The formula of `exact` holds for classes as for totals: with m_a cards of kind a left, a
card of kind a makes a hand of class h with M_a(h) others, so that A(h) = sum_a m_a M_a(h) ordered hands are of class h,
and

    F(h, g) = A(h) A(g) - 4 sum_a m_a M_a(h) M_a(g) + 2 [h = g] A(h)

starts give Player h and Banker g. Third cards are picked before the first four, one kind after the other. Starts are
counted in doubles, exactly: there are fewer than 2**38 of them. Sequences are 64-bit integers, fewer than 2**56.
"""

from functools import cache
from itertools import groupby, product
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from sabot.odds.composition import Composition
from sabot.odds.exact import BANKER_DRAWS, PLAYER_DRAWS
from sabot.odds.outcome_class import shape
from sabot.rules.aspect import Aspect
from sabot.rules.cards import DECK, Card
from sabot.rules.hand import Pair
from sabot.rules.pattern import (
    start,
    start_classes,
    start_signature,
    suit_in_common,
    third,
    third_classes,
    third_signature,
)
from sabot.rules.table_of_play import NO_CARD

_Starts = npt.NDArray[np.float64]
_Integers = npt.NDArray[np.int64]
_Mask = npt.NDArray[np.bool_]

_PAIRS: Final = tuple(Pair)
_PLAYER_DRAWS: Final = np.array(PLAYER_DRAWS)
_BANKER_DRAWS: Final = np.array(BANKER_DRAWS)


class _Plan(NamedTuple):
    """What an aspect tells apart, made ready for any composition. A group is of kinds that are alike as third cards."""

    kind_of_card: _Integers
    makes: _Starts
    """By class of hands and two kinds: one where the kinds make such a hand."""
    totals: _Integers
    """By class of hands, the total of two cards."""
    place: _Integers
    """By both classes of hands, where their outcome classes begin."""
    groups: tuple[slice, ...]
    """The kinds of each group, which follow one another."""
    points: tuple[int, ...]
    """Of each group."""
    players_third: _Integers
    """By class of hands and group, how much further the outcome classes of Player's third card begin."""
    bankers_third: _Integers


def joint(composition: Composition, aspect: Aspect) -> list[int]:
    """Sequences in each of `outcome_classes(aspect)`."""
    plan, left = _plan(aspect), composition.size - 4
    counts: _Starts = np.zeros(plan.makes.shape[1])
    np.add.at(counts, plan.kind_of_card, composition.cards)
    sequences = np.zeros(int(np.prod(shape(aspect))), dtype=np.int64)
    starts = _starts(plan.makes, counts[None], plan.makes @ counts).astype(np.int64)[0]
    if not aspect.ending:
        np.add.at(sequences, plan.place, starts * (left * (left - 1)))
        return _listed(sequences)
    players, bankers = plan.totals[:, None], plan.totals[None, :]
    stand = ~_PLAYER_DRAWS[players, bankers] & ~_BANKER_DRAWS[players, bankers, NO_CARD]
    _add(sequences, plan.place + 10 * players + bankers, starts * (left * (left - 1)), stand)
    _add_third_cards(plan, counts, left, sequences)
    return _listed(sequences)


def _add_third_cards(plan: _Plan, counts: _Starts, left: int, sequences: _Integers) -> None:
    """Coups of five and of six cards. The card that is picked first is Player's, or Banker's where Player stands."""
    players, bankers, kinds = plan.totals[:, None], plan.totals[None, :], len(counts)
    others = plan.makes @ counts
    drawn = _PLAYER_DRAWS[players, bankers]
    alone = ~drawn & _BANKER_DRAWS[players, bankers, NO_CARD]
    for number, (group, x) in enumerate(zip(plan.groups, plan.points, strict=True)):
        both = drawn & _BANKER_DRAWS[players, bankers, x + 1]
        rows, columns = np.flatnonzero(both.any(axis=1)), np.flatnonzero(both.any(axis=0))
        five = np.zeros(plan.place.shape, dtype=np.int64)
        six = np.zeros((len(plan.groups), len(rows), len(columns)), dtype=np.int64)
        for kind in (one for one in range(group.start, group.stop) if counts[one]):
            rest = counts - (np.arange(kinds) == kind)
            after = others - plan.makes[:, :, kind]
            five += _starts(plan.makes, rest[None], after).astype(np.int64)[0] * int(counts[kind] * (left - 1))
            each = _starts(plan.makes, rest - np.eye(kinds), after - np.moveaxis(plan.makes, 2, 0), rows, columns)
            ways = (counts[kind] * rest).astype(np.int64)[:, None, None]
            six += np.add.reduceat(each.astype(np.int64) * ways, [one.start for one in plan.groups])
        mine = plan.place + plan.players_third[:, number, None]
        _add(sequences, mine + 200 + 10 * ((players + x) % 10) + bankers, five, drawn & ~both)
        theirs = plan.place + plan.bankers_third[None, :, number]
        _add(sequences, theirs + 100 + 10 * players + (bankers + x) % 10, five, alone)
        corner = np.ix_(rows, columns)
        for last, y in enumerate(plan.points):
            place = mine + plan.bankers_third[None, :, last] + 300 + 10 * ((players + x) % 10) + (bankers + y) % 10
            _add(sequences, place[corner], six[last], both[corner])


def _starts(
    makes: _Starts, counts: _Starts, others: _Starts, rows: _Integers | None = None, columns: _Integers | None = None
) -> _Starts:
    """F(h, g) for each row of counts, and for these classes; `others` is M_a(h) before the card itself is set aside."""
    others = np.broadcast_to(others - np.einsum("haa->ha", makes), (len(counts), *makes.shape[:2]))
    every = np.arange(len(makes))
    mine, theirs = every if rows is None else rows, every if columns is None else columns
    weighted = others * counts[:, None, :]
    hands = weighted.sum(axis=2)
    shared = weighted[:, mine] @ np.swapaxes(others[:, theirs], 1, 2)
    alike = mine[:, None] == theirs[None, :]
    starts: _Starts = hands[:, mine, None] * (hands[:, None, theirs] + 2 * alike) - 4 * shared
    return starts


def _add(sequences: _Integers, place: _Integers, more: _Integers, where: _Mask) -> None:
    np.add.at(sequences, place[where], more[where])


def _listed(sequences: _Integers) -> list[int]:
    listed: list[int] = sequences.tolist()
    return listed


# What an aspect tells apart


@cache
def _plan(aspect: Aspect) -> _Plan:
    starts, thirds = (aspect.player_starts, aspect.banker_starts), (aspect.player_thirds, aspect.banker_thirds)
    in_thirds = {card: tuple(third(text).kind(card) for text in thirds[0] + thirds[1]) for card in DECK}
    pairs = aspect.player_pair or aspect.banker_pair

    def kind(card: Card) -> tuple[Any, ...]:
        in_starts = tuple(start(text).kind(card) for text in starts[0] + starts[1])
        return card.points, in_thirds[card], card.notation if pairs else "", in_starts

    found = sorted({kind(card) for card in DECK}, key=repr)
    cards = [next(card for card in DECK if kind(card) == one) for one in found]
    groups = [list(members) for _, members in groupby(range(len(found)), key=lambda one: found[one][:2])]
    suited = any(third(text).suited for text in thirds[0] + thirds[1])
    hands: dict[tuple[Any, ...], tuple[Card, Card]] = {}
    class_of = np.zeros((len(found), len(found)), dtype=np.int64)
    for (a, first), (b, second) in product(enumerate(cards), repeat=2):
        pair = Pair.of(first, second) if pairs else Pair.NONE
        told = (
            (first.points + second.points) % 10,
            pair,
            first.rank if aspect.same_pair and pair is not Pair.NONE else None,
        )
        asked = start_signature(starts[0] + starts[1], first, second), suited and suit_in_common(first, second)
        hands.setdefault((*told, *asked), (first, second))
        class_of[a, b] = list(hands).index((*told, *asked))
    steps = np.append(np.cumprod(shape(aspect)[:0:-1])[::-1], 1)
    thirds_of = [
        [
            [
                third_classes(asked).index(third_signature(asked, cards[group[0]], suit_in_common(*hand)))
                for group in groups
            ]
            for hand in hands.values()
        ]
        for asked in thirds
    ]
    return _Plan(
        np.array([found.index(kind(card)) for card in DECK]),
        (class_of == np.arange(len(hands))[:, None, None]).astype(np.float64),
        np.array([told[0] for told in hands]),
        _places(aspect, list(hands.values()), steps),
        tuple(slice(group[0], group[-1] + 1) for group in groups),
        tuple(cards[group[0]].points for group in groups),
        np.array(thirds_of[0]) * steps[5],
        np.array(thirds_of[1]) * steps[6],
    )


def _places(aspect: Aspect, hands: list[tuple[Card, Card]], steps: _Integers) -> _Integers:
    """Where the outcome classes of both classes of hands begin."""
    pairs = [Pair.of(*hand) for hand in hands]
    players, bankers = (
        [
            (_PAIRS.index(pair) * steps[number] if asked else 0)
            + start_classes(starts).index(start_signature(starts, *hand)) * steps[number + 3]
            for hand, pair in zip(hands, pairs, strict=True)
        ]
        for number, (asked, starts) in enumerate(
            ((aspect.player_pair, aspect.player_starts), (aspect.banker_pair, aspect.banker_starts))
        )
    )
    same = [
        [
            aspect.same_pair and Pair.NONE not in (one, other) and mine[0].rank is theirs[0].rank
            for other, theirs in zip(pairs, hands, strict=True)
        ]
        for one, mine in zip(pairs, hands, strict=True)
    ]
    places: _Integers = np.array(players)[:, None] + np.array(bankers)[None, :] + np.array(same) * steps[2]
    return places
