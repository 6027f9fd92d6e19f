"""Time in a simulated world: what is due next happens next, and nothing takes any time."""

import heapq
from collections.abc import Callable
from itertools import count

ScheduledAct = Callable[[], None]


class Scheduler:
    def __init__(self) -> None:
        self.now = 0
        """Milliseconds since the world began."""
        self.steps = 0
        self._due: list[tuple[int, int, ScheduledAct]] = []
        self._order = count()

    def after(self, ms: int, act: ScheduledAct) -> None:
        heapq.heappush(self._due, (self.now + ms, next(self._order), act))

    def run(self, until: int, is_over: Callable[[], bool]) -> bool:
        """Let things happen until that time, or until it is over; whether it is."""
        due = self._due
        while due and due[0][0] <= until:
            self.now, _, act = heapq.heappop(due)
            self.steps += 1
            act()
            if is_over():
                return True
        self.now = max(self.now, until)
        return is_over()
