"""Of every state that a table can come to, everybody can be shown a view: whatever was said there, and to whatever a
record of a journal, old or foreign, has brought it.
"""

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import inspect as shape

from sabot.basics.bounds import SOON_MS
from sabot.floor.nights.night import Night
from sabot.floor.simulator.chance import Chance
from sabot.table import acts
from sabot.table.snapshot import read_state, write_state
from sabot.table.state import TableState
from sabot.views.scorecard import Scorecard
from tests.views.every_view import sizes

MOST_BYTES = 64 * 1024
"""Of any whole view, after whatever night."""
LONG = ("x" * 4_000, "百" * 4_000, "a\nb", "", "\U0001f0a1" * 200)
NAMES = ("y" * 200, "", "A1", "百" * 200, "tie")
AMOUNTS = (10**13, -(10**13), 0, 1, -1)
COUNTS = (10**9, -(10**9), 0, 1, 2)


def extreme(info: shape.Type, chance: Chance, at_ms: int) -> Any:  # noqa: PLR0911  Each shape has its line.
    """A value at the edge of what a field may hold; UNSET where its type leaves no edge."""
    extra = (info.extra or {}) if isinstance(info, shape.Metadata) else {}
    match info.type if isinstance(info, shape.Metadata) else info:
        case shape.IntType() if "around_ms" in extra:
            return chance.pick((0, max(0, at_ms - SOON_MS), at_ms + SOON_MS, at_ms, at_ms + 1))
        case shape.IntType() if extra.get("most", 0) > COUNTS[0]:
            return chance.pick(AMOUNTS)
        case shape.IntType():
            return chance.pick(COUNTS)
        case shape.StrType():
            return chance.pick(LONG if extra.get("characters", 0) > 200 else NAMES)
        case shape.UnionType(types=types):
            return extreme(chance.pick(types), chance, at_ms)
        case shape.NoneType():
            return None
        case _:
            return msgspec.UNSET


class WildNight(Night):
    """A night in which now and then a field lies at the edge of its bounds, and every view is made after each act."""

    def __init__(self, seed: int) -> None:
        super().__init__(Chance(random.Random(seed).random), {})
        self.card = Scorecard.of(self.state)
        self.is_wild = False
        self.largest: dict[str, int] = {}

    def play(self) -> None:
        for _ in range(self.chance.between(100, 200)):
            self.is_wild = self.chance.happens(0.25)
            self.say(*(self._anything() if self.is_wild else self._on_the_way()))

    def say(self, by: str, act: acts.Act, second: str = "") -> bool:
        noted = len(self.table.records)
        if self.is_wild and self.chance.happens(0.5):
            act = self._wild(act)
        self.last = f"{by} {act}"
        answer = self.table.give(act, by, at_ms=self.table.now_ms + 10, second=second)
        for record in self.table.records[noted:]:
            if record.act is not None:
                self.card = self.card.then(record.state, record.act, record.stamp, record.decision)
        if answer.ok:
            self._look()
        self.done[type(act)] += answer.ok
        return answer.ok

    def _wild(self, act: acts.Act) -> acts.Act:
        info = shape.type_info(type(act))
        assert isinstance(info, shape.StructType)
        if not info.fields:
            return act
        field = self.chance.pick(info.fields)
        value = extreme(field.type, self.chance, self.table.now_ms)
        return act if value is msgspec.UNSET else msgspec.structs.replace(act, **{field.name: value})

    def _look(self) -> None:
        found = sizes(self.state, self.card, self.table.now_ms)
        self.largest = {name: max(size, self.largest.get(name, 0)) for name, size in found.items()}
        again = read_state(write_state(self.state))
        assert isinstance(again, TableState)
        sizes(again, Scorecard.of(again), self.table.now_ms)


def nights(seeds: range) -> Iterator[WildNight]:
    for seed in seeds:
        night = WildNight(seed)
        try:
            night.play()
        except Exception as error:
            error.add_note(f"night {seed}, {night.last}")
            raise
        yield night


def check(seeds: range) -> None:
    for night in nights(seeds):
        assert max(night.largest.values()) < MOST_BYTES, sorted(night.largest.items(), key=lambda one: -one[1])[:3]


def test_every_view_can_be_made_and_is_bounded_whatever_is_said() -> None:
    check(range(4, 7))


@pytest.mark.whole
def test_every_view_can_be_made_and_is_bounded_in_many_nights() -> None:
    check(range(7, 200))
