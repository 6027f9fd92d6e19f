"""Who goes where after a round (CROWN 12.2.1(d)): the `from` lines of the next rounds, taken in order.

Nobody is taken twice. Absent entrants are taken by no line that ranks: they do not progress, whatever places are left.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from sabot.tournament.conditions.parts import From, RoundPart, TieBreak, WildCardsBy
from sabot.tournament.places.ranking import NOT_PARTED, Contestant, Parted, order


class WayOn(NamedTuple):
    """One way out of a round: a line of `from`, and the round it leads to."""

    to: str
    line: From


class TieAtCut(NamedTuple):
    """Equals of whom some go through and some do not, and nothing parts them yet (G-103)."""

    to: str
    entrants: tuple[int, ...]
    places: int
    """How many of them go through."""
    due: TieBreak | None
    """What must part them; None where wild cards are drawn and no draw was given."""


class Progress(NamedTuple):
    """Who goes where, as far as it is decided."""

    through: dict[str, tuple[int, ...]]
    """To each next round, in the order in which the lines take them."""
    tie: TieAtCut | None
    """The first tie at a cut. Lines after it are not taken: they depend on it."""

    @property
    def everybody(self) -> frozenset[int]:
        return frozenset(entrant for group in self.through.values() for entrant in group)


def lines_from(name: str, rounds: Iterable[RoundPart]) -> tuple[WayOn, ...]:
    """The lines that take players of this round by rank or by draw, in the order of the conditions."""
    return tuple(WayOn(part.name, line) for part in rounds for line in part.from_ if line.round == name)


def advance(
    lines: Sequence[WayOn],
    sittings: Sequence[Sequence[Contestant]],
    tie_breaks: Sequence[TieBreak],
    parted: Parted = NOT_PARTED,
    drawn: Sequence[int] = (),
    through_already: Collection[int] = (),
) -> Progress:
    """Take the lines in order, until one has a tie at a cut; who is ahead of the tie is through in any case.

    `drawn` is an order by chance of everybody in the round, for wild cards by draw (G-139).
    """
    through: dict[str, tuple[int, ...]] = {}
    taken = set(through_already)
    for to, line in lines:
        first: TieAtCut | None = None
        for group, places in _cuts(line, sittings):
            left = [one for one in group if one.entrant not in taken and one.played]
            if line.wild_cards and line.by is WildCardsBy.DRAW:
                chosen, tie = _drawn(to, left, places, drawn)
            else:
                chosen, tie = _best(to, left, places, tie_breaks, parted)
            first = first or tie
            through[to] = through.get(to, ()) + chosen
            taken.update(chosen)
        if first is not None:
            return Progress(through, first)
    return Progress(through, None)


def clearly_through(lines: Sequence[WayOn], sittings: Sequence[Sequence[Contestant]]) -> frozenset[int]:
    """Who would go on as the scores stand, whatever parts those who are equal at a cut; wild cards by draw left out."""
    taken: set[int] = set()
    for to, line in lines:
        if line.by is not WildCardsBy.DRAW:
            for group, places in _cuts(line, sittings):
                left = [one for one in group if one.entrant not in taken and one.played]
                taken.update(_best(to, left, places, (), NOT_PARTED)[0])
    return frozenset(taken)


def _cuts(line: From, sittings: Sequence[Sequence[Contestant]]) -> list[tuple[Sequence[Contestant], int]]:
    """Who compete for how many places by this line: each sitting for itself, or all sittings of the round."""
    if line.top_per_table:
        return [(sitting, line.top_per_table) for sitting in sittings]
    return [([one for sitting in sittings for one in sitting], line.top_overall or line.wild_cards)]


def _best(
    to: str, left: Sequence[Contestant], places: int, tie_breaks: Sequence[TieBreak], parted: Parted
) -> tuple[tuple[int, ...], TieAtCut | None]:
    chosen: tuple[int, ...] = ()
    for equals in order(left, tie_breaks, parted):
        free = places - len(chosen)
        if len(equals.members) > free > 0:
            return chosen, TieAtCut(to, equals.entrants, free, equals.due)
        if free > 0:
            chosen += equals.entrants
    return chosen, None


def _drawn(
    to: str, left: Sequence[Contestant], places: int, drawn: Sequence[int]
) -> tuple[tuple[int, ...], TieAtCut | None]:
    waiting = {one.entrant for one in left}
    if len(waiting) > places and not waiting <= set(drawn):
        return (), TieAtCut(to, tuple(sorted(waiting)), places, None)
    in_order = [entrant for entrant in drawn if entrant in waiting] or sorted(waiting)
    return tuple(in_order[:places]), None
