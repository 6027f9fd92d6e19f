"""Excerpts of a journal: the records of a table, of a coup, of a station, of a period."""

import enum
from collections.abc import AsyncIterator

import msgspec

from sabot.audit.event_codes import NO_CODE, EventMark, Severity, code_of, event_codes, is_as_grave, mark_of
from sabot.audit.kept_sums import SumReader
from sabot.audit.not_there import NoSuch, NotThere
from sabot.audit.part_cutter import crosses
from sabot.audit.period_sum import START, SumPlace
from sabot.floor.records.record_codec import (
    events_recorded,
    read_answer,
    read_refusal,
    sets_a_wager,
    table_of,
    table_stream,
)
from sabot.journal.journal import ReadableJournal
from sabot.journal.record import Record
from sabot.table.refusal import Refused


class ExcerptFilter(msgspec.Struct, frozen=True):
    """Which records an excerpt holds; a field that is not given does not limit it."""

    coup: int | None = None
    station: str | None = None
    from_ms: int | None = None
    to_ms: int | None = None
    after: int = 0
    until: int | None = None
    """Versions."""
    touches: bool = True
    """Whether touches on the layout are among them, which most records are."""
    code: int | None = None
    """Only records with a significant event of this code."""
    severity: Severity | None = None
    """Only records with a significant event of this severity or a graver one."""


class OwnerRecord(enum.StrEnum):
    """The verbs of records that an owner writes of itself; they hold no command."""

    TAKEN = "owner_taken"
    STARTED = "started"
    HANDED_OVER = "handed_over"


class ExcerptLine(msgspec.Struct, frozen=True, gc=False):
    """A record, decoded."""

    stream: str
    version: int
    epoch: int
    key: str
    actor: str
    second_actor: str
    at_ms: int
    coup: int
    """The coup that its events name; otherwise the one under way or, between coups, the one before."""
    verb: str
    """The command's, or one of `OwnerRecord`."""
    events: tuple[object, ...]
    refused: Refused | None
    hash: str


async def excerpt(journal: ReadableJournal, stream: str, wanted: ExcerptFilter) -> AsyncIterator[ExcerptLine]:
    """The records of a stream that the filter admits, in order; of a table's, from the nearest kept sum on."""
    place = await _place(journal, stream, wanted)
    coup = place.coup
    touches = wanted.touches and wanted.code is None and wanted.severity is None  # No touch is significant.
    async for record in journal.read(stream, place.version, wanted.until):
        if wanted.to_ms is not None and crosses(record, wanted.to_ms):
            return
        if not touches and sets_a_wager(bytes(record.entry.answer)):
            continue
        line = _line(record, coup)
        coup = max(coup, line.coup)  # A correction names an earlier coup; what follows it belongs to the newest.
        if _is_wanted(line, record, wanted):
            yield line


async def _place(journal: ReadableJournal, stream: str, wanted: ExcerptFilter) -> SumPlace:
    """A place before everything that the filter admits."""
    if table_of(stream) is None:
        return START
    reader, places = SumReader(journal, stream), [START]
    if wanted.from_ms is not None:
        places.append(await reader.place_by(wanted.from_ms))
    if wanted.coup is not None:
        places.append(await reader.place_before(wanted.coup))
    if wanted.after:
        places.append(await reader.place_up_to(wanted.after))
    return max(places, key=lambda place: place.version)


def _line(record: Record, coup: int) -> ExcerptLine:
    entry, answer = record.entry, read_answer(record)
    events = events_recorded(record.stream, answer)
    named = [number for event in events if (number := getattr(event, "coup", 0))]
    verb = record.entry.key.partition("/")[0]
    if answer.act is not msgspec.UNSET:
        verb = msgspec.json.decode(answer.act, type=_Verb).do
    refused = None if answer.refused is msgspec.UNSET else read_refusal(answer.refused)
    return ExcerptLine(
        *(record.stream, record.version, record.epoch, entry.key, entry.actor, entry.second_actor, entry.at_ms),
        *(named[-1] if named else coup, verb, events, refused, record.hash.hex()),
    )


class _Verb(msgspec.Struct):
    do: str


def _is_wanted(line: ExcerptLine, record: Record, wanted: ExcerptFilter) -> bool:
    return (
        line.version > wanted.after
        and (wanted.coup is None or line.coup == wanted.coup)
        and (wanted.from_ms is None or line.at_ms >= wanted.from_ms)
        and (wanted.to_ms is None or line.at_ms < wanted.to_ms)
        and (wanted.station is None or concerns(line, record, wanted.station))
        and (wanted.code is None or any(one.code == wanted.code for one in marks_of(line)))
        and (wanted.severity is None or any(is_as_grave(one, wanted.severity) for one in marks_of(line)))
    )


def marks_of(line: ExcerptLine) -> list[EventMark]:
    """One for each event of the record; one for a record without events."""
    if line.verb == OwnerRecord.TAKEN:
        return [mark_of(event_codes()["OwnerTaken"])]
    return [mark_of(code_of(event)) for event in line.events] or [mark_of(NO_CODE)]


def concerns(line: ExcerptLine, record: Record, station: str) -> bool:
    """Whether the station gave the command, or the record mentions it."""
    return line.actor == station or f'"{station}"'.encode() in bytes(record.entry.answer)


class TableFacts(msgspec.Struct, frozen=True):
    """What a choice of records is checked against."""

    time_zone: str
    day_starts: str
    """By the newest configuration."""
    stations: tuple[str, ...]
    """All stations of all its configurations."""
    coups: int
    """The number of the newest coup."""


async def facts_of(journal: ReadableJournal, table: str) -> TableFacts:
    """The facts of a table; raises `NotThere` where the journal has no such table."""
    known = await SumReader(journal, table_stream(table)).newest()
    if not known.day_starts:
        raise NotThere(NoSuch.NO_SUCH_TABLE, table=table)
    return TableFacts(known.time_zone, known.day_starts, known.stations, known.coups)


def check_code(wanted: ExcerptFilter) -> None:
    """Raise `NotThere` for a code that no significant event has."""
    if wanted.code is not None and not any(one.code == wanted.code for one in event_codes().values()):
        raise NotThere(NoSuch.NO_SUCH_CODE, code=wanted.code)


def check_there(facts: TableFacts, table: str, wanted: ExcerptFilter) -> None:
    """Raise `NotThere` for a station, a coup or a code that does not exist, naming those that do."""
    check_code(wanted)
    if wanted.station is not None and wanted.station not in facts.stations:
        known = ", ".join(facts.stations)
        raise NotThere(NoSuch.NO_SUCH_STATION, station=wanted.station, table=table, stations=known)
    if wanted.coup is not None and not 1 <= wanted.coup <= facts.coups:
        raise NotThere(NoSuch.NO_SUCH_COUP, coup=wanted.coup, table=table, coups=facts.coups)
