"""The watch of a table: all its detectors, kept as bytes and read again."""

from collections.abc import Sequence
from math import log

import msgspec

from sabot.integrity.detector import Detector
from sabot.integrity.favours import Favours
from sabot.integrity.knowing import Knowing
from sabot.integrity.late_wagers import LateAndWinning
from sabot.integrity.light import WORST_FIRST, Light, LightState
from sabot.integrity.opposed import Opposed
from sabot.integrity.random_source import RandomSource
from sabot.integrity.returns import Returns
from sabot.integrity.seen import ClaimSeen, CorrectionSeen, CoupSeen, ShoeSeen, VoidSeen, WhatWasSeen
from sabot.integrity.shoe_order import CensusOfShoes, Clumps, Repeats
from sabot.integrity.slugs import Slugs
from sabot.integrity.uneven import ClaimsBySeat, CorrectionsByDealer, VoidsByDealer

DETECTORS: tuple[type[Detector], ...] = (
    *(Returns, Slugs, Clumps, Repeats, CensusOfShoes, RandomSource),
    *(LateAndWinning, Favours, CorrectionsByDealer, VoidsByDealer, ClaimsBySeat, Opposed, Knowing),
)
"""All detectors of a table. A detector joins the watch by its place here."""


class TableWatch:
    def __init__(self, table: str, kept: dict[str, msgspec.Raw] | None = None) -> None:
        """`kept` is what `states` gave; a detector that is not in it begins anew."""
        self.table = table
        found = kept or {}
        self.detectors: Sequence[Detector] = [
            one(msgspec.msgpack.decode(found[one.name], type=one.form) if one.name in found else None)
            for one in DETECTORS
        ]

    def states(self) -> dict[str, msgspec.Raw]:
        """All that the detectors remember. The same history gives the same bytes, if no state holds a set."""
        for one in self.detectors:
            one.before_keeping()
        return {one.name: msgspec.Raw(_encode(one.state)) for one in self.detectors}

    def take(self, seen: WhatWasSeen) -> None:
        for one in self.detectors:
            match seen:
                case CoupSeen():
                    one.take_coup(seen)
                case ShoeSeen():
                    one.take_shoe(seen)
                case VoidSeen():
                    one.take_void(seen)
                case CorrectionSeen():
                    one.take_correction(seen)
                case ClaimSeen():
                    one.take_claim(seen)

    def begin_day(self) -> None:
        for one in self.detectors:
            one.begin_day()

    def lights(self) -> list[Light]:
        """All lights, the worst first."""
        return sorted((light for one in self.detectors for light in one.lights(self.table)), key=_how_bad)

    def raised(self) -> list[Light]:
        """The lights that are not quiet, the worst first."""
        return sorted((light for one in self.detectors for light in one.raised(self.table)), key=_how_bad)


def _how_bad(light: Light) -> tuple[int, float]:
    return WORST_FIRST.index(light.state), -log(max(light.evidence, _LEAST) / light.threshold)


def worst(lights: Sequence[Light]) -> LightState:
    states = {one.state for one in lights}
    return next((state for state in WORST_FIRST if state in states), LightState.QUIET)


_LEAST = 1e-300
_encode = msgspec.msgpack.Encoder().encode
