"""The state of a tournament after any of its records, and a digest of the whole state."""

import msgspec

from sabot.basics.mistake import Mistake
from sabot.floor.lines.tournament_figures import StandingLine, TournamentFigures, figures_of, standing_of
from sabot.floor.records.record_codec import tournament_stream
from sabot.floor.records.recovery import tournament_after_record
from sabot.journal.journal import ReadableJournal
from sabot.journal.record import head_after, start_of
from sabot.tournament.snapshot import digest_of
from sabot.tournament.state import TournamentState


class TournamentAtRecord(msgspec.Struct, frozen=True):
    tournament: str
    version: int
    hash: str
    at_ms: int
    digest: str
    """Over the whole state: equal digests mean equal states."""
    figures: TournamentFigures
    standing: dict[str, list[StandingLine]]
    """By round."""


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
        *(tournament, head.version, head.hash.hex(), at_ms, digest_of(state)),
        *(figures_of(state), standing_of(state)),
    )
