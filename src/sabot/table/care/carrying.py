"""Own limits and breaks that outlast a stay, so that they do not end by leaving and coming back (G-231)."""

from msgspec.structs import replace

from sabot.table.care.checking import HOUR_MS
from sabot.table.care.figures import since_ms
from sabot.table.care.state import LeftCare, OwnLimit, OwnLimitKind
from sabot.table.events import Event, OwnLimitsCarried
from sabot.table.state import TableState

MOST_KEPT = 200
"""How many patrons with limits or breaks a table keeps, the newest ones; a state does not grow for ever."""


def left_behind(state: TableState, name: str) -> tuple[LeftCare, ...]:
    """What is remembered when an account closes; who had the station before is no more linked with it."""
    station = state.stations[name]
    care = station.care
    before = tuple(
        replace(one, station="") if one.station == name else one
        for one in state.left_care
        if (one.patron or one.station != name) and not (one.patron and one.patron == station.patron)
    )
    if not care.limits and not care.break_until_ms:
        return before
    left = LeftCare(
        station=name,
        patron=station.patron,
        day=state.day_ended,
        limits=care.limits,
        break_until_ms=care.break_until_ms,
        lost=max(0, care.lost_before + care.lost - care.won),
        since_ms=since_ms(state, name),
    )
    return (*before, left)[-MOST_KEPT:]


def carried_on(state: TableState, station: str, patron: str, control: int, at_ms: int) -> tuple[Event, ...]:
    """What goes on from the newest stay of the same patron, or, where nobody was named, of the day at this station."""
    left = _found(state, station, patron)
    if left is None:
        return ()
    limits = _still_holding(state, left, at_ms)
    break_until = left.break_until_ms if left.break_until_ms > at_ms else 0
    if not limits and not break_until:
        return ()
    same_day = left.day == state.day_ended
    return (
        OwnLimitsCarried(
            station=station,
            control=control,
            patron=patron,
            limits=limits,
            break_until_ms=break_until,
            lost_cents=left.lost if same_day else 0,
            since_ms=left.since_ms if same_day else at_ms,
            at_ms=at_ms,
            clause="G-231",
        ),
    )


def _found(state: TableState, station: str, patron: str) -> LeftCare | None:
    for one in reversed(state.left_care):
        if one.patron == patron if patron else (one.station == station and one.day == state.day_ended):
            return one
    return None


def _still_holding(state: TableState, left: LeftCare, at_ms: int) -> dict[OwnLimitKind, OwnLimit]:
    """A limit ends after the house's delay, as if the patron had asked for it now; a raise that waits stays."""
    ends_ms = at_ms + state.configuration.care.limit_delay_hours * HOUR_MS
    held: dict[OwnLimitKind, OwnLimit] = {}
    for kind, limit in left.limits.items():
        if limit.from_ms > at_ms:
            held[kind] = limit
        elif (most := limit.at(at_ms)) and ends_ms > at_ms:
            held[kind] = OwnLimit(most, 0, ends_ms)
    return held
