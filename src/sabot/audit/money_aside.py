"""The money of a tournament's tables, held against what it was before each session (CROWN 1.1 "tournament").

That scores and slips agree between the streams is part of every verification (`audit/agreement.py`).
"""

import msgspec

from sabot.audit.problem import Problem, ProblemKind
from sabot.floor.records.record_codec import read_answer, read_tournament_events, table_stream, tournament_stream
from sabot.floor.records.recovery import after_record
from sabot.journal.journal import ReadableJournal
from sabot.table.sessions.state import MoneyAside
from sabot.table.state import UNCONFIGURED, AnyTable, TableState
from sabot.tournament.events import TablesDesignated


class MoneyAsideVerdict(msgspec.Struct, frozen=True):
    tournament: str
    ok: bool
    problems: list[Problem]
    sessions: int
    """How many sessions of its tables were looked at."""


async def check_tournament_records(journal: ReadableJournal, tournament: str) -> MoneyAsideVerdict:
    tables: dict[str, None] = {}
    async for record in journal.read(tournament_stream(tournament)):
        for event in read_tournament_events(read_answer(record)):
            if isinstance(event, TablesDesignated):
                tables |= dict.fromkeys(event.tables)
    sessions, problems = 0, list[Problem]()
    for table in tables:
        found, wrong = await _money_of(journal, table)
        sessions, problems = sessions + found, [*problems, *wrong]
    return MoneyAsideVerdict(tournament, not problems, problems, sessions)


async def _money_of(journal: ReadableJournal, table: str) -> tuple[int, list[Problem]]:
    """How many sessions a table played, and those after which its money was not what it was before."""
    state: AnyTable = UNCONFIGURED
    sessions, problems, before = 0, list[Problem](), ("", "")
    async for record in journal.read(table_stream(table)):
        was, state = state, after_record(state, record)
        if not isinstance(was, TableState) or not isinstance(state, TableState):
            continue
        if state.session is not None and was.session is None:
            before, sessions = (state.session.sitting, _money(was)), sessions + 1
        elif state.session is None and was.session is not None and _money(state) != before[1]:
            why = f"the money of the table is not what it was before the session {before[0]}"
            problems.append(Problem(table_stream(table), record.version, ProblemKind.MONEY, why))
    return sessions, problems


def _money(state: TableState) -> str:
    """Ledger, meters and limits, written out in their order: equal texts are equal to the byte."""
    limits = (state.offered, state.limits, state.minimums, state.aggregate_minimum)
    return repr(MoneyAside(state.ledger, state.meters, *limits))
