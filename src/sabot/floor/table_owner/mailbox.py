"""A table's mailbox: whatever asks something of the table waits here, in the order in which it came in."""

from collections import deque

import msgspec

from sabot.floor.table_owner.messages import Name
from sabot.table import acts as c

MOST_AT_ONCE = 256
MOST_WAITING = 2_048
"""Whoever asks when so many wait is refused; nothing is kept waiting without a bound."""

TIED_TO_A_COUP = frozenset(
    {
        c.SetWager,
        c.MoveWager,
        c.Undo,
        c.Clear,
        c.Repeat,
        c.Double,
        c.CloseWagering,
        c.DealCard,
        c.AmendCard,
        c.ConfirmResult,
        c.VoidCoup,
    }
)
"""What would mean something else in another coup, and so must say which one it means."""


class Letter(msgspec.Struct, frozen=True, gc=False):
    key: str
    command: c.Command
    """With the time at which it came in."""
    device: str = ""
    """Who waits for the answer; empty for the clock and the house."""
    name: Name = Name(0, 0)
    coup: int | None = None

    def is_late(self, coup: int) -> bool:
        """Whether it was meant for another coup than the newest one."""
        if self.device and self.coup is None:
            return type(self.command) in TIED_TO_A_COUP
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
