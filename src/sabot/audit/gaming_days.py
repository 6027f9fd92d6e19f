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
    try:
        zone: tzinfo = ZoneInfo(time_zone)
    except (ValueError, ZoneInfoNotFoundError):
        zone = UTC
    moment = datetime.fromtimestamp(at_ms / 1000, zone)
    first, last = _limits(moment.date(), zone, starts)
    if at_ms < first:
        first, last = _limits(moment.date() - DAY, zone, starts)
    return last


def _limits(day: date, zone: tzinfo, starts: str) -> tuple[int, int]:
    hour, minute = map(int, starts.split(":"))
    first = datetime.combine(day, datetime.min.time(), zone).replace(hour=hour, minute=minute)
    following = (first + DAY).replace(hour=hour, minute=minute)
    return round(first.timestamp() * 1000), round(following.timestamp() * 1000)
