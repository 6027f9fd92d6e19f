"""Views that could not be made: each cause is logged with its traceback and raised as an alarm once, not at every look.

A view that fails is a fault of the program, or of a record that an older program let through. The table plays on, since
its decisions need no view.
"""

import traceback
from collections.abc import Callable
from typing import NamedTuple

import structlog

log = structlog.get_logger(__name__)

AGAIN_MS = 60_000
"""A cause that went and came back is an alarm again after so long."""
MOST_CAUSES = 100
EVERYBODY = "everybody"


class _CauseOfFailure(NamedTuple):
    kind: str
    text: str
    place: str


class ViewFailures:
    def __init__(self, table: str, raise_alarm: Callable[[str, str], None], now: Callable[[], int]) -> None:
        self._table, self._raise_alarm, self._now = table, raise_alarm, now
        self._standing: dict[str, _CauseOfFailure] = {}
        """Who has no view now, and why."""
        self._raised: dict[_CauseOfFailure, int] = {}
        """When each cause was last an alarm."""

    def note(self, whose: str, error: Exception) -> None:
        cause = _cause(error)
        if self._standing.get(whose) == cause:
            return
        self._standing[whose] = cause
        now, last = self._now(), self._raised.get(cause)
        if last is not None and now - last < AGAIN_MS:
            return
        if len(self._raised) >= MOST_CAUSES:
            self._raised.clear()
        self._raised[cause] = now
        log.error("a view cannot be made", table=self._table, whose=whose, exc_info=error)
        text = f"no current picture can be shown to {whose}: {cause.kind} at {cause.place}; the last sound one stands"
        self._raise_alarm(self._table, text)

    def over(self, whose: str) -> None:
        if self._standing.pop(whose, None) is not None:
            log.info("a view can be made again", table=self._table, whose=whose)


def _cause(error: Exception) -> _CauseOfFailure:
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1] if frames else None
    place = "" if last is None else f"{last.name}:{last.lineno}"
    return _CauseOfFailure(type(error).__name__, str(error)[:200], place)
