"""How lights are made of the evidence about the subjects of one kind."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from math import log
from typing import ClassVar, NamedTuple

from sabot.basics.phrase import Phrase, phrase
from sabot.integrity.budget import WATCHES_FOR_AN_ALARM, threshold
from sabot.integrity.detector import Detector
from sabot.integrity.evidence import state_of, value
from sabot.integrity.light import Kind, Light


class Shown(NamedTuple):
    """A subject as its light shows it."""

    subject: str
    number: int
    """In the order of appearance, from 0."""
    highest: float
    """The logarithm of the most that its evidence came to in the gaming day."""
    coups: int
    told: Callable[[], Phrase]


class OneKind(Detector):
    """A detector whose lights are all of one kind."""

    kind: ClassVar[Kind]

    def shown(self) -> Iterator[Shown]:
        raise NotImplementedError

    def lights(self, table: str) -> Iterator[Light]:
        return (self._light(table, one) for one in self.shown())

    def raised(self, table: str) -> Iterator[Light]:
        return (self._light(table, one) for one in self.shown() if one.highest >= _watched_from(self.kind, one.number))

    def _light(self, table: str, one: Shown) -> Light:
        alarm_at = threshold(self.kind, one.number)
        return Light(
            kind=self.kind,
            table=table,
            subject=one.subject,
            state=state_of(one.highest, alarm_at),
            evidence=value(one.highest),
            threshold=alarm_at,
            coups=one.coups,
            seen=one.told(),
            advice=phrase(f"advise_{self.kind}"),
        )


@lru_cache(maxsize=4096)
def _watched_from(kind: Kind, number: int) -> float:
    return log(threshold(kind, number) / WATCHES_FOR_AN_ALARM)
