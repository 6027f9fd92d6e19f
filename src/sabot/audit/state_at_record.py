"""The state of a table after any of its records: balances, meters, tickets, roads, and a digest of the whole state.

It is folded from the first record, without snapshots, so the same journal gives the same digest every time.
"""

from collections.abc import Iterable

import msgspec

from sabot.basics.mistake import Mistake
from sabot.floor.records.record_codec import table_stream
from sabot.floor.records.recovery import after_record
from sabot.journal.journal import ReadableJournal
from sabot.journal.record import Head, head_after, start_of
from sabot.ledger.meters import Meters
from sabot.roads.board import ScoreBoard
from sabot.roads.result import CoupResult
from sabot.roads.roads import lay
from sabot.rules.cards import read_cards
from sabot.rules.coup import read_coup
from sabot.rules.rule_set import Bet
from sabot.table.accounts.state import TableTicket
from sabot.table.phase import Phase
from sabot.table.snapshot import digest_of
from sabot.table.state import UNCONFIGURED, AnyTable, BareTable, Played, TableState


class StateAtRecord(msgspec.Struct, frozen=True):
    table: str
    version: int
    hash: str
    at_ms: int
    digest: str
    """Over the whole state: equal digests mean equal states."""
    phase: Phase
    coup: int
    shoe: int
    balances: dict[str, int]
    layout: dict[str, dict[Bet, int]]
    held: dict[str, int]
    owed: dict[str, int]
    books: dict[str, int]
    """The house's own accounts at this table, in cents."""
    meters: dict[str, Meters]
    tickets: dict[str, TableTicket]
    results: str
    """The shoe's results, oldest first, in the letters of the roads."""
    roads: ScoreBoard
    session: str = ""
    """The sitting of a tournament that is on: balances, wagers and debts are its credits then; the rest is money."""


async def state_at_record(journal: ReadableJournal, table: str, until: int | None = None) -> StateAtRecord:
    """The state of the table after the record `until`, or after its last one."""
    stream = table_stream(table)
    state: AnyTable = UNCONFIGURED
    head, at_ms = start_of(stream), 0
    async for record in journal.read(stream, 0, until):
        state = after_record(state, record)
        head, at_ms = head_after(record), record.entry.at_ms
    if until is not None and head.version < until:
        raise Mistake(f"{stream} has {head.version} records, and there is no record {until}")
    return shown_state(table, state, head, at_ms)


def shown_state(table: str, state: AnyTable, head: Head, at_ms: int) -> StateAtRecord:
    purses = {name: state.purse(name) for name in state.stations}
    results = [CoupResult.of(read_coup(read_cards(one.cards))) for one in valid_coups(state)]
    return StateAtRecord(
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
        books={str(account): cents for account, cents in state.money_ledger.books.items()},
        meters=dict(state.money_meters),
        tickets=dict(state.tickets),
        results=" ".join(map(str, results)),
        roads=ScoreBoard.of(lay(results)),
        session=state.session.sitting if isinstance(state, TableState) and state.session is not None else "",
    )


def valid_coups(state: BareTable) -> Iterable[Played]:
    """The coups of the current shoe: a corrected one in its last version, without those made invalid."""
    newest = {one.coup: one for one in state.played if one.shoe == state.shoe.number}
    return (one for _, one in sorted(newest.items()) if not one.invalid)
