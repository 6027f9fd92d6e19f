"""Talking to a house and its table in shorthand."""

from sabot.floor.lines.answer import LineAnswer
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.lines.words import read_line
from sabot.table.fixtures import fixture

TICKET = "123456789012345678"
KEY = "0f" * 32
OTHER_KEY = "e1" * 32
READY = ("D1 sign_on", "D1 open_table", "GS1 check_cards 416", "D1 new_shoe", "GS1 cut 100", "D1 burn")
FEE_SLIP = "clock register_slip SPRING-000001 SPRING take 60 prize_pool:5000,tournament_fees:1000 fee 1 P7"
"""Entrant 1 owes a fee of 60.00, of which 50.00 go to the pool."""
FEE_TAKEN = (FEE_SLIP, "CA1 take_slip SPRING-000001")
PRIZE_SLIP = "clock register_slip SPRING-000002 SPRING pay 50 prize_pool:5000 prize 1 P7"
PRIZE_DUE = (*FEE_TAKEN, PRIZE_SLIP)
TICKETED = (*READY, "R1 note 50", f"R1 leave ticket={TICKET}")


def say(table: LineTable, line: str) -> LineAnswer:
    written = line.replace("TICKET", TICKET).replace("OTHER_KEY", OTHER_KEY).replace("KEY", KEY)
    return table.answer(read_line(written, table.now_ms))


def say_all(table: LineTable, *lines: str) -> None:
    for line in lines:
        answer = say(table, line)
        assert answer.ok, (line, answer.refusal)


def refusal(table: LineTable, line: str) -> str:
    """The code of the refusal, which there must be."""
    answer = say(table, line)
    assert answer.refusal is not None, answer.events
    return answer.refusal.code


def names(answer: LineAnswer) -> list[str]:
    return [type(event).__name__ for event in answer.events]


def a_table(floor: LineFloor | None = None, *lines: str) -> LineTable:
    table = (floor or LineFloor()).enter(fixture("crown"))
    say_all(table, *lines)
    return table
