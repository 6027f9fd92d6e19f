"""Notices that a clock was put forward or back, by one that only counts on."""

JUMP_MS = 3_000
"""By more than this a clock does not go wrong by itself between two signs of life."""


class ClockWatch:
    def __init__(self, asked: int, shown_ms: int) -> None:
        """The watched clock showed `shown_ms` when the steady one showed `asked`, or a little later."""
        self._ahead_by = shown_ms - asked

    def jump(self, asked: int, now: int, shown_ms: int) -> int:
        """By how much the clock has jumped since the last jump, negative where it was put back; 0 within `JUMP_MS`.

        It was read at some moment from `asked` to `now`: a journal may take long to answer.
        """
        least, most = shown_ms - now - self._ahead_by, shown_ms - asked - self._ahead_by
        by_ms = least if least > JUMP_MS else most if most < -JUMP_MS else 0
        self._ahead_by += by_ms
        return by_ms
