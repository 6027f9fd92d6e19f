"""How a table stood after any of its records: balances, meters, tickets, roads, and a digest of all of it.

It is the fold of the records from the first, without any snapshot, so the same journal gives the same bits every time.
"""

from collections.abc import Iterable

import msgspec

from sabot.basics.mistake import Mistake
from sabot.floor.records.record_codec import table_stream
from sabot.floor.records.recovery import after_record
from sabot.journal.journal import ReadableJournal
from sabot.journal.record import Head, head_after, start_of
from sabot.ledger.meters import Meters
from sabot.roads.board import Board
from sabot.roads.result import Result
from sabot.roads.roads import lay
from sabot.rules.cards import read_cards
from sabot.rules.coup import read_coup
from sabot.table.phase import Phase
from sabot.table.snapshot import digest_of
from sabot.table.state import Played, TableState, Ticket


class Standing(msgspec.Struct, frozen=True):
    table: str
    version: int
    hash: str
    at_ms: int
    digest: str
    """Over the whole state: two standings with the same digest are the same to the last bit."""
    phase: Phase
    coup: int
    shoe: int
    balances: dict[str, int]
    layout: dict[str, dict[str, int]]
    held: dict[str, int]
    owed: dict[str, int]
    books: dict[str, int]
    """The house's own accounts at this table, in cents."""
    meters: dict[str, Meters]
    tickets: dict[str, Ticket]
    results: str
    """The shoe's results, oldest first, in the letters of the roads."""
    roads: Board


async def standing(journal: ReadableJournal, table: str, until: int | None = None) -> Standing:
    """How the table stood after the record `until`, or after its last one."""
    stream = table_stream(table)
    state, head, at_ms = TableState(), start_of(stream), 0
    async for record in journal.read(stream, 0, until):
        state = after_record(state, record)
        head, at_ms = head_after(record), record.entry.at_ms
    if until is not None and head.version < until:
        raise Mistake(f"{stream} has {head.version} records, and there is no record {until}")
    return standing_of(table, state, head, at_ms)


def standing_of(table: str, state: TableState, head: Head, at_ms: int) -> Standing:
    purses = {name: state.purse(name) for name in state.stations}
    results = [Result.of(read_coup(read_cards(one.cards))) for one in standing_coups(state)]
    return Standing(
        table=table,
        version=head.version,
        hash=head.hash.hex(),
        at_ms=at_ms,
        digest=digest_of(state),
        phase=state.phase,
        coup=state.coups,
        shoe=state.shoe.number,
        balances={name: purse.balance for name, purse in purses.items()},
        layout={name: dict(purse.layout) for name, purse in purses.items() if purse.layout},
        held={name: purse.held for name, purse in purses.items() if purse.held},
        owed={name: owed for name in state.stations if (owed := state.owed(name))},
        books={str(account): cents for account, cents in state.ledger.books.items()},
        meters=dict(state.meters),
        tickets=dict(state.tickets),
        results=" ".join(map(str, results)),
        roads=Board.of(lay(results)),
    )


def standing_coups(state: TableState) -> Iterable[Played]:
    """The shoe's coups as they stand now: a corrected one in its last version, an invalid one not at all."""
    newest = {one.coup: one for one in state.played if one.shoe == state.shoe.number}
    return (one for _, one in sorted(newest.items()) if not one.invalid)
