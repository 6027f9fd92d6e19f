"""Honest tables night after night, and tables with a planted cheat, through the watch of a served table."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import msgspec
import numpy as np

from sabot.integrity.light import Kind, Light, LightState
from sabot.integrity.seen import CoupSeen
from sabot.integrity.trial.night import HONEST, Cheat, TrialTable
from sabot.integrity.watch import TableWatch
from sabot.rules.shipped import rule_set
from sabot.rules.terms import Terms

NIGHTS_A_TABLE: Final = 10
"""A table is watched for so many nights in a row, so that evidence may gather as it does on a floor."""
COUPS_A_NIGHT: Final = 70
"""One shoe, of some eighty coups: an hour."""
COUPS_OF_A_CHEATED_NIGHT: Final = 320
LOOKED_EVERY: Final = 5
"""A planted cheat is looked for after so many coups each."""


@lru_cache(maxsize=1)
def _terms() -> Terms:
    return Terms(rule_set("crown-traditional"), 8)


class FalseAlarm(msgspec.Struct, frozen=True):
    table: int
    night: int
    kind: Kind
    subject: str
    evidence: float
    threshold: float


class HonestTable(msgspec.Struct, frozen=True):
    table: int
    nights: int
    coups: int
    alarms: list[FalseAlarm]
    closest: dict[Kind, float]
    """The most that the evidence of each kind came to, as a part of what raises an alarm."""


def honest_table(number: int, seed: int, nights: int = NIGHTS_A_TABLE, coups: int = COUPS_A_NIGHT) -> HonestTable:
    """A table without a cheat; seed and number alone decide it."""
    table, watch = _watched(np.random.default_rng((seed, number)), HONEST)
    alarms, closest = list[FalseAlarm](), dict[Kind, float]()
    for night in range(nights):
        if night:
            watch.begin_day()
        for seen in table.night(coups):
            watch.take(seen)
        for light in watch.lights():
            closest[light.kind] = max(closest.get(light.kind, 0.0), light.evidence / light.threshold)
            if light.state is LightState.ALARM:
                alarms.append(FalseAlarm(number, night, light.kind, light.subject, light.evidence, light.threshold))
    return HonestTable(number, nights, table.coup, alarms, closest)


class FoundCheat(msgspec.Struct, frozen=True):
    table: int
    coups: int
    """From its beginning until it was found, or until nobody looked any longer."""
    by: Kind | None
    """The first light that was an alarm; None where there was none."""


def cheated_table(number: int, seed: int, cheat: Callable[[], Cheat], most_coups: int) -> FoundCheat:
    """A table that is cheated from its first coup on, until a light is an alarm."""
    planted = cheat()
    table, watch = _watched(np.random.default_rng((seed, number, 1)), planted)
    since = 0
    while table.coup < most_coups:
        if table.coup:
            watch.begin_day()
        for seen in table.night(COUPS_OF_A_CHEATED_NIGHT):
            watch.take(seen)
            since += isinstance(seen, CoupSeen)
            if since % LOOKED_EVERY == 0 or not isinstance(seen, CoupSeen):
                alarm = _first_alarm(watch)
                if alarm is not None:
                    return FoundCheat(number, table.coup - planted.began, alarm.kind)
    return FoundCheat(number, table.coup - planted.began, None)


def _watched(chance: np.random.Generator, cheat: Cheat) -> tuple[TrialTable, TableWatch]:
    return TrialTable("T1", _terms(), chance, cheat), TableWatch("T1")


def _first_alarm(watch: TableWatch) -> Light | None:
    return next((light for light in watch.raised() if light.state is LightState.ALARM), None)
