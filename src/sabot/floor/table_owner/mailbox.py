"""A table's mailbox: acts wait here in the order in which they came in."""

from collections import deque

import msgspec

from sabot.basics.stamp import Stamp
from sabot.table import acts
from sabot.wire.frames import Name

MOST_AT_ONCE = 256
MOST_WAITING = 2_048
"""An act that finds so many waiting is refused."""

TIED_TO_A_COUP = frozenset(
    {
        acts.SetWager,
        acts.Move,
        acts.Undo,
        acts.Clear,
        acts.Repeat,
        acts.Double,
        acts.Close,
        acts.Card,
        acts.Amend,
        acts.Confirm,
        acts.Void,
    }
)
"""What would mean something else in another coup, and so must say which one it means."""


class Letter(msgspec.Struct, frozen=True, gc=False):
    key: str
    act: acts.Act
    stamp: Stamp
    """With the time at which it came in."""
    device: str = ""
    """Who waits for the answer; empty for the clock and the house."""
    name: Name = Name(0, 0)
    coup: int | None = None

    def is_late(self, coup: int) -> bool:
        """Whether it was meant for another coup than the newest one."""
        if self.device and self.coup is None:
            return type(self.act) in TIED_TO_A_COUP
        return self.coup is not None and self.coup != coup


class Mailbox:
    def __init__(self) -> None:
        self._waiting: deque[Letter] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def is_full(self) -> bool:
        return len(self._waiting) >= MOST_WAITING

    def put(self, letter: Letter) -> None:
        self._waiting.append(letter)

    def take(self) -> list[Letter]:
        """The letters that are decided together."""
        return [self._waiting.popleft() for _ in range(min(MOST_AT_ONCE, len(self._waiting)))]
