"""What happened to a station's wagers."""

from sabot.rules.rule_set import Bet
from sabot.table.event import Event


class WagersChanged(Event, frozen=True, kw_only=True):
    """A station's layout changed; the bets that changed, with what lies on each before and after."""

    station: str
    before: dict[Bet, int]
    after: dict[Bet, int]
    clause: str
    undoes: bool = False
    """Whether it takes back the change before it."""
    returned: dict[Bet, str] = {}
    """Wagers that went back because what qualified them did, with the clause (CROWN 4.11.1)."""
    left_out: dict[Bet, str] = {}
    """What a repeat or a double could not do, and why."""
    at_ms: int = 0
    """When the station was heard; 0 where its wagers were lifted for it."""


WagerEvent = WagersChanged
