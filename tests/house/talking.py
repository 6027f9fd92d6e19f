"""Talking to a pit in shorthand."""

from sabot.floor.pit import HOUSE_VERBS, Pit, PitTable
from sabot.table.conversation import Answer
from sabot.table.fixtures import fixture
from sabot.table.shorthand import read_line

TICKET = "123456789012345678"
KEY = "0f" * 32
OTHER_KEY = "e1" * 32
READY = ("D1 sign_on", "D1 open_table", "GS1 check_cards 416", "D1 new_shoe", "GS1 cut 100", "D1 burn")
TICKETED = (*READY, "R1 note 50", f"R1 leave ticket={TICKET}")


def say(table: PitTable, line: str) -> Answer:
    written = line.replace("TICKET", TICKET).replace("OTHER_KEY", OTHER_KEY).replace("KEY", KEY)
    return table.answer(read_line(written, table.now_ms, HOUSE_VERBS))


def say_all(table: PitTable, *lines: str) -> None:
    for line in lines:
        answer = say(table, line)
        assert answer.ok, (line, answer.refusal)


def refusal(table: PitTable, line: str) -> str:
    """The code of the refusal, which there must be."""
    answer = say(table, line)
    assert answer.refusal is not None, answer.events
    return answer.refusal.code


def names(answer: Answer) -> list[str]:
    return [type(event).__name__ for event in answer.events]


def a_table(pit: Pit | None = None, *lines: str) -> PitTable:
    table = (pit or Pit()).enter(fixture("crown"))
    say_all(table, *lines)
    return table
