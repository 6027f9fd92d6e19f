"""Gaming days: each begins at the casino's own hour, in the casino's own time zone (G-91)."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sabot.basics.mistake import Mistake

DAY = timedelta(days=1)


def gaming_day(day: str, time_zone: str, starts: str) -> tuple[int, int]:
    """The start and end of a gaming day in milliseconds."""
    try:
        zone = ZoneInfo(time_zone)
        return _limits(date.fromisoformat(day), zone, starts)
    except (ValueError, OverflowError):  # The last day that a date can be has no following one.
        raise Mistake(f"{day!r} is not a day: write it as 2026-01-31") from None
    except ZoneInfoNotFoundError:
        raise Mistake(f"the time zone {time_zone} is not known here") from None


def end_of_day(at_ms: int, time_zone: str, starts: str) -> int:
    """The end of the gaming day that a moment belongs to, in milliseconds; a zone not known here counts as UTC."""
    zone = _zone(time_zone)
    return _limits(_day(at_ms, zone, starts), zone, starts)[1]


def end_of_month(at_ms: int, time_zone: str, starts: str) -> int:
    """The end of the month of gaming days that a moment belongs to, in milliseconds."""
    zone = _zone(time_zone)
    day = _day(at_ms, zone, starts)
    last = (day.replace(day=1) + 31 * DAY).replace(day=1) - DAY
    return _limits(last, zone, starts)[1]


def shift_of(day: str, start: str, shifts: Sequence[str], time_zone: str, starts: str) -> tuple[int, int]:
    """The start and end of a shift of a gaming day, in milliseconds: it lasts until the next one begins.

    A shift that begins before the hour of the gaming day is one of the next calendar day. Shifts go by the clock on the
    wall, so one is longer or shorter in a night in which clocks change.
    """
    if start not in shifts:
        raise Mistake(f"no shift begins at {start!r}: shifts begin at {', '.join(shifts) or 'no time'}")
    gaming_day(day, time_zone, starts)  # Whether day and zone are known.
    order = in_order(shifts, starts)
    begins = [_moment(day, one, time_zone, starts) for one in order]
    place = order.index(start)
    following = begins[place + 1] if place + 1 < len(order) else None
    if following is None:  # The last shift of a gaming day ends with the first of the next.
        next_day = (date.fromisoformat(day) + DAY).isoformat()
        following = _moment(next_day, order[0], time_zone, starts)
    return begins[place], following


def shifts_between(
    from_ms: int, to_ms: int, shifts: Sequence[str], time_zone: str, starts: str
) -> Iterator[tuple[int, int]]:
    """The starts and ends of the shifts that begin in a period; of gaming days where the house has named no shifts."""
    day = date.fromisoformat(day_of(from_ms, time_zone, starts)) - DAY  # Its last shift may begin within the next.
    while gaming_day(day.isoformat(), time_zone, starts)[0] < to_ms:
        written = day.isoformat()
        named = [shift_of(written, one, shifts, time_zone, starts) for one in in_order(shifts, starts)]
        for begins, ends in named or [gaming_day(written, time_zone, starts)]:
            if from_ms <= begins < to_ms:
                yield begins, ends
        day += DAY


def in_order(shifts: Sequence[str], starts: str) -> list[str]:
    """Shifts in the order in which they begin in a gaming day."""
    return sorted(shifts, key=lambda one: (one < starts, one))


def _moment(day: str, at: str, time_zone: str, starts: str) -> int:
    """A time of the clock within a gaming day, or the first moment after it where clocks leave it out."""
    found = date.fromisoformat(day)
    return _limits(found + DAY if at < starts else found, ZoneInfo(time_zone), at)[0]


def day_of(at_ms: int, time_zone: str, starts: str) -> str:
    """The gaming day that a moment belongs to, as 2026-01-31; a zone not known here counts as UTC."""
    return _day(at_ms, _zone(time_zone), starts).isoformat()


def _zone(time_zone: str) -> tzinfo:
    try:
        return ZoneInfo(time_zone)
    except (ValueError, ZoneInfoNotFoundError):
        return UTC


def _day(at_ms: int, zone: tzinfo, starts: str) -> date:
    day = datetime.fromtimestamp(at_ms / 1000, zone).date()
    return day - DAY if at_ms < _limits(day, zone, starts)[0] else day


def _limits(day: date, zone: tzinfo, starts: str) -> tuple[int, int]:
    hour, minute = map(int, starts.split(":"))
    first = datetime.combine(day, datetime.min.time(), zone).replace(hour=hour, minute=minute)
    following = (first + DAY).replace(hour=hour, minute=minute)
    return round(first.timestamp() * 1000), round(following.timestamp() * 1000)
