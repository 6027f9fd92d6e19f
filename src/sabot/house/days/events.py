"""Gaming days, and the papers that are put away when they are some days old."""

from sabot.house.event import HouseEvent
from sabot.house.state import HouseSlip, RegisteredTicket


class GamingDayOpened(HouseEvent, frozen=True, kw_only=True):
    day: int
    date: str
    by: str
    at_ms: int
    clause: str


class GamingDayClosed(HouseEvent, frozen=True, kw_only=True):
    """The day's tickets and slips in cents, and what is outstanding at its end."""

    day: int
    date: str
    issued_cents: int
    paid_cents: int
    by_hand_cents: int
    taken_in_cents: int = 0
    void_cents: int
    expired_cents: int
    reinstated_cents: int
    outstanding_cents: int
    slips_taken_cents: int = 0
    slips_paid_cents: int = 0
    slips_owed_cents: int = 0
    """What the cage has yet to pay for tournaments."""
    by: str
    at_ms: int
    clause: str


class PapersPutAway(HouseEvent, frozen=True, kw_only=True):
    """Tickets and slips that ended up to this day, counted from 1970, are not in the state any more.

    Exclusions that ended by then are forgotten, which changes no answer.
    """

    until_day: int


class PapersRecalled(HouseEvent, frozen=True, kw_only=True):
    """Something that was put away is in the state again, as it was."""

    tickets: dict[str, RegisteredTicket] = {}
    slips: dict[str, HouseSlip] = {}
    at_ms: int


DayEvent = GamingDayOpened | GamingDayClosed | PapersPutAway | PapersRecalled
