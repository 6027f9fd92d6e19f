"""Prizes (CROWN 12.2.1(j), G-137): the pool by shares, to the cent; fixed amounts; prizes in words.

Shares are per cent of one pool, for the places of the tournament and of its secondary rounds together. They are rounded
down, and leftover cents go one each from the first place on. Equals share the sum of their places. Where nobody takes a
place, the shares of the others grow in proportion, so that the pool is always given out whole.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sabot.tournament.conditions.parts import PoolPart, Prize, Text
from sabot.tournament.places.ranking import Equals

Places = Sequence[Sequence[int]]
"""Entrants in the order of their final places, in groups of equals."""


class PrizePool(NamedTuple):
    cents: int
    """What is shared."""
    added_cents: int
    """What of it the house puts in: the addition of the conditions, and what is missing to the guarantee."""


class Award(NamedTuple):
    """What one entrant gets for one place."""

    place: int
    """The first place of the equals."""
    entrant: int
    pool_cents: int
    fixed_cents: int
    """An amount that does not come from the pool."""
    text: Text
    of: str
    """The secondary round, or nothing."""

    @property
    def cents(self) -> int:
        return self.pool_cents + self.fixed_cents


def pool_of(parts: Iterable[int], house: PoolPart) -> PrizePool:
    """The pool from the parts of slips taken and not refunded, and from what the house promises."""
    taken = sum(parts)
    added = house.added_cents + max(0, house.guaranteed_cents - taken - house.added_cents)
    return PrizePool(taken + added, added)


def shared(pool: int, shares: Sequence[int]) -> tuple[int, ...]:
    """The pool in these proportions, in whole cents, all of it; the leftover one each from the first on."""
    whole = sum(shares)
    if not whole:
        return (0,) * len(shares)
    cents = [pool * share // whole for share in shares]
    left = pool - sum(cents)
    for at, share in enumerate(shares):
        given = 1 if left and share else 0
        cents[at] += given
        left -= given
    return tuple(cents)


def awards(pool: int, prizes: Sequence[Prize], places: Mapping[str, Places]) -> tuple[Award, ...]:
    """Who gets what: the tournament's own places under "", those of a secondary round under its name."""
    entrants = {of: sum(map(len, groups)) for of, groups in places.items()}
    taken = [prize for prize in prizes if prize.place <= entrants.get(prize.of, 0)]
    from_pool = shared(pool, [prize.share or 0 for prize in taken])
    won = {(prize.of, prize.place): (prize, cents) for prize, cents in zip(taken, from_pool, strict=True)}
    found: list[Award] = []
    for of, groups in places.items():
        first = 1
        for group in groups:
            theirs = [won[of, place] for place in range(first, first + len(group)) if (of, place) in won]
            found += _of_equals(of, first, sorted(group), theirs)
            first += len(group)
    return tuple(found)


def tie_for_prizes(order: Sequence[Equals], places: int) -> Equals | None:
    """The first equals who have a prize place and must be parted, where prizes of equals are not shared."""
    first = 1
    for equals in order:
        if first <= places and len(equals.members) > 1:
            return equals
        first += len(equals.members)
    return None


def _of_equals(of: str, place: int, group: Sequence[int], won: Sequence[tuple[Prize, int]]) -> Iterable[Award]:
    """What equals get: the sum of their places, leftover cents by lower entrant number."""
    if not won:
        return ()
    texts = [prize.text for prize, _ in won if prize.text]
    assert not texts or len(group) == 1, "a prize in words cannot be shared"
    from_pool = shared(sum(cents for _, cents in won), [1] * len(group))
    fixed = shared(sum(prize.cents or 0 for prize, _ in won), [1] * len(group))
    text = texts[0] if texts else {}
    return [Award(place, *one, text, of) for one in zip(group, from_pool, fixed, strict=True)]
