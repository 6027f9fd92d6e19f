"""Putting away tickets and slips that ended some days ago, and recalling them. Neither moves anything."""

from sabot.basics.act import Act
from sabot.basics.stamp import Stamp
from sabot.house import acts
from sabot.house import events as e
from sabot.house.filed_book import DAY_MS, KEPT_DAYS
from sabot.house.state import HouseState

_GROWING = (acts.RequestTicket, acts.RegisterSlip)
"""What adds to the papers of the house; nothing is put away with any other act."""


def put_away_with(state: HouseState, act: Act, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """What is due to be put away when another paper comes in: whole days, so it happens once a day at most."""
    if not isinstance(act, _GROWING):
        return ()
    until = stamp.at_ms // DAY_MS - KEPT_DAYS
    due = [day for day in (*state.tickets.ended, *state.slips.ended) if day <= until]
    return (e.PapersPutAway(until_day=max(due)),) if due else ()


def recall_papers(_state: HouseState, act: acts.RecallPapers, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    return (e.PapersRecalled(tickets=act.tickets, slips=act.slips, at_ms=stamp.at_ms),)
