# ruff: noqa: F403, F405, PLC0414  This module is the one namespace of all events.
"""Events: what happened at a table. One frozen class each, in the past tense; the fold of them is the state.

An event holds everything that applying it needs, so that replay asks nothing and checks nothing again. Money events
name the clause by which the money moved. Until release 1.0 the JSON form may change.
"""

import msgspec

from sabot.table.accounts.events import *
from sabot.table.books.events import *
from sabot.table.care.events import *
from sabot.table.cases.events import *
from sabot.table.chips.events import *
from sabot.table.corrections.events import *
from sabot.table.coup.events import *
from sabot.table.event import Event as Event
from sabot.table.faults.events import *
from sabot.table.history.events import *
from sabot.table.irregularities.events import *
from sabot.table.opening.events import *
from sabot.table.seats.events import *
from sabot.table.sessions.events import *
from sabot.table.shoe.events import *
from sabot.table.signs.events import *
from sabot.table.wagers.events import *

AnyEvent = (
    OpeningEvent
    | SignEvent
    | ShoeEvent
    | AccountEvent
    | SeatEvent
    | CareEvent
    | ChipEvent
    | WagerEvent
    | CoupEvent
    | IrregularityEvent
    | CorrectionEvent
    | CaseEvent
    | FaultEvent
    | BooksEvent
    | SessionEvent
    | BroughtBack
)
"""Every event, as one type to decode into."""


def schema() -> dict[str, object]:
    """The JSON Schema of events; generated, never written by hand."""
    return msgspec.json.schema(AnyEvent, schema_hook=lambda _: {"type": "string", "description": "exact odds, 19/20"})
