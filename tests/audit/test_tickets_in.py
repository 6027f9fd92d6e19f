"""A ticket that a table took in otherwise than the house put it into escrow is named by `verify`."""

import asyncio

import pytest

from sabot.audit.problem import ProblemKind
from sabot.audit.tickets_in import CreditOnRecord, Escrows, InEscrowOnRecord, credited_otherwise
from sabot.floor.lines.table import LineFloor
from sabot.floor.lines.words import read_line
from sabot.journal.memory import MemoryJournal
from sabot.table.fixtures import fixture
from tests.audit.forgery import TABLE, forged, reworded
from tests.audit.test_verify import proved, the_problem
from tests.floor.nights import Clock, backing, memory
from tests.house.talking import READY, TICKET

LINES = (*READY, "P1 note 100", f"P1 leave ticket={TICKET}", f"P2 insert_ticket {TICKET}")


async def _a_ticket_goes_in(journal: MemoryJournal) -> None:
    floor = LineFloor(backing(journal), Clock())
    table = await floor.take(fixture("singapore"))
    for line in LINES:
        answer = await table.ask(read_line(line, table.now_ms))
        assert answer.ok, (line, answer.refusal)
    await floor.close()


@pytest.mark.clause("G-235")
def test_a_credit_without_the_escrow_of_the_house_is_named() -> None:
    plain = memory()
    asyncio.run(_a_ticket_goes_in(plain))
    assert proved(plain).ok
    changed = asyncio.run(forged(plain))
    place = changed.place_of(b'"TicketCredited"') - 1
    changed.records()[place] = reworded(
        changed.records()[place], lambda text: text.replace(b'"escrow":1', b'"escrow":7')
    )
    changed.chain_anew()
    changed.unsign()
    problem = the_problem(proved(changed), TABLE)
    assert (problem.kind, problem.version) == (ProblemKind.TICKET, place + 1)
    assert "on escrow 7, which the house has not given so" in problem.why


@pytest.mark.clause("G-235")
def test_an_escrow_is_used_once_over_all_tables_and_for_what_it_was_given() -> None:
    given = Escrows(0, {1: InEscrowOnRecord("7", "T1", "A1", 500), 2: InEscrowOnRecord("8", "T2", "A1", 900)})
    first, second = CreditOnRecord(5, 1, "7", "A1", 500), CreditOnRecord(9, 2, "8", "A1", 900)
    assert credited_otherwise(given, {"T1": [first], "T2": [second]}, is_whole=True) is None
    for other in (first, second._replace(cents=901), second._replace(station="A2"), second._replace(ticket="7")):
        problem = credited_otherwise(given, {"T1": [first], "T2": [other]}, is_whole=True)
        assert problem is not None
        assert (problem.stream, problem.version) == ("table/T2", other.version)
    later = CreditOnRecord(9, 3, "9", "A1", 100)
    assert credited_otherwise(given, {"T1": [later]}, is_whole=False) is None, "the house may have written it since"
    assert credited_otherwise(given._replace(before=3), {"T1": [later]}, is_whole=True) is None, "in an earlier part"
