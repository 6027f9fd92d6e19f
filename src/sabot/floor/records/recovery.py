"""Tables, house and tournaments brought back from a journal: the fold of their records, or of those behind a snapshot.

A snapshot only saves reading. One of another form, or that does not fit the chain, is passed over, and what is read
behind it is held to the chain before it counts.
"""

from collections.abc import Callable, Generator, Mapping
from typing import Generic, NamedTuple, TypeVar

import msgspec

from sabot.basics.mistake import UNREADABLE
from sabot.floor.records.house_shelf import PAPERS_TO, evolve_and_put_away
from sabot.floor.records.openings import StateMark, read_mark, snapshot_of, write_mark
from sabot.floor.records.record_codec import (
    HOUSE,
    is_line,
    line_of,
    read_answer,
    read_events,
    read_house_events,
    read_tournament_events,
    tournament_stream,
)
from sabot.floor.records.shelf import SHELVED_TO
from sabot.floor.records.state_form import SNAPSHOT_FORM
from sabot.house import snapshot as house_snapshot
from sabot.house.evolve import fold as fold_house
from sabot.house.state import HouseState, PapersAway
from sabot.journal.journal import Derived, ReadableJournal, Snapshot, record_at
from sabot.journal.ownership import taking_of
from sabot.journal.record import Head, Record, head_after, link_of, start_of
from sabot.table import snapshot as table_snapshot
from sabot.table.events import Event
from sabot.table.evolve import evolve
from sabot.table.state import UNCONFIGURED, AnyTable, TableState
from sabot.tournament import snapshot as tournament_snapshot
from sabot.tournament.evolve import fold as fold_tournament
from sabot.tournament.state import TournamentState

S = TypeVar("S")

TABLE_SNAPSHOT_EVERY = 100
"""Settled coups from one snapshot of a table to the next. A snapshot takes a third of the time of a coup, however many
there were (`bench/history.py`)."""
HOUSE_SNAPSHOT_EVERY = 1_000
"""Records from one snapshot of the house to the next: they are read in less than a tenth of a second."""

TOURNAMENT_SNAPSHOT_EVERY = 1_000
"""Records from one snapshot of a tournament to the next."""


class BrokenChain(Exception):
    """A record that does not follow from the one before it; carries a sentence."""


class Recovered(NamedTuple, Generic[S]):
    """What a stream's records come to."""

    state: S
    head: Head
    n: int
    """The number of the last line."""
    now_ms: int
    away: Mapping[str, Derived] = {}
    """Of the house: what was put away behind the snapshot, which may not be on the shelf yet."""


class _Kind(NamedTuple, Generic[S]):
    """How the state of one kind of stream begins, goes on by a record, and is read from a snapshot."""

    beginning: S
    after: Callable[[S, Record], S]
    read: Callable[[bytes], S]


def table_mark(state: TableState, n: int, now_ms: int) -> bytes:
    """What a snapshot of a table holds."""
    return write_mark(StateMark(n, now_ms, table_snapshot.write_state(state)))


def house_mark(state: HouseState, now_ms: int) -> Generator[None, None, bytes]:
    """Written in slices: it yields whenever something else may be done for a moment."""
    written = yield from house_snapshot.write_in_slices(state)
    yield
    return write_mark(StateMark(0, now_ms, written))


def tournament_mark(state: TournamentState, now_ms: int) -> Generator[None, None, bytes]:
    yield
    return write_mark(StateMark(0, now_ms, tournament_snapshot.write_state(state)))


def snapshot_at(head: Head, mark: bytes) -> Snapshot:
    """A mark as the journal keeps it: of the state at this head, for programs of the same form."""
    return Snapshot(head.stream, head.version, head.hash, SNAPSHOT_FORM, mark)


def kept_table(snapshot: Snapshot) -> AnyTable | None:
    """The table that a snapshot holds, or nothing where it holds none that this program could start from."""
    kept = _kept(snapshot, _TABLE)
    return None if kept is None else kept[1]


def kept_house(snapshot: Snapshot) -> HouseState | None:
    kept = _kept(snapshot, _HOUSE)
    return None if kept is None else kept[1]


def kept_tournament(snapshot: Snapshot) -> TournamentState | None:
    kept = _kept(snapshot, _TOURNAMENT)
    return None if kept is None else kept[1]


def _kept(snapshot: Snapshot, kind: _Kind[S]) -> tuple[StateMark, S] | None:
    try:
        mark = read_mark(snapshot.state)
        return mark, kind.read(mark.state)
    except UNREADABLE:
        return None


async def recover_table(journal: ReadableJournal, stream: str, form: str = SNAPSHOT_FORM) -> Recovered[AnyTable]:
    """The table as its records leave it, read from its newest usable snapshot on."""
    return await _recover(journal, stream, form, _TABLE)


async def recover_house(journal: ReadableJournal, form: str = SNAPSHOT_FORM) -> Recovered[HouseState]:
    """The house as its records leave it, from a snapshot before which all that was put away is on the shelf."""
    away = dict[str, Derived]()
    begin = await _from_snapshot(journal, HOUSE, form, _HOUSE)
    if begin.state.away != PapersAway():
        shelved = await journal.derived(HOUSE, PAPERS_TO)
        if shelved is None or shelved.version < begin.head.version:
            begin = Recovered(HouseState(), start_of(HOUSE), 0, 0)

    def after(state: HouseState, record: Record) -> HouseState:
        return evolve_and_put_away(state, read_house_events(read_answer(record)), record.version, away)

    return (await _read_on(journal, begin, after))._replace(away=away)


async def recover_tournament(
    journal: ReadableJournal, name: str, form: str = SNAPSHOT_FORM
) -> Recovered[TournamentState]:
    """A tournament as its records leave it, read likewise."""
    return await _recover(journal, tournament_stream(name), form, _TOURNAMENT)


async def recover_snapshot(journal: ReadableJournal, stream: str) -> Recovered[AnyTable]:
    """Where the owner of a table may begin reading: where all that fell out of its state before is on the shelf."""
    begin = await _from_snapshot(journal, stream, SNAPSHOT_FORM, _TABLE)
    shelved = await journal.derived(stream, SHELVED_TO) if begin.head.version else None
    if begin.head.version and (shelved is None or shelved.version < begin.head.version):
        return Recovered(UNCONFIGURED, start_of(stream), 0, 0)
    return begin


async def last_events(journal: ReadableJournal, head: Head, records: int) -> list[Event]:
    """What happened in the newest records of a table."""
    lately: list[Event] = []
    async for record in journal.read(head.stream, max(0, head.version - records), head.version):
        accepted = read_answer(record).accepted
        if accepted is not msgspec.UNSET:
            lately += read_events(accepted)
    return lately


def after_record(state: AnyTable, record: Record) -> AnyTable:
    """The state after what a table's record says happened; a refusal changes nothing."""
    accepted = read_answer(record).accepted
    if accepted is not msgspec.UNSET:
        for event in read_events(accepted):
            state = evolve(state, event)
    return state


def house_after_record(state: HouseState, record: Record) -> HouseState:
    return fold_house(read_house_events(read_answer(record)), state)


def tournament_after_record(state: TournamentState, record: Record) -> TournamentState:
    return fold_tournament(read_tournament_events(read_answer(record)), state)


def linked(head: Head, record: Record) -> Head:
    """The head after this record, if it follows from the one before."""
    follows = record.version == head.version + 1 and record.previous == head.hash
    if not follows or record.hash != link_of(record.stream, record.version, record.body, record.previous):
        raise BrokenChain(f"record {record.version} of {record.stream} does not follow from the record before it")
    return head_after(record)


async def _recover(journal: ReadableJournal, stream: str, form: str, kind: _Kind[S]) -> Recovered[S]:
    return await _read_on(journal, await _from_snapshot(journal, stream, form, kind), kind.after)


async def _read_on(journal: ReadableJournal, begin: Recovered[S], after: Callable[[S, Record], S]) -> Recovered[S]:
    state, head, n, now_ms, _ = begin
    async for record in journal.read(head.stream, head.version):
        head = linked(head, record)
        state = after(state, record)
        if is_line(record.entry.key):
            n = line_of(record.entry.key)
        if taking_of(record) is None:  # A taking bears the time of the clock on the wall.
            now_ms = max(now_ms, record.entry.at_ms)
    return Recovered(state, head, n, now_ms)


async def _from_snapshot(journal: ReadableJournal, stream: str, form: str, kind: _Kind[S]) -> Recovered[S]:
    """The newest snapshot that fits the chain and this program, the state that the part opens with, or the start."""
    snapshot = await journal.newest_snapshot(stream, form)
    begun = None if snapshot is None else await _at(journal, snapshot, kind)
    if begun is None and (opening := await journal.opening(stream)) is not None:
        opened = snapshot_of(opening)
        begun = None if opened is None else await _at(journal, opened, kind)
    return begun or Recovered(kind.beginning, start_of(stream), 0, 0)


async def _at(journal: ReadableJournal, snapshot: Snapshot, kind: _Kind[S]) -> Recovered[S] | None:
    """What a snapshot holds, if it fits the chain and can be read."""
    record = await record_at(journal, snapshot.stream, snapshot.version)
    if record is None or record.hash != snapshot.hash or (kept := _kept(snapshot, kind)) is None:
        return None
    mark, state = kept
    return Recovered(state, head_after(record), mark.n, mark.now_ms)


_TABLE = _Kind[AnyTable](UNCONFIGURED, after_record, table_snapshot.read_state)
_HOUSE = _Kind(HouseState(), house_after_record, house_snapshot.read_state)
_TOURNAMENT = _Kind(TournamentState(), tournament_after_record, tournament_snapshot.read_state)
