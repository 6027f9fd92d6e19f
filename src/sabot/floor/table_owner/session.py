"""A device's session with one owner: which of its commands came last, and what was answered.

Only the last one is ever answered again. An earlier one that arrives late is left alone: its device has had the answer,
or it would not have gone on. A refused command counts as much as an accepted one, so no late copy of it can be taken.
"""

import enum

from sabot.views.audience import Audience
from sabot.wire.frames import Answer


class Reception(enum.Enum):
    """How a command is received."""

    NEW = enum.auto()
    AGAIN = enum.auto()
    """It is the last one once more."""
    OLD = enum.auto()


class Session:
    def __init__(self, device: str, audience: Audience, station: str) -> None:
        self.device, self.audience, self.station = device, audience, station
        self.connected = True
        self.follows = True
        self.told = 0
        """The newest record that it was told of, or that its welcome covered."""
        self.last = 0
        self.answer: Answer | None = None
        """The answer to the last command, once it may be given."""

    def receive(self, n: int) -> Reception:
        if n > self.last:
            self.last, self.answer = n, None
            return Reception.NEW
        return Reception.AGAIN if n == self.last else Reception.OLD

    def answered(self, answer: Answer) -> None:
        if answer.n == self.last:
            self.answer = answer
