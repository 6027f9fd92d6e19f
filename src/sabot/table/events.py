# ruff: noqa: F403, F405, PLC0414  This module is the one namespace of all events.
"""Events: what happened at a table. One frozen class each, in the past tense; the fold of them is the state.

An event holds everything that applying it needs, so that replay asks nothing and checks nothing again. Money events
name the clause by which the money moved. Until release 1.0 the JSON form may change.
"""

import msgspec

from sabot.rules.odds import Odds
from sabot.table.accounts.events import *
from sabot.table.cases.events import *
from sabot.table.corrections.events import *
from sabot.table.coup.events import *
from sabot.table.event import Event as Event
from sabot.table.faults.events import *
from sabot.table.irregularities.events import *
from sabot.table.opening.events import *
from sabot.table.shoe.events import *
from sabot.table.wagers.events import *

AnyEvent = (
    OpeningEvent
    | ShoeEvent
    | AccountEvent
    | WagerEvent
    | CoupEvent
    | IrregularityEvent
    | CorrectionEvent
    | CaseEvent
    | FaultEvent
)
"""Every event, as one type to decode into."""


def _written(value: object) -> object:
    if isinstance(value, Odds):
        return str(value)
    raise NotImplementedError(f"an event holds no {type(value).__name__}")


def _read(wanted: type, value: object) -> object:
    if wanted is Odds and isinstance(value, str):
        return Odds.read(value)
    raise NotImplementedError(f"an event holds no {wanted.__name__}")


_encode = msgspec.json.Encoder(enc_hook=_written).encode
_decode = msgspec.json.Decoder(AnyEvent, dec_hook=_read).decode


def write_event(event: Event) -> bytes:
    """An event's JSON form."""
    return _encode(event)


def read_event(text: bytes) -> Event:
    event: Event = _decode(text)
    return event


def schema() -> dict[str, object]:
    """The JSON Schema of events; generated, never written by hand."""
    return msgspec.json.schema(AnyEvent, schema_hook=lambda _: {"type": "string", "description": "exact odds, 19/20"})
