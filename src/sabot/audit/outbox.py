"""The outbox: significant events for a central monitoring system, in the order of the records, from any cursor on.

The sequence is the version of the record in its stream, which has no gaps. So no state is kept about the monitor: it
names the version that it has reached in each stream and gets what follows, from any process and after any restart. One
sequence over all streams would need a counter of its own, and would skip records that become durable after a higher
number was sent.
"""

import re
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Union

import msgspec

from sabot.audit.event_codes import Severity, code_of, gravest
from sabot.audit.significant_events import HEADING_OF, MonitorHeading
from sabot.basics.mistake import Mistake
from sabot.floor.records.record_codec import HOUSE, events_recorded, read_answer, table_of, tournament_of
from sabot.journal.journal import ReadableJournal
from sabot.journal.key_ring import KEYS
from sabot.journal.ownership import taking_of
from sabot.journal.record import Record
from sabot.ledger.account import COMMISSION, WIN
from sabot.ledger.meters import Meters
from sabot.table.state import BareTable
from sabot.views.meter_names import by_standard

MOST_STREAMS = 10_000
MOST_READ = 20_000
"""Records that are read for one answer at most; the next answer goes on behind them."""
_KINDS = "|".join(kind.__name__ for kind in HEADING_OF).encode()
_SIGN = re.compile(rb'"owner_taken":|"sabot_key":|"event":"(?:' + _KINDS + rb')"')
"""Matches the JSON of every record that is significant."""


class OutboxOwnerTaken(msgspec.Struct, frozen=True, tag_field="event", tag="OwnerTaken"):
    """A process has become the owner of the stream."""

    owner: str
    epoch: int


class OutboxKeyEntered(msgspec.Struct, frozen=True, tag_field="event", tag="KeyEntered"):
    """A key may sign the journal from now on."""

    key: str
    """Its id."""


if TYPE_CHECKING:
    OutboxEvent = object
else:
    OutboxEvent = Union[(*HEADING_OF, OutboxOwnerTaken, OutboxKeyEntered)]
    """Every event that is told, so that the description of the outbox names each."""


class OutboxLine(msgspec.Struct, frozen=True):
    """One record with its significant events."""

    stream: str
    after: int
    """The sequence of the line before it in this stream, by which a reader notices a line that it missed."""
    sequence: int
    """The version of the record in its stream, from 1."""
    at_ms: int
    by: str
    second: str
    headings: tuple[MonitorHeading, ...]
    events: tuple[OutboxEvent, ...]
    hash: str
    """The hash of the record, which covers all records before it."""
    codes: tuple[int, ...] = ()
    """The code of each event (`event_codes.tsv`)."""
    severity: Severity = Severity.NOTICE
    """The gravest of its events."""


class OutboxEnd(msgspec.Struct, frozen=True):
    """The last line of an answer: the cursor for the next one."""

    cursor: str
    more: bool
    """Whether more records are there already."""
    signed: bool = True
    """Whether the floor signs what it records; if not, nobody vouches for these lines."""


class StationMoney(msgspec.Struct, frozen=True):
    balance_cents: int
    wagered_cents: int
    held_cents: int


class MetersTold(msgspec.Struct, frozen=True):
    """A table's meters, which only grow, and its money after one record."""

    stream: str
    sequence: int
    coups: int
    meters: Mapping[str, Meters]
    """By station, since its enrolment."""
    stations: Mapping[str, StationMoney]
    win_cents: int
    commission_cents: int
    agree: bool
    """Whether the self-audit equation holds for every station."""
    standard: Mapping[str, Mapping[str, int]] = {}
    """The same meters by the names of standards (`meter_names.tsv`), by station."""


def read_cursor(written: str) -> dict[str, int]:
    """The version reached in each stream, from `house:120,table/T1:4431`; an empty cursor is the start."""
    stands: dict[str, int] = {}
    for part in written.split(",") if written else []:
        stream, _, version = part.rpartition(":")
        if not stream or not version.isascii() or not version.isdigit() or len(version) > 18 or stream in stands:
            raise Mistake(f"{part[:80]!r} is no place in the outbox; write house:120,table/T1:4431")
        stands[stream] = int(version)
    if len(stands) > MOST_STREAMS:
        raise Mistake(f"a cursor names {MOST_STREAMS} streams at most")
    return stands


def write_cursor(stands: Mapping[str, int]) -> str:
    return ",".join(f"{stream}:{version}" for stream, version in sorted(stands.items()))


async def told_streams(journal: ReadableJournal) -> list[str]:
    """The streams whose significant events are told."""
    return [one for one in await journal.streams() if one in (HOUSE, KEYS) or table_of(one) or tournament_of(one)]


async def outbox(journal: ReadableJournal, cursor: str, limit: int) -> AsyncIterator[OutboxLine | OutboxEnd]:
    """At most `limit` lines behind the cursor, shared out among the streams, then the cursor to go on from."""
    stands = read_cursor(cursor)
    streams = await told_streams(journal)
    left, looked_at, more = limit, 0, False
    for waiting, stream in zip(range(len(streams), 0, -1), streams, strict=True):
        share = left if waiting == 1 else -(-left // waiting)
        at = known = stands.get(stream, 0)
        head = (await journal.head(stream)).version
        if at > head:
            raise Mistake(f"the outbox of {stream} ends at {head}, and {at} was asked for: records are lost")
        async for record in journal.read(stream, at, head):
            line = told_of(record, known)
            if (line is not None and not share) or looked_at >= MOST_READ:
                break
            if line is not None:
                yield line
                known, share, left = record.version, share - 1, left - 1
            at, looked_at = record.version, looked_at + 1
        stands[stream], more = at, more or at < head
    yield OutboxEnd(write_cursor(stands), more)


_HEADING_OF_OWN: dict[type, MonitorHeading] = {
    OutboxOwnerTaken: MonitorHeading.FAULT,
    OutboxKeyEntered: MonitorHeading.CONFIGURATION,
}


def told_of(record: Record, after: int) -> OutboxLine | None:
    """The line for a record, if it holds a significant event."""
    entry = record.entry
    if not _SIGN.search(bytes(entry.answer)):
        return None  # Most records are wagers; decoding them would cost more than the search.
    events = tuple(event for event in _events(record) if type(event) in HEADING_OF or type(event) in _HEADING_OF_OWN)
    if not events:
        return None
    headings = tuple(dict.fromkeys((HEADING_OF | _HEADING_OF_OWN)[type(event)] for event in events))
    codes = tuple(map(code_of, events))
    return OutboxLine(
        *(record.stream, after, record.version, entry.at_ms, entry.actor, entry.second_actor),
        *(headings, events, record.hash.hex(), tuple(one.code for one in codes), gravest(codes)),
    )


def _events(record: Record) -> tuple[object, ...]:
    taking = taking_of(record)
    if taking is not None:
        return (OutboxOwnerTaken(taking.owner, taking.epoch),)
    if record.stream == KEYS:
        return (OutboxKeyEntered(record.entry.key.removeprefix("key/")),)
    return events_recorded(record.stream, read_answer(record))


def meters_of(stream: str, sequence: int, state: BareTable) -> MetersTold:
    """The meters of a table after a record: of its money, also while a tournament's session is on."""
    money, counted = state.money_ledger, state.money_meters
    return MetersTold(
        *(stream, sequence, state.coups, counted),
        {station: StationMoney(purse.balance, purse.wagered, purse.held) for station, purse in money.purses.items()},
        *(money.balance(WIN) + money.balance(COMMISSION), money.balance(COMMISSION)),
        all(meters.agree_with(money.purse(station)) for station, meters in counted.items()),
        {station: by_standard(meters) for station, meters in counted.items()},
    )
