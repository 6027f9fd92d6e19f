"""A table and a house brought back from their journal: the fold of what was recorded, or of what follows a snapshot.

A snapshot only saves reading. One that was written by another program, or that does not fit the chain, is passed over,
and what is read behind it is held to the chain before it counts.
"""

from typing import NamedTuple

import msgspec

from sabot.floor.recording import HOUSE, is_line, line_of, read_answer, read_events, read_house_events
from sabot.house.evolve import fold as fold_house
from sabot.house.state import HouseState
from sabot.journal.journal import ReadableJournal
from sabot.journal.record import Head, Record, head_after, link_of, start_of
from sabot.table.events import Event
from sabot.table.evolve import evolve
from sabot.table.snapshot import read_state
from sabot.table.state import TableState


class BrokenChain(Exception):
    """A record that does not follow from the one before it; carries a sentence."""


class RecalledTable(NamedTuple):
    state: TableState
    head: Head
    n: int
    """The number of the last line."""
    now_ms: int


class RecalledHouse(NamedTuple):
    state: HouseState
    head: Head
    n: int
    now_ms: int


class _Mark(msgspec.Struct, frozen=True):
    """What a snapshot keeps beside the state."""

    n: int
    now_ms: int
    state: bytes


def write_mark(state: bytes, n: int, now_ms: int) -> bytes:
    return msgspec.msgpack.encode(_Mark(n, now_ms, state))


async def recall_table(journal: ReadableJournal, stream: str, form: str) -> RecalledTable:
    """The table as its records leave it, read from its newest usable snapshot on."""
    state, head, n, now_ms = await from_snapshot(journal, stream, form)
    async for record in journal.read(stream, head.version):
        head = linked(head, record)
        state = after_record(state, record)
        if is_line(record.entry.key):
            n, now_ms = line_of(record.entry.key), record.entry.at_ms
    return RecalledTable(state, head, n, now_ms)


async def last_events(journal: ReadableJournal, head: Head, records: int) -> list[Event]:
    """What happened in the newest records of a table."""
    lately: list[Event] = []
    async for record in journal.read(head.stream, max(0, head.version - records), head.version):
        accepted = read_answer(record.entry).accepted
        if accepted is not msgspec.UNSET:
            lately += read_events(accepted)
    return lately


async def recall_house(journal: ReadableJournal) -> RecalledHouse:
    state, head, n, now_ms = HouseState(), start_of(HOUSE), 0, 0
    async for record in journal.read(HOUSE):
        head = linked(head, record)
        state = house_after_record(state, record)
        if is_line(record.entry.key):
            n, now_ms = line_of(record.entry.key), record.entry.at_ms
    return RecalledHouse(state, head, n, now_ms)


def after_record(state: TableState, record: Record) -> TableState:
    """The state after what a table's record says happened; a refusal changes nothing."""
    accepted = read_answer(record.entry).accepted
    if accepted is not msgspec.UNSET:
        for event in read_events(accepted):
            state = evolve(state, event)
    return state


def house_after_record(state: HouseState, record: Record) -> HouseState:
    return fold_house(read_house_events(read_answer(record.entry)), state)


def linked(head: Head, record: Record) -> Head:
    """The head after this record, if it follows from the one before."""
    follows = record.version == head.version + 1 and record.previous == head.hash
    if not follows or record.hash != link_of(record.stream, record.version, record.body, record.previous):
        raise BrokenChain(f"record {record.version} of {record.stream} does not follow from the record before it")
    return head_after(record)


async def from_snapshot(journal: ReadableJournal, stream: str, form: str) -> RecalledTable:
    """Where reading may begin: the newest snapshot that fits the chain and this program, or the stream's start."""
    start = RecalledTable(TableState(), start_of(stream), 0, 0)
    snapshot = await journal.newest_snapshot(stream, form)
    if snapshot is None:
        return start
    async for record in journal.read(stream, snapshot.version - 1, snapshot.version):
        if record.hash == snapshot.hash:
            try:
                mark = msgspec.msgpack.decode(snapshot.state, type=_Mark)
                return RecalledTable(read_state(mark.state), head_after(record), mark.n, mark.now_ms)
            except msgspec.DecodeError:
                return start
    return start
