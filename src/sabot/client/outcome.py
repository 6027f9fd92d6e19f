"""The exceptions of the client library: how a command or a connection may fail."""

from sabot.table.refusal import Refused


class CommandRefused(Exception):
    """The rules refuse the command; the refusal is on record."""

    def __init__(self, refusal: Refused) -> None:
        super().__init__(f"{refusal.text} ({refusal.clause})" if refusal.clause else refusal.text)
        self.code, self.clause, self.text = refusal.code, refusal.clause, refusal.text


class NeverRecorded(Exception):
    """The owner was replaced before it recorded the command, which never will be recorded and may be given again."""


class FrameNotTaken(Exception):
    """The floor did not take the frame; nothing was done."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code, self.text = code, text


class Unanswered(Exception):
    """The caller's time has run out. The command may yet be recorded; it is repeated until its outcome is known."""


class TooManyWait(Exception):
    """Too many commands of this device are waiting to be sent."""


class DeviceTurnedAway(Exception):
    """The floor does not know the device or refuses its proof, or the connection was closed here.

    A connection that was open tries again every half minute, and is back once the device is enrolled again.
    """


class Replaced(DeviceTurnedAway):
    """Another connection of the same device has replaced this one, which does not come back."""


class FellBehind(Exception):
    """A follower read too slowly, and has missed news."""
