"""Gaming days: each begins at the casino's own hour, in the casino's own time zone (G-91)."""

from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sabot.basics.mistake import Mistake

DAY = timedelta(days=1)


def gaming_day(day: str, time_zone: str, starts: str) -> tuple[int, int]:
    """The start and end of a gaming day in milliseconds."""
    try:
        zone = ZoneInfo(time_zone)
        return _limits(date.fromisoformat(day), zone, starts)
    except ValueError:
        raise Mistake(f"{day!r} is not a day: write it as 2026-01-31") from None
    except ZoneInfoNotFoundError:
        raise Mistake(f"the time zone {time_zone} is not known here") from None


def end_of_day(at_ms: int, time_zone: str, starts: str) -> int:
    """The end of the gaming day that a moment belongs to, in milliseconds; a zone not known here counts as UTC."""
    zone = _zone(time_zone)
    return _limits(_day(at_ms, zone, starts), zone, starts)[1]


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
