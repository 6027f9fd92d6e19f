"""Subjects of a kind of light that appear one after the other: seats, dealers, pairs of them."""

from collections.abc import Iterator
from functools import partial

import msgspec

from sabot.basics.phrase import Phrase
from sabot.integrity.budget import threshold
from sabot.integrity.lit import OneKind, Shown
from sabot.integrity.tilts import Mixture


class Watched(msgspec.Struct, array_like=True, gc=False):
    """One subject with its evidence."""

    number: int
    """In the order of appearance, from 0."""
    mixture: Mixture
    things: int = 0
    """Of what is counted: so many,"""
    marked: int = 0
    """of which so many were as suspected,"""
    expected: float = 0.0
    """where so many were expected."""

    def count(self, things: int, marked: int, expected: float) -> None:
        self.things += things
        self.marked += marked
        self.expected += expected

    @property
    def as_expected(self) -> str:
        return f"{self.expected:.1f}"


Subjects = dict[str, Watched]


def watched(subjects: Subjects, name: str, bets: int) -> Watched:
    found = subjects.get(name)
    if found is None:
        found = subjects[name] = Watched(len(subjects), Mixture.of(bets))
    return found


class OfSubjects(OneKind):
    """A detector whose state has `subjects`."""

    def told(self, name: str, one: Watched) -> Phrase:
        """What was seen of a subject."""
        raise NotImplementedError

    def begin_day(self) -> None:
        for one in self.state.subjects.values():
            one.mixture.begin_day(threshold(self.kind, one.number))

    def shown(self) -> Iterator[Shown]:
        """All subjects in the order of their appearance."""
        for name, one in sorted(self.state.subjects.items(), key=lambda named: named[1].number):
            evidence = one.mixture.evidence
            yield Shown(name, one.number, evidence.highest, evidence.coups, partial(self.told, name, one))
