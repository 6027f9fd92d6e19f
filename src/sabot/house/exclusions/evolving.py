"""What exclusions and readmissions change."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.house import events as e
from sabot.house.changing import put, without
from sabot.house.state import Exclusion, HouseState


def _excluded(state: HouseState, event: e.ExclusionMade) -> HouseState:
    exclusion = Exclusion(event.reason, event.by, event.until_ms)
    return replace(
        state,
        exclusions=put(state.exclusions, event.patron, exclusion),
        exclusion_sources=put(state.exclusion_sources, event.source, event.patron)
        if event.source
        else state.exclusion_sources,
    )


def _readmitted(state: HouseState, event: e.PatronReadmitted) -> HouseState:
    return replace(state, exclusions=without(state.exclusions, event.patron))


APPLY: dict[type[e.HouseEvent], Callable[[HouseState, Any], HouseState]] = {
    e.ExclusionMade: _excluded,
    e.PatronReadmitted: _readmitted,
}
