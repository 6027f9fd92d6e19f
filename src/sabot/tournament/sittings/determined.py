"""Whether who progresses is determined (CROWN 12.3.5(a), G-127): no play of the remaining coups can change it.

Each contender has bounds: the least and the most that the remaining coups can make of the score, from the pay tables
and the limits (`rules/reach.py`). A contender of the sitting is sure of a place if fewer others than there are places
can draw level. A contender is sure of none if as many others as there are places stay above, whatever is played. A
sitting is determined if each of its contenders is sure, at every cut of the round in turn. What the other sittings play
is left open: it cannot change what is sure here, and nothing played here can change it there.

The bounds are cautious. They let everybody lose and win as much as the limits allow at once. So they may say no where
one play in a thousand millions would be needed. They never say yes where there is one.
"""

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sabot.rules.reach import Reach
from sabot.tournament.conditions.parts import WildCardsBy
from sabot.tournament.places.advancing import WayOn

NO_BOUND = 10**18
"""Above every score that can be: what is not bounded."""


class Contender(NamedTuple):
    """Somebody who competes in a round, with what the remaining coups need to know."""

    entrant: int
    sitting: str
    score: int
    """As noted: the balance less what is owed (G-126); of a seat that is not taken yet, the credit it would get."""
    left: int | None
    """Coups left at the sitting; None where its end goes by the clock alone, so that nobody knows."""
    owed: int = 0
    bust: bool = False
    closed: bool = False
    """The seat is closed and the score stands, as when its entrant retired."""
    awaited: bool = False
    """The seat may still be taken, or its sitting has not begun. If nobody comes, the entrant ranks below all."""
    noted: bool = True
    """Whether a counted coup of this sitting gave the contender a score, which a count back needs."""
    misses: int | None = None
    """After so many more missed compulsory wagers the entrant is disqualified; None where none disqualifies."""
    earlier: int = 0
    """Added to the balance where scores are totals: the sum of earlier rounds."""
    best: int | None = None
    """The best score of earlier rounds, where the best counts."""


class CutLine(NamedTuple):
    """Places that are given at once, to the best of each table or of the round."""

    places: int
    per_table: bool = False
    by_draw: bool = False


class Bounds(NamedTuple):
    low: int
    high: int


class Certainty(NamedTuple):
    determined: bool
    least: int
    """The least score that those who would go through can come to, at the first cut that is open."""
    most: int
    """The most that the others can come to, there. Of a determined sitting both are of its first cut."""
    bounds: dict[int, tuple[int, int]]
    """By entrant, for the record; a seat that is not taken yet has 0 at least."""
    known: bool = True
    """False where nobody knows how many coups are left: then nothing is determined."""


def cuts_of(lines: Iterable[WayOn]) -> tuple[CutLine, ...]:
    """The cuts that the `from` lines of the next rounds make in a round, in their order."""
    return tuple(
        CutLine(line.top_per_table, per_table=True)
        if line.top_per_table
        else CutLine(line.top_overall or line.wild_cards, by_draw=line.by is WildCardsBy.DRAW)
        for _, line in lines
    )


def prize_cuts(places: int) -> tuple[CutLine, ...]:
    """The cuts of the last round, where prize places take the part of progress: every place by itself (G-127)."""
    return (CutLine(1),) * places


def bounds_of(one: Contender, reach: Reach, compulsory: int = 0) -> Bounds:
    """What the remaining coups can make of a score, at least and at most."""
    if one.bust or one.closed:
        return Bounds(_ranked(one.score, one), _ranked(one.score, one))
    if one.left is None:
        return Bounds(-NO_BOUND, NO_BOUND)
    purse = one.score + one.owed
    high = _ranked(reach.highest(purse, one.left) - one.owed, one)
    if one.awaited or (one.misses is not None and one.misses <= one.left):
        return Bounds(-NO_BOUND, high)
    return Bounds(_ranked(reach.lowest(purse, one.left, compulsory) - one.owed, one), high)


def judge(
    sitting: str,
    contenders: Sequence[Contender],
    cuts: Sequence[CutLine],
    reach: Reach,
    compulsory: int = 0,
    *,
    count_back: bool = False,
) -> Certainty:
    """Whether the sitting may end now.

    The contenders are everybody in the round who is ranked or may still be: also at other sittings, where a cut goes
    across the round. `count_back` says that equal scores are counted back first of all.
    """
    rivals = [_Rival(one, bounds_of(one, reach, compulsory)) for one in contenders]
    here = [one for one in rivals if one.who.sitting == sitting]
    elsewhere = _Elsewhere(one for one in rivals if one.who.sitting != sitting)
    known = all(one.who.left is not None or one.who.bust or one.who.closed for one in here)
    open_at = _first_open_cut(here, elsewhere, cuts, count_back=count_back) if known else 0
    least, most = _figures(sitting, rivals, cuts, open_at or 0)
    figures = {one.who.entrant: _recorded(one) for one in here}
    return Certainty(open_at is None, least, most, figures, known)


class _Rival(NamedTuple):
    who: Contender
    bounds: Bounds


class _Elsewhere:
    """The rivals at other sittings, without those who are gone by earlier cuts."""

    def __init__(self, rivals: Iterable[_Rival]) -> None:
        self._lows: dict[str, list[int]] = {}
        self._highs: dict[str, list[int]] = {}
        for one in sorted(rivals, key=lambda one: one.bounds.low):
            self._lows.setdefault(one.who.sitting, []).append(one.bounds.low)
            insort(self._highs.setdefault(one.who.sitting, []), one.bounds.high)
        self._per_table = self._at_least = self._at_most = 0
        """How many are gone: the best of each table, and so many of the round."""

    def surely_above(self, one: _Rival) -> int:
        above = (len(lows) - bisect_right(lows, one.bounds.high) for lows in self._lows.values())
        return max(0, sum(max(0, count - self._per_table) for count in above) - self._at_most)

    def perhaps_above(self, one: _Rival) -> int:
        above = (len(highs) - bisect_left(highs, one.bounds.low) for highs in self._highs.values())
        return max(0, sum(max(0, count - self._per_table) for count in above) - self._at_least)

    def take(self, cut: CutLine, from_here: int) -> None:
        """Take away who goes by a cut, if so many of it are from this sitting."""
        if cut.per_table:
            self._per_table += cut.places
            self._at_least = 0  # Who went by an earlier cut may have sat at a table that has places of its own.
        else:
            self._at_least += cut.places - from_here
            self._at_most += cut.places - from_here


def _first_open_cut(
    here: Sequence[_Rival], elsewhere: _Elsewhere, cuts: Sequence[CutLine], *, count_back: bool
) -> int | None:
    """The first cut at which a contender here is neither sure of a place nor sure of none, if there is one."""
    rest, drawn = list(here), 0
    for at, cut in enumerate(cuts):
        if cut.by_draw:  # No score decides it, only who is there to be drawn; nobody knows from which sitting.
            if any(one.bounds.low == -NO_BOUND for one in rest):
                return at
            drawn += cut.places
            continue
        through: list[_Rival] = []
        for one in rest:
            fewest = sum(_is_above(other, one, count_back) for other in rest if other is not one) - drawn
            most = sum(not _is_above(one, other, count_back) for other in rest if other is not one)
            if not cut.per_table:
                fewest += elsewhere.surely_above(one)
                most += elsewhere.perhaps_above(one)
            if most < cut.places and one.bounds.low > -NO_BOUND:
                through.append(one)
            elif fewest < cut.places:
                return at
        rest = [one for one in rest if one not in through]
        elsewhere.take(cut, len(through))
    return None


def _is_above(one: _Rival, other: _Rival, count_back: bool) -> bool:  # noqa: FBT001  A condition of the tournament.
    """Whether one ranks above the other for certain, both of the same sitting.

    Equal bounds suffice against a bust seat where equals are counted back first. The one who has more now and never
    comes below it is ahead at the last coup that tells the two apart. Two bust seats with equal balances are parted by
    tie-breaks that no further coup changes, so that it does not matter here which is ahead. A closed seat has no
    balance after further coups, so that a count back would compare others.
    """
    if one.bounds.low != other.bounds.high:
        return one.bounds.low > other.bounds.high
    (mine, _), (theirs, _) = one, other
    if not theirs.bust or mine.closed or theirs.closed:
        return False
    if mine.bust:
        return mine.score == theirs.score and mine.entrant < theirs.entrant
    plain = not (mine.earlier or theirs.earlier) and mine.best is None and theirs.best is None
    return count_back and plain and mine.noted and theirs.noted and mine.score > theirs.score


def _ranked(figure: int, one: Contender) -> int:
    score = figure + one.earlier
    return score if one.best is None else max(score, one.best)


def _recorded(one: _Rival) -> tuple[int, int]:
    low, high = one.bounds
    return (low if low > -NO_BOUND else 0, high)


def _figures(sitting: str, rivals: Sequence[_Rival], cuts: Sequence[CutLine], at: int) -> tuple[int, int]:
    """The least of those who would go through at a cut, and the most of the others, by the scores of this moment."""
    left = sorted(rivals, key=lambda one: (one.who.awaited, -_ranked(one.who.score, one.who), one.who.entrant))
    through: set[int] = set()
    for cut in cuts[: at + 1]:
        left = [one for one in left if one.who.entrant not in through]
        through = set()
        tables: Counter[str] = Counter()
        for one in left:
            table = one.who.sitting if cut.per_table else ""
            if tables[table] < cut.places and not cut.by_draw:
                through.add(one.who.entrant)
                tables[table] += 1
    if cuts and cuts[at].per_table:
        left = [one for one in left if one.who.sitting == sitting]
    least = min((_recorded(one)[0] for one in left if one.who.entrant in through), default=0)
    return least, max((one.bounds.high for one in left if one.who.entrant not in through), default=0)
