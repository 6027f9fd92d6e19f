"""What a tournament noted, held against the records of its tables and of the house.

A chain of hashes shows that nothing was changed since it was written. This shows that what was written is true: every
score that was noted stands in the table's own records, every slip was settled at the house as noted, and the money of
each table came back from its sessions as it went.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from sabot.audit.problem import Problem, ProblemKind
from sabot.floor.records.record_codec import (
    HOUSE,
    read_answer,
    read_tournament_events,
    table_stream,
    tournament_stream,
)
from sabot.floor.records.recovery import after_record, house_after_record, tournament_after_record
from sabot.house.state import HouseState
from sabot.journal.journal import ReadableJournal
from sabot.table.sessions.state import MoneyAside, SessionScore
from sabot.table.state import UNCONFIGURED, AnyTable, TableState
from sabot.tournament import events as e
from sabot.tournament.state import TournamentState


class TournamentVerdict(msgspec.Struct, frozen=True):
    tournament: str
    ok: bool
    problems: list[Problem]
    scores: int
    """How many notes of scores were held against the tables."""
    slips: int
    sessions: int
    """How many sessions' money was held against what it was before."""


class _Told(NamedTuple):
    """What the records of the tables say of the sittings."""

    scores: dict[str, dict[int, tuple[int, Mapping[int, int]]]]
    """By sitting and revision: the counted coups, and the scores after the last of them."""
    sessions: int
    problems: list[Problem]


async def check_tournament_records(journal: ReadableJournal, tournament: str) -> TournamentVerdict:
    """Read the streams that a tournament concerns, and compare them."""
    stream = tournament_stream(tournament)
    state, noted, tables = TournamentState(), list[tuple[int, e.ScoreNoted]](), dict[str, None]()
    async for record in journal.read(stream):
        for event in read_tournament_events(read_answer(record.entry)):
            if isinstance(event, e.ScoreNoted):
                noted.append((record.version, event))
            elif isinstance(event, e.TablesDesignated):
                tables |= dict.fromkeys(event.tables)
        state = tournament_after_record(state, record)
    told = _Told({}, 0, [])
    for table in tables:
        told = await _of_table(journal, table, tournament, told)
    house = HouseState()
    async for record in journal.read(HOUSE):
        house = house_after_record(house, record)
    problems = [*told.problems, *_wrong_scores(stream, noted, told), *_wrong_slips(stream, state, house)]
    return TournamentVerdict(tournament, not problems, problems, len(noted), len(state.slips), told.sessions)


async def _of_table(journal: ReadableJournal, table: str, tournament: str, told: _Told) -> _Told:
    """Go through a table's records once: its scores at every revision, and its money at every session."""
    state: AnyTable = UNCONFIGURED
    sessions, problems, before = told.sessions, list(told.problems), ("", "")
    async for record in journal.read(table_stream(table)):
        after = after_record(state, record)
        if isinstance(after, TableState):
            was = state.session if isinstance(state, TableState) else None
            if after.session is not None and was is None and isinstance(state, TableState):
                before = (after.session.sitting, _money(state))
                sessions += 1
            elif after.session is None and was is not None and _money(after) != before[1]:
                why = f"the money of the table is not what it was before the session {before[0]} (CROWN 1.1)"
                problems.append(Problem(table_stream(table), record.version, ProblemKind.MONEY, why))
            for sitting, revision, scores in _revisions(after, tournament):
                told.scores.setdefault(sitting, {}).setdefault(revision, scores)
        state = after
    return _Told(told.scores, sessions, problems)


def _money(state: TableState) -> str:
    """Ledger, meters and limits, written out in their order: equal texts are equal to the byte."""
    limits = (state.offered, state.limits, state.minimums, state.aggregate_minimum)
    return repr(MoneyAside(state.ledger, state.meters, *limits))


def _revisions(state: TableState, tournament: str) -> Iterator[tuple[str, int, tuple[int, Mapping[int, int]]]]:
    """The newest revision of the session that is on, and of those that are over."""
    on = state.session
    if on is not None and on.terms.tournament == tournament:
        yield on.sitting, on.revision, _last(on.scores.last)
    for sitting, kept in state.kept_sessions.items():
        if kept.terms.tournament == tournament:
            yield sitting, kept.revision, _last(kept.scores[-1] if kept.scores else None)


def _last(score: SessionScore | None) -> tuple[int, Mapping[int, int]]:
    return (0, {}) if score is None else (score.counted, score.scores)


def _wrong_scores(stream: str, noted: list[tuple[int, e.ScoreNoted]], told: _Told) -> Iterator[Problem]:
    for version, event in noted:
        known = told.scores.get(event.sitting, {}).get(event.revision)
        said = event.scores[-1] if event.scores else None
        if known is None:
            why = f"the table's own records have no revision {event.revision} of {event.sitting}"
            yield Problem(stream, version, ProblemKind.SCORE, why)
        elif said is not None and (said.counted, dict(said.scores)) != (known[0], dict(known[1])):
            why = f"it notes scores of {event.sitting} after coup {said.counted}; the table's own records say otherwise"
            yield Problem(stream, version, ProblemKind.SCORE, why)


def _wrong_slips(stream: str, state: TournamentState, house: HouseState) -> Iterator[Problem]:
    """Every slip that was noted as settled is settled so at the house, for the same amount."""
    for number, slip in sorted(state.slips.items()):
        if number in state.unsettled:
            continue
        known = house.slips.get(number)
        if known is None or known.cents != slip.cents or known.status.value != slip.status.value:
            found = "does not know it" if known is None else f"has it {known.status.value} for {known.cents} cents"
            why = f"slip {number} is noted {slip.status.value} for {slip.cents} cents, and the house {found}"
            yield Problem(stream, 0, ProblemKind.SLIP, why)
