"""A process that dies between any two records of a ticket's way in leaves it credited once, or good and uncredited."""

import asyncio
from collections.abc import Sequence

import pytest

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.house.acts import Redeem
from sabot.house.liability import liability
from sabot.house.refusal import HouseRefused
from sabot.house.state import TicketStatus
from sabot.journal.journal import Appended, AppendOutcome
from sabot.journal.memory import MemoryJournal
from sabot.journal.record import Record
from sabot.ledger.account import ticket_box
from sabot.table import acts
from tests.devices.test_tickets_in import NOTE, Booth, a_table
from tests.runtime.floors import PATIENCE_S, running, until, wall_ms
from tests.served.open_table import open_table

CASHIER = Stamp(by="CA1", role=Role.CASHIER)


class Remembering(MemoryJournal):
    """Knows in which order its records were written."""

    def __init__(self) -> None:
        super().__init__(wall_ms)
        self.written: list[Record] = []

    async def append(self, stream: str, expected_version: int, records: Sequence[Record]) -> AppendOutcome:
        outcome = await super().append(stream, expected_version, records)
        if isinstance(outcome, Appended):
            self.written += records
        return outcome

    async def as_of(self, records: int) -> MemoryJournal:
        """What a process finds that starts after these records."""
        found = MemoryJournal(wall_ms)
        for record in self.written[:records]:
            await found.append(record.stream, record.version - 1, [record])
        return found


async def _a_ticket_goes_in() -> tuple[Remembering, str, int]:
    """The journal, the ticket, and how many records were there before it was put in."""
    journal = Remembering()
    async with asyncio.timeout(PATIENCE_S), open_table(journal, a_table(), shoe=False) as floor:
        booth, acceptor = await Booth(floor).open(), await floor.acceptor("A1")
        number = await booth.ticket()
        before = len(journal.written)
        await acceptor.ask(acts.InsertTicket(ticket=number))
        tickets = floor.floor.house
        await until(lambda: tickets.state.tickets[number].status is TicketStatus.TAKEN_IN)
        return journal, number, before


def _says(record: Record, event: str) -> bool:
    return f'"{event}"'.encode() in bytes(record.entry.answer)


async def _after(journal: Remembering, records: int, number: str) -> str:
    """What became of the ticket where the process died after so many records."""
    is_credited = any(_says(one, "TicketCredited") for one in journal.written[:records])
    async with running(await journal.as_of(records), a_table(), owner="west", taken_up_within_s=0.05) as floor:
        house, table = floor.house, floor.tables["T1"]
        await until(lambda: table.term is not None and not house.state.in_escrow)
        assert table.term is not None
        state = table.term.state
        assert state.purse("A1").balance == state.ledger.balance(ticket_box("A1")) == NOTE * is_credited
        assert (house.state.tickets[number].status is TicketStatus.TAKEN_IN) is is_credited
        assert liability(house.state).agrees
        decision = await house.ask(Redeem(ticket=number), CASHIER)
        assert isinstance(decision, HouseRefused) is is_credited
    return "credited" if is_credited else "good"


@pytest.mark.clause("G-235")
def test_killed_after_any_record_of_its_way_in_a_ticket_is_paid_once() -> None:
    async def play() -> None:
        journal, number, before = await _a_ticket_goes_in()
        way = [name for record in journal.written[before:] for name in WAY if _says(record, name)]
        assert way == list(WAY)
        found = [await _after(journal, records, number) for records in range(before, len(journal.written) + 1)]
        assert set(found) == {"good", "credited"}
        assert found == sorted(found, reverse=True), "once credited it stays credited"

    asyncio.run(play())


WAY = ("TicketEscrowed", "TicketCredited", "TicketTakenIn")
"""The house, the table, and the house again."""
