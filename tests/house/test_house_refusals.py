"""Every refusal of the house has its row: what leads up to it, and the line that is refused."""

import pytest

from sabot.house.refusal import HouseCause
from sabot.rulebook.clauses import clauses, readings
from tests.house.talking import FEE_SLIP, FEE_TAKEN, PRIZE_DUE, READY, TICKETED, a_table, say, say_all
from tests.tables import rows

_LEADS = {
    "ready": READY,
    "ticketed": TICKETED,
    "fee due": (FEE_SLIP,),
    "fee taken": FEE_TAKEN,
    "prize due": PRIZE_DUE,
    "-": (),
}


@pytest.mark.parametrize("row", rows("house_refusals.tsv"), ids=lambda row: row["cause"])
def test_refusal(row: dict[str, str]) -> None:
    table = a_table()
    for lead in row["given"].split("; "):
        say_all(table, *_LEADS.get(lead, (lead,)))
    house, state = table.floor.house, table.state
    answer = say(table, row["refused"])
    assert answer.refusal is not None, answer.events
    assert answer.refusal.code == row["cause"].lower()
    assert answer.refusal.clause in clauses() or answer.refusal.clause in readings()
    assert "{" not in answer.refusal.text
    assert table.state is state
    assert (table.floor.house is house) is not bool(answer.events)


def test_every_refusal_has_its_row() -> None:
    assert {row["cause"] for row in rows("house_refusals.tsv")} == {cause.name for cause in HouseCause}
    for cause in HouseCause:
        assert cause.clause in clauses() or cause.clause in readings()
