"""Gaming days, and the papers that are put away when they are some days old."""

from sabot.basics.act import Act
from sabot.basics.bounds import NameSaid
from sabot.house.state import HouseSlip, RegisteredTicket


class Expire(Act, frozen=True, kw_only=True):
    """Let every ticket expire whose time has come, and every slip that nobody came to be paid for."""


class RecallPapers(Act, frozen=True, kw_only=True):
    """Bring back into the state what was put away, because the next act names it."""

    tickets: dict[str, RegisteredTicket] = {}
    slips: dict[str, HouseSlip] = {}


class OpenDay(Act, frozen=True, kw_only=True):
    date: NameSaid


class CloseDay(Act, frozen=True, kw_only=True):
    pass


DayAct = OpenDay | CloseDay | Expire
CarriedDayAct = RecallPapers
