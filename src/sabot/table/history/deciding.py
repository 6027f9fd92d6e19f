"""Bringing back what fell out of the state. It moves nothing; what was found is proved by the records."""

from sabot.basics.stamp import Stamp
from sabot.table.event import Event
from sabot.table.history.acts import BringBack
from sabot.table.history.events import BroughtBack
from sabot.table.state import TableState


def bring_back(_state: TableState, act: BringBack, _stamp: Stamp) -> tuple[Event, ...]:
    return (BroughtBack(wanted=act.wanted, found=act.found),)
