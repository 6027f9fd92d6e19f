"""The state of a tournament after any of its records, and a digest of the whole state."""

from collections import Counter

import msgspec

from sabot.basics.mistake import Mistake
from sabot.floor.records.record_codec import tournament_stream
from sabot.floor.records.recovery import tournament_after_record
from sabot.journal.journal import ReadableJournal
from sabot.journal.record import head_after, start_of
from sabot.tournament.phase import TournamentPhase
from sabot.tournament.snapshot import digest_of
from sabot.tournament.state import Sitting, SittingState, TournamentState


class SittingAtRecord(msgspec.Struct, frozen=True):
    table: str
    state: SittingState
    counted: int
    left: int | None
    revision: int
    scores: dict[int, int]
    """By entrant's number, after the last counted coup."""


class SlipAtRecord(msgspec.Struct, frozen=True):
    direction: str
    cents: int
    entrant: int
    purpose: str
    status: str


class TournamentAtRecord(msgspec.Struct, frozen=True):
    tournament: str
    name: str
    version: int
    hash: str
    at_ms: int
    digest: str
    """Over the whole state: equal digests mean equal states."""
    phase: TournamentPhase
    conditions: int
    """The version of the conditions that holds, or 0."""
    director: str
    present: str
    entrants: dict[str, int]
    """How many have each status."""
    tables: dict[str, str]
    sittings: dict[str, SittingAtRecord]
    slips: dict[str, SlipAtRecord]
    """In the order of their numbers."""


async def tournament_at_record(
    journal: ReadableJournal, tournament: str, until: int | None = None
) -> TournamentAtRecord:
    """The state of a tournament after the record `until`, or after its last one; no snapshot is used."""
    stream = tournament_stream(tournament)
    state, head, at_ms = TournamentState(), start_of(stream), 0
    async for record in journal.read(stream, 0, until):
        state = tournament_after_record(state, record)
        head, at_ms = head_after(record), record.entry.at_ms
    if until is not None and head.version < until:
        raise Mistake(f"{stream} has {head.version} records, and there is no record {until}")
    return TournamentAtRecord(
        tournament=tournament,
        name=state.name,
        version=head.version,
        hash=head.hash.hex(),
        at_ms=at_ms,
        digest=digest_of(state),
        phase=state.phase,
        conditions=state.plays_by.version if state.newest else 0,
        director=state.director,
        present=state.present,
        entrants=dict(sorted(Counter(one.status.value for one in state.entrants.values()).items())),
        tables={name: one.state for name, one in state.tables.items()},
        sittings={name: _sitting(one) for name, one in state.sittings.items()},
        slips={
            number: SlipAtRecord(one.direction, one.cents, one.entrant, one.purpose, one.status)
            for number, one in sorted(state.slips.items())
        },
    )


def _sitting(one: Sitting) -> SittingAtRecord:
    scores = dict(one.scores.last or {})
    return SittingAtRecord(one.table, one.state, one.counted, one.left, one.revision, scores)
