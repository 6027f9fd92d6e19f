"""What a soak must bear out at its end: nothing acknowledged is lost, nothing is settled twice, every cent is there."""

from collections import defaultdict

import msgspec

from sabot.audit.verify import Against, verify
from sabot.cli.soak.patrons import Acknowledged, OwnLedger
from sabot.floor.records.program_digest import program_digest
from sabot.floor.records.record_codec import read_answer, read_events, table_stream
from sabot.journal.journal import ReadableJournal
from sabot.journal.keys import RingKey
from sabot.rules.rule_set import Bet
from sabot.table.events import CoupVoided, WageringClosed, WagersSettled

Money = dict[tuple[str, str], int]
"""Cents by table and station."""


class Proved(msgspec.Struct, frozen=True, kw_only=True):
    acknowledged: int
    lost: int
    """Acknowledged wagers that are not in the journal where the answer said."""
    settled: int
    void: int
    """Coups."""
    problems: list[str]
    money: Money
    """What the records say that each station has."""


class _Told:
    """What the records of one table say of its coups, without the table's own code."""

    def __init__(self) -> None:
        self.sealed: dict[int, dict[str, dict[Bet, int]]] = {}
        self.settled: dict[int, int] = defaultdict(int)
        self.void: set[int] = set()
        self.net: dict[str, int] = defaultdict(int)

    async def read(self, journal: ReadableJournal, table: str) -> None:
        async for record in journal.read(table_stream(table)):
            accepted = read_answer(record).accepted
            for event in () if accepted is msgspec.UNSET else read_events(accepted):
                if isinstance(event, WageringClosed):
                    self.sealed[event.coup] = event.sealed
                elif isinstance(event, CoupVoided):
                    self.void.add(event.coup)
                elif isinstance(event, WagersSettled):
                    self.settled[event.coup] += 1
                    for station, lines in event.settlements.items():
                        self.net[station] += sum(line.net_cents for line in lines)


async def prove(journal: ReadableJournal, ledger: OwnLedger, keys: tuple[RingKey, ...]) -> Proved:
    """Compare what devices were told with the records, and have the journal verified with every act decided again."""
    problems = []
    lost = [one for one in ledger.wagers if not await _is_recorded(journal, one)]
    problems += [f"{one.key} of table {one.table} was acknowledged and is not on record" for one in lost[:5]]
    tables = {table: _Told() for table, _ in ledger.brought}
    for table, told in tables.items():
        await told.read(journal, table)
        problems += [f"coup {coup} of {table} is settled {n} times" for coup, n in told.settled.items() if n > 1]
    for (table, coup), stations in ledger.by_coup().items():
        problems += _not_borne_out(tables[table], table, coup, stations)
    verdict = await verify(journal, Against(program_digest(), keys), lambda *_: None)
    problems += [str(one) for one in verdict.problems]
    return Proved(
        acknowledged=len(ledger.wagers),
        lost=len(lost),
        settled=sum(len(told.settled) for told in tables.values()),
        void=sum(len(told.void) for told in tables.values()),
        problems=problems,
        money={(table, one): cents + tables[table].net[one] for (table, one), cents in ledger.brought.items()},
    )


async def _is_recorded(journal: ReadableJournal, one: Acknowledged) -> bool:
    return await journal.find(table_stream(one.table), one.key) is not None


def _not_borne_out(told: _Told, table: str, coup: int, stations: dict[str, dict[Bet, int]]) -> list[str]:
    """A coup is void, or what was acknowledged was sealed to the cent and settled once."""
    if coup in told.void:
        return []
    if coup not in told.sealed or not told.settled[coup]:
        return [f"coup {coup} of {table} has acknowledged wagers and was neither settled nor void"]
    return [
        f"coup {coup} of {table}: {station} was told {cents} cents on {bet}, and the record has "
        f"{told.sealed[coup].get(station, {}).get(bet, 0)}"
        for station, bets in stations.items()
        for bet, cents in bets.items()
        if told.sealed[coup].get(station, {}).get(bet) != cents
    ]
