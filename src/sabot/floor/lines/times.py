"""Local times of a line, as `2026-06-06T13:00` in the zone of the house."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from sabot.basics.mistake import Mistake

LOCAL_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,3})?)?")


def local_ms(written: str, zone: str) -> int:
    """The moment in milliseconds since 1970."""
    if not LOCAL_TIME.fullmatch(written):
        raise Mistake(f"{written!r} is no local time: write it as 2026-06-06T13:00")
    try:
        return round(datetime.fromisoformat(written).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)
    except (ValueError, LookupError, OSError):
        raise Mistake(f"{written!r} is no local time of the zone {zone!r}") from None
