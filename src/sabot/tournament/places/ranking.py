"""Ranks (CROWN 12.2.1(d), G-103): by score, high first; equals share a rank, and tie-breaks part them where it matters.

Everything is worked out from plain values when it is asked for; nothing here is stored. Who is disqualified or excluded
is no contestant: the caller leaves them out.
"""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from sabot.tournament.conditions.parts import RetiredScore, ScoreRule, TieBreak

PLAY_OFFS = 2
"""A play-off that ends equal is played once more; then the next tie-break decides."""


class Contestant(NamedTuple):
    """Who is ranked, with what is ranked."""

    entrant: int
    score: int
    """What is ranked: `ranked_score` of the scores of all rounds so far."""
    history: Sequence[int] = ()
    """Balances after each counted coup of this round, oldest first, the last one included."""
    earlier: int = 0
    """The sum of the final scores of earlier rounds."""
    played: bool = True
    """Absent entrants rank below everybody who played, whatever their score."""
    reached: int = 0
    """For final places: the round reached, as its place in the conditions, from 0 (G-138)."""


class Parted(NamedTuple):
    """What play-offs and lots have said so far in this round."""

    play_offs: Sequence[Mapping[int, int]] = ()
    """The final scores of each play-off, by entrant, in the order in which they were played."""
    lots: Sequence[Sequence[int]] = ()
    """Drawn orders; an order parts those equals who are all in it."""


class Equals(NamedTuple):
    """Contestants whom nothing parts yet. One alone is the usual case."""

    members: tuple[Contestant, ...]
    """By entrant number."""
    due: TieBreak | None = None
    """What must part them: a play-off or lots. Nothing where they are alone, or where no tie-break is left."""

    @property
    def entrants(self) -> tuple[int, ...]:
        return tuple(one.entrant for one in self.members)


NOT_PARTED = Parted()


def ranked_score(rule: ScoreRule, scores: Sequence[int]) -> int:
    """What is ranked of an entrant's final scores, oldest round first, this round's last."""
    if rule is ScoreRule.TOTAL:
        return sum(scores)
    return max(scores) if rule is ScoreRule.BEST else scores[-1]


def retired_score(rule: RetiredScore, score: int) -> int | None:
    """What is ranked of an entrant who retired: nothing means unranked (CROWN 12.2.1(h))."""
    return {RetiredScore.STANDS: score, RetiredScore.ZERO: 0, RetiredScore.UNRANKED: None}[rule]


def standing(contestants: Iterable[Contestant]) -> list[tuple[int, Contestant]]:
    """Everybody with the rank that a leader board shows, such as 1, 2, 2, 4; equals by entrant number."""
    ranked: list[tuple[int, Contestant]] = []
    rank, before = 0, None
    for at, (merit, _, one) in enumerate(_in_order(contestants), 1):
        if merit != before:
            rank, before = at, merit
        ranked.append((rank, one))
    return ranked


def order(
    contestants: Iterable[Contestant], tie_breaks: Sequence[TieBreak], parted: Parted = NOT_PARTED
) -> list[Equals]:
    """Everybody in order, in groups of equals; no tie-breaks at all leave equal scores equal."""
    steps = tuple(step for one in tie_breaks for step in [one] * (PLAY_OFFS if one is TieBreak.PLAY_OFF else 1))
    return [
        group
        for _, equals in groupby(_in_order(contestants), key=itemgetter(0))
        for group in _part(tuple(one for _, _, one in equals), steps, parted)
    ]


# Tie-breaks

_Groups = list[tuple[Contestant, ...]]
_Merit = tuple[int, bool, int]


def _part(equals: tuple[Contestant, ...], steps: tuple[TieBreak, ...], parted: Parted) -> Iterator[Equals]:
    """The equals in the order that the tie-breaks give, one after the other; one that is due stops there."""
    if len(equals) == 1 or not steps:
        yield Equals(equals)
        return
    held = steps.count(TieBreak.PLAY_OFF)
    groups = _split(equals, steps[0], parted, PLAY_OFFS - held)
    if groups is None:
        yield Equals(equals, steps[0])
        return
    for group in groups:
        yield from _part(group, steps[1:], parted)


def _split(equals: tuple[Contestant, ...], step: TieBreak, parted: Parted, held: int) -> _Groups | None:
    """The equals in groups, or None where the play-off or the lots must still be held."""
    if step is TieBreak.COUNT_BACK:
        return _count_back(equals)
    if step is TieBreak.EARLIER_ROUNDS:
        return _by(equals, lambda one: one.earlier)
    entrants = {one.entrant for one in equals}
    if step is TieBreak.PLAY_OFF:
        scores = [played for played in parted.play_offs if entrants <= played.keys()]
        return _by(equals, lambda one: scores[held][one.entrant]) if len(scores) > held else None
    drawn = next((drawn for drawn in parted.lots if entrants <= set(drawn)), None)
    return None if drawn is None else _by(equals, lambda one: -drawn.index(one.entrant))


def _count_back(equals: tuple[Contestant, ...], back: int = 2) -> _Groups:
    """By the balance after the last counted coup but one, then the one before, as far as all of them have one.

    "As far as both have one" parts two. Of three it could rank A above B and C equal to both; so several are counted
    back as far as all have a balance.
    """
    if len(equals) == 1 or any(len(one.history) < back for one in equals):
        return [equals]
    return [part for group in _by(equals, lambda one: one.history[-back]) for part in _count_back(group, back + 1)]


def _by(equals: tuple[Contestant, ...], figure: Callable[[Contestant], int]) -> _Groups:
    """Groups of equal figures, the highest first; each by entrant number, as the equals are."""
    high_first = sorted(equals, key=figure, reverse=True)
    return [tuple(group) for _, group in groupby(high_first, key=figure)]


def _in_order(contestants: Iterable[Contestant]) -> list[tuple[_Merit, int, Contestant]]:
    return sorted([(_merit(one), one.entrant, one) for one in contestants])


def _merit(one: Contestant) -> _Merit:
    """What ranks before any tie-break; less is better."""
    return (-one.reached, not one.played, -one.score if one.played else 0)


# The leader board


class BoardLine(NamedTuple):
    """One entrant of a leader board; lines in their natural order are in the order of the board."""

    absent: bool
    minus_score: int
    entrant: int

    @property
    def score(self) -> int:
        return -self.minus_score


def board_of(contestants: Iterable[Contestant]) -> list[BoardLine]:
    return sorted(BoardLine(not one.played, -one.score if one.played else 0, one.entrant) for one in contestants)


def moved(board: Sequence[BoardLine], before: Iterable[BoardLine], after: Iterable[BoardLine]) -> list[BoardLine]:
    """The board after some lines changed. A sitting moves 50 lines at most, so the others are not sorted again."""
    lines = list(board)
    for line in before:
        at = bisect_left(lines, line)
        assert lines[at] == line, "the line was not on the board"
        del lines[at]
    for line in after:
        insort(lines, line)
    return lines


def rank_of(board: Sequence[BoardLine], line: BoardLine) -> int:
    """The rank on the board, from 1; equals share one."""
    return bisect_left(board, (line.absent, line.minus_score)) + 1
