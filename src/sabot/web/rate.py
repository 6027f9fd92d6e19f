"""How fast a device may speak: so many frames a second, and a few more at once."""


class Rate:
    """A bucket that fills with time. A clock that is asked twice at the same moment gives nothing twice."""

    def __init__(self, a_second: float, at_once: float, now_s: float) -> None:
        self._a_second, self._at_once = a_second, at_once
        self._left, self._at = at_once, now_s

    def take(self, now_s: float) -> bool:
        """Whether one more is allowed now; if so, it is taken."""
        self._left = min(self._at_once, self._left + (now_s - self._at) * self._a_second)
        self._at = now_s
        if self._left < 1:
            return False
        self._left -= 1
        return True
