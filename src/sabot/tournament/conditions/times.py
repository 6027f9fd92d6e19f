"""The local times of conditions as moments, worked out once, when the conditions are saved.

A local time that comes twice, because clocks go back, means the first of both. One that never comes, because clocks go
forward, is refused. Neither changes the order of the times.
"""

from datetime import UTC, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from sabot.tournament.conditions.parts import Conditions
from sabot.tournament.conditions.problem import ConditionsProblem, ConditionsRefused, problem


class ConditionsTimes(NamedTuple):
    opens_ms: int
    closes_ms: int
    withdraw_free_until_ms: int
    starts_ms: dict[str, tuple[int, ...]]
    """By round, one for each session."""


def resolve_times(conditions: Conditions, time_zone: str) -> ConditionsTimes:
    """The times in milliseconds since 1970, or a refusal that names the key."""
    try:
        zone = ZoneInfo(time_zone)
    except (LookupError, ValueError, OSError):  # An unknown name, one that is no name, and one that is a folder.
        unknown = ConditionsProblem("the house's time zone", "CROWN 12.2.1(g)", f"there is no time zone {time_zone!r}")
        raise ConditionsRefused("the conditions", [unknown]) from None
    entry = conditions.entry
    return ConditionsTimes(
        _moment("entry.opens", entry.opens, zone),
        _moment("entry.closes", entry.closes, zone),
        _moment("entry.withdraw_free_until", entry.withdraw_free_until, zone),
        {
            one.name: tuple(
                _moment(f"rounds[{number}].starts[{session}]", start, zone) for session, start in enumerate(one.starts)
            )
            for number, one in enumerate(conditions.rounds)
        },
    )


def _moment(key: str, local: str, zone: ZoneInfo) -> int:
    moment = datetime.fromisoformat(local).replace(tzinfo=zone)
    if moment.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != moment.replace(tzinfo=None):
        skipped = problem(key, f"{local} never comes in {zone.key}, where clocks go forward over it")
        raise ConditionsRefused("the conditions", [skipped])
    return round(moment.timestamp() * 1000)
