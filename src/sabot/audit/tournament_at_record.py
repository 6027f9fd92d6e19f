"""The state of a tournament after any of its records, and a digest of the whole state."""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from sabot.basics.growing_list import GrowingList
from sabot.basics.mistake import Mistake
from sabot.floor.lines.tournament_figures import StandingLine, TournamentFigures, figures_of, standing_of
from sabot.floor.records.record_codec import tournament_stream
from sabot.floor.records.recovery import tournament_after_record
from sabot.journal.journal import ReadableJournal
from sabot.journal.record import head_after, start_of
from sabot.tournament.events import PrizeAwarded
from sabot.tournament.snapshot import digest_of
from sabot.tournament.state import Sitting, TournamentState


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


class ShownStanding(msgspec.Struct, frozen=True):
    rank: int
    entrant: int
    score: int
    table: str
    status: str


class ShownRound(msgspec.Struct, frozen=True):
    """Where everybody stands in a round, as of a counted coup."""

    tournament: str
    phase: str
    round: str
    coup: int | None
    confirmed: bool
    standing: list[ShownStanding]
    prizes: tuple[PrizeAwarded, ...]


async def tournament_state(journal: ReadableJournal, tournament: str) -> TournamentState:
    """A tournament as all its records leave it; no snapshot is used."""
    state = TournamentState()
    async for record in journal.read(tournament_stream(tournament)):
        state = tournament_after_record(state, record)
    return state


def tournament_shown(state: TournamentState, name: str | None, coup: int | None) -> ShownRound:
    """The standing of a round. Scores after an earlier coup are those that the corrections since then left."""
    begun = [part.name for part in (state.conditions.rounds if state.versions else ())]
    begun = [one for one in begun if any(sitting.round == one for sitting in state.sittings.values())]
    if name is not None and name not in begun:
        raise Mistake(f"{name!r} has not begun; rounds that have: {', '.join(begun) or 'none'}")
    wanted = name or (begun[-1] if begun else "")
    if coup is not None:
        state = _as_of(state, wanted, coup)
    tables = {
        seat.entrant: one.table for one in state.sittings.values() if one.round == wanted for seat in one.seats.values()
    }
    lines = [
        ShownStanding(one.rank, one.entrant, one.score, tables[one.entrant], one.status.value)
        for one in (standing_of(state)[wanted] if wanted else [])
    ]
    confirmed = bool(wanted) and state.progress(wanted).confirmed
    return ShownRound(state.tournament, state.phase.value, wanted, coup, confirmed, lines, state.prizes)


def _as_of(state: TournamentState, name: str, coup: int) -> TournamentState:
    """The state with the scores of one round cut off behind a counted coup."""
    most = max((len(one.scores) for one in state.sittings.values() if one.round == name), default=0)
    if not 0 <= coup <= most:
        raise Mistake(f"{name} has 0 to {most} counted coups, and none of them is {coup}")
    cut = {known: _cut(one, coup) if one.round == name else one for known, one in state.sittings.items()}
    return replace(state, sittings=cut)


def _cut(one: Sitting, coup: int) -> Sitting:
    scores: GrowingList[Mapping[int, int]] = GrowingList()
    for score in list(one.scores)[:coup]:
        scores = scores.then(score)
    return replace(one, scores=scores)


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
