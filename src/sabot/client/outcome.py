"""How a command may end other than well, and how a connection may."""

from sabot.table.refusal import Refused as Refusal


class Refused(Exception):
    """The rules say no; the answer is durable."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.text} ({refusal.clause})" if refusal.clause else refusal.text)
        self.code, self.clause, self.text = refusal.code, refusal.clause, refusal.text


class NeverRecorded(Exception):
    """The owner was replaced before it recorded the command. It never will be recorded, so it may be asked again."""


class NotTaken(Exception):
    """The floor did not take the frame; nothing was done."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code, self.text = code, text


class Unanswered(Exception):
    """The time that the caller gave has run out. The command may yet be taken; it is repeated until that is known."""


class TooManyWait(Exception):
    """So many commands of this device wait already that one more would only come too late."""


class TurnedAway(Exception):
    """The floor does not let the device in, and trying again is of no use."""


class Replaced(TurnedAway):
    """Another connection of the same device has taken this one's place."""


class FellBehind(Exception):
    """Whoever followed the news read too slowly, and has missed some."""
