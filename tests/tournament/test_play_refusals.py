"""What a tournament refuses from the draw to the books: every cause, with its clause, from a table."""

import csv
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from sabot.basics.act import verb
from sabot.tournament import acts
from sabot.tournament.decide import RULES
from tests.tournament.desk import ms, read_act
from tests.tournament.situations import at

TABLE = Path(__file__).parents[1] / "data" / "tournament_play.tsv"


class Row(NamedTuple):
    code: str
    clause: str
    case: str
    situation: str
    at: str
    who: str
    second: str
    act: str
    stamp: str


def _rows() -> list[Row]:
    with TABLE.open(newline="") as file:
        return [Row(**row) for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


@pytest.mark.parametrize("row", _rows(), ids=lambda row: f"{row.code}-{row.situation}")
def test_a_refusal_names_its_cause_and_clause(row: Row) -> None:
    play = at(row.situation)
    if row.at:
        play.at(row.at)
    written = msgspec.json.decode(row.act)
    if isinstance(written.get("to_ms"), str):
        written["to_ms"] = ms(written["to_ms"])
    act = read_act(play.id, msgspec.json.encode(written).decode())
    stamped = msgspec.json.decode(row.stamp) if row.stamp else {}
    assert play.no(act, row.who, row.second, **stamped) == (row.code, row.clause)


def test_every_act_of_play_that_people_give_is_refused_somewhere() -> None:
    refused = {msgspec.json.decode(row.act)["do"] for row in _rows()}
    play = [*acts.SeatingAct.__args__, *acts.SittingAct.__args__, *acts.ProgressAct.__args__]
    given = {verb(kind) for kind in play if kind in RULES}
    assert given - refused == {"buy_back", "cancel_tournament"}
