"""Marks that fall on one subject more often than on the others: corrections and voids by dealer, claims by seat.

Coups are taken in blocks of whole shoes. Given how many things of a block are marked, chance has each of them marked
alike, so the number at one subject is hypergeometric (`overlap.py`). Honest dealers and patrons are not all alike: a
subject's odds may be up to `tolerated` times those of the others. A block waits for one more shoe before it is counted,
because a correction may come late; where its coups or seats do not divide it, it says nothing.
"""

from typing import ClassVar, Final

import msgspec

from sabot.basics.phrase import Phrase, phrase
from sabot.integrity.light import Kind
from sabot.integrity.overlap import RATIOS, log_factors
from sabot.integrity.seen import ClaimSeen, CorrectionSeen, CoupSeen, ShoeSeen, VoidSeen
from sabot.integrity.subjects import OfSubjects, Subjects, Watched, watched

DEALERS_DIFFER: Final = 2.0
PATRONS_DIFFER: Final = 3.0
FEWEST: Final = 10
"""A block goes on until two subjects have so many things each."""


class Block(msgspec.Struct, array_like=True):
    first: int = 0
    """Its first coup."""
    things: dict[str, int] = {}
    marked: dict[str, list[int]] = {}
    """The coups whose thing is marked, by subject."""

    def add(self, subject: str, coup: int) -> None:
        self.first = min(self.first or coup, coup)
        self.things[subject] = self.things.get(subject, 0) + 1

    def mark(self, subject: str, coup: int) -> None:
        coups = self.marked.setdefault(subject, [])
        if coup not in coups and len(coups) < self.things.get(subject, 0):
            coups.append(coup)

    def is_divided(self) -> bool:
        return sum(number >= FEWEST for number in self.things.values()) > 1


class UnevenState(msgspec.Struct):
    now: Block = msgspec.field(default_factory=Block)
    waiting: Block = msgspec.field(default_factory=Block)
    subjects: Subjects = {}


class _Uneven(OfSubjects):
    form = UnevenState
    state: UnevenState
    tolerated: ClassVar[float]

    def take_shoe(self, _: ShoeSeen) -> None:
        state = self.state
        if state.now.is_divided():
            self._close(state.waiting)
            state.waiting, state.now = state.now, Block()

    def _close(self, block: Block) -> None:
        number, marks = sum(block.things.values()), sum(map(len, block.marked.values()))
        if not marks:
            return
        for subject, things in sorted(block.things.items()):
            if things < number:
                found = len(block.marked.get(subject, ()))
                one = watched(self.state.subjects, subject, len(RATIOS))
                one.mixture.multiply(log_factors(number, things, marks, found, self.tolerated))
                one.count(things, found, marks * things / number)

    def _mark(self, subject: str, coup: int) -> None:
        state = self.state
        if subject and state.now.first and coup >= state.now.first:
            state.now.mark(subject, coup)
        elif subject and state.waiting.first and coup >= state.waiting.first:
            state.waiting.mark(subject, coup)

    def told(self, _name: str, one: Watched) -> Phrase:
        return phrase(f"integrity_{self.kind}", things=one.things, marked=one.marked, expected=one.as_expected)


class CorrectionsByDealer(_Uneven):
    name = "corrections/1"
    kind = Kind.CORRECTIONS
    tolerated = DEALERS_DIFFER

    def take_coup(self, coup: CoupSeen) -> None:
        self.state.now.add(coup.dealer, coup.coup)

    def take_correction(self, correction: CorrectionSeen) -> None:
        self._mark(correction.dealer, correction.coup)


class VoidsByDealer(_Uneven):
    name = "voids/1"
    kind = Kind.VOIDS
    tolerated = DEALERS_DIFFER

    def take_coup(self, coup: CoupSeen) -> None:
        self.state.now.add(coup.dealer, coup.coup)

    def take_void(self, void: VoidSeen) -> None:
        self.state.now.add(void.dealer, void.coup)
        self._mark(void.dealer, void.coup)


class ClaimsBySeat(_Uneven):
    name = "claims/1"
    kind = Kind.CLAIMS
    tolerated = PATRONS_DIFFER

    def take_coup(self, coup: CoupSeen) -> None:
        for seat in coup.stakes:
            self.state.now.add(seat, coup.coup)

    def take_claim(self, claim: ClaimSeen) -> None:
        self._mark(claim.seat, claim.coup)
