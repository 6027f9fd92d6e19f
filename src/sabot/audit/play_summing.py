"""Adds up what was played in a period by dealer and by patron, and for how long each was there.

Figures are those of the coups settled in the period, as they stand at its end. What the period changed in earlier coups
is kept apart, until the sum is added to that of the period in which the coup was settled.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sabot.audit.coup_figures import CoupFigures
from sabot.audit.period_sum import (
    NOTHING_PLAYED,
    DealerSum,
    LateCoup,
    PeriodSum,
    PlayedTerms,
    read_patrons,
    write_patrons,
)
from sabot.audit.play_totals import PlayTotals, TermsSeen
from sabot.audit.presence import Presence
from sabot.audit.record_reading import RecordReading

if TYPE_CHECKING:  # It works with arrays, and most callers leave patrons out.
    from sabot.audit.patron_totals import PatronTotals


class PlaySums(NamedTuple):
    """The fields of a period's sum that are about play."""

    first_coup: int
    terms: tuple[PlayedTerms, ...]
    dealing: dict[str, DealerSum]
    patrons: bytes
    late: list[LateCoup]


class PlaySumming:
    def __init__(self, reading: RecordReading, *, patrons: bool) -> None:
        self.first_coup = 0
        """The first coup that was settled for money in the period."""
        self._terms = TermsSeen()
        self._dealing: dict[str, _Dealing] = {}
        self._patrons = _patron_totals() if patrons else None
        self._late: dict[int, _LateCoup] = {}
        self._running, self._sitting = Presence(reading.running), Presence(reading.seated)

    def until(self, at_ms: int) -> None:
        """Count the time from the first act of the period until now."""
        self._running.until(at_ms)
        self._sitting.until(at_ms)

    def follow(self, reading: RecordReading) -> None:
        """Who runs the game, and who sits where, after an act."""
        self._running.follow(reading.at_ms, reading.running)
        if self._patrons is not None:
            self._sitting.follow(reading.at_ms, reading.seated)

    def voided(self, dealer: str) -> None:
        self._of_dealer(dealer).voids += 1

    def corrected(self, dealer: str) -> None:
        self._of_dealer(dealer).corrected += 1

    def played(self, coup: int, figures: CoupFigures, sign: int) -> None:
        """Add a coup as it stands, or take it away as it stood."""
        assert figures.played_by is not None, "a coup in credits counts for no figure of money"
        terms = self._terms.number(figures.played_by)
        late = self._of_late(coup, figures.dealer) if self._is_late(coup) else None
        play = self._of_dealer(figures.dealer).play if late is None else late.play
        play.add(figures.whole, terms, sign, products=True)
        for patron, one in figures.patrons.items():
            if late is not None:
                _of(late.patrons, patron).add(one, terms, sign, products=False)
            elif self._patrons is not None:
                self._patrons.add(patron, one, terms, sign)

    def _is_late(self, coup: int) -> bool:
        """Whether a coup was settled before the period. Coups are numbered in the order of their settlement."""
        return not 0 < self.first_coup <= coup

    def _of_dealer(self, dealer: str) -> "_Dealing":
        return self._dealing.setdefault(dealer, _Dealing())

    def _of_late(self, coup: int, dealer: str) -> "_LateCoup":
        return self._late.setdefault(coup, _LateCoup(dealer))

    def join(self, one: PeriodSum, after: RecordReading) -> None:
        """Add the sum of the period that follows, and who is there behind it."""
        numbers = self._terms.numbers(one.terms)
        for late in one.late:
            if self._is_late(late.coup):
                self._of_late(late.coup, late.dealer).join(late, numbers)
            else:
                self._of_dealer(late.dealer).play.join(late.play, numbers)
                self._join_late(late, numbers)
        for dealer, dealt in one.dealing.items():
            self._of_dealer(dealer).join(dealt, numbers)
        if self._patrons is not None:
            self._patrons.join(read_patrons(one), numbers)
        self._join_presence(one, after)
        self.first_coup = self.first_coup or one.first_coup

    def _join_late(self, late: LateCoup, numbers: Sequence[int]) -> None:
        if self._patrons is not None:
            for patron, play in late.patrons.items():
                self._patrons.join_play(patron, play, numbers)

    def _join_presence(self, one: PeriodSum, after: RecordReading) -> None:
        """The time of patrons within the period is among their sums; here they have the time up to it."""
        if not one.from_ms:
            self._running.follow(after.at_ms, after.running)
            self._sitting.follow(after.at_ms, after.seated)
            return
        begins_ms = max(one.before.at_ms, one.from_ms)
        ran_ms = {dealer: dealt.present_ms for dealer, dealt in one.dealing.items()}
        self._running.join(begins_ms, ran_ms, after.at_ms, after.running)
        if self._patrons is not None:
            self._sitting.join(begins_ms, {}, after.at_ms, after.seated)

    def sums(self) -> PlaySums:
        totals = [
            *(one.play for one in self._dealing.values()),
            *(play for one in self._late.values() for play in (one.play, *one.patrons.values())),
        ]
        used = {number for one in totals for number in one.terms()}
        if self._patrons is not None:
            used |= self._patrons.terms()
        terms, places = self._terms.places(used)
        late = [one.sum(coup, places) for coup, one in sorted(self._late.items())]
        return PlaySums(
            first_coup=self.first_coup,
            terms=terms,
            dealing=self._dealing_sums(places),
            patrons=b"" if self._patrons is None else write_patrons(self._patrons.sums(places, self._sitting.counted)),
            late=[one for one in late if one.play != NOTHING_PLAYED or one.patrons],
        )

    def _dealing_sums(self, places: Mapping[int, int]) -> dict[str, DealerSum]:
        ran = self._running.counted
        dealing = {
            dealer: self._dealing.get(dealer, _Dealing()).sum(places, ran[dealer]) for dealer in (*self._dealing, *ran)
        }
        return {dealer: one for dealer, one in dealing.items() if one != _NO_DEALING}


class _Dealing:
    """A dealer's figures that are being added up, but for the time."""

    def __init__(self) -> None:
        self.play = PlayTotals()
        self.voids = self.corrected = 0

    def join(self, one: DealerSum, numbers: Sequence[int]) -> None:
        self.play.join(one.play, numbers)
        self.voids += one.voids
        self.corrected += one.corrected

    def sum(self, places: Mapping[int, int], present_ms: int) -> DealerSum:
        return DealerSum(self.play.sum(places), self.voids, self.corrected, present_ms)


class _LateCoup:
    """What changed in a coup that was settled before the period."""

    def __init__(self, dealer: str) -> None:
        self._dealer, self.play = dealer, PlayTotals()
        self.patrons: dict[str, PlayTotals] = {}

    def join(self, one: LateCoup, numbers: Sequence[int]) -> None:
        self.play.join(one.play, numbers)
        for patron, play in one.patrons.items():
            _of(self.patrons, patron).join(play, numbers)

    def sum(self, coup: int, places: Mapping[int, int]) -> LateCoup:
        patrons = {patron: play.sum(places) for patron, play in self.patrons.items()}
        changed = {patron: play for patron, play in patrons.items() if play != NOTHING_PLAYED}
        return LateCoup(coup, self._dealer, self.play.sum(places), changed)


def _patron_totals() -> "PatronTotals":
    from sabot.audit.patron_totals import PatronTotals  # noqa: PLC0415  Arrays take a tenth of a second to load.

    return PatronTotals()


def _of(totals: dict[str, PlayTotals], name: str) -> PlayTotals:
    found = totals.get(name)
    if found is None:
        found = totals[name] = PlayTotals()
    return found


_NO_DEALING = DealerSum(NOTHING_PLAYED, 0, 0, 0)
