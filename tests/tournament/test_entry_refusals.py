"""Every refusal of planning, entry, presence and slips has its rows: what leads up to it, the act and the clause.

`given` names the steps of `Desk`; `case` is the number of an acceptance case.
"""

import re
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from sabot.tournament import decide
from sabot.tournament.conditions.fixtures import fixture_raw
from sabot.tournament.entry import entering as entry
from sabot.tournament.entry import entrants, planning, presence, slips
from sabot.tournament.refusal import TournamentCause, TournamentRefused
from tests.tables import rows
from tests.tournament.desk import Desk, plays, read_act, stamp

ROWS = rows("tournament_entry.tsv")


def _led(row: dict[str, str]) -> Desk:
    desk = Desk(row["conditions"])
    for step in row["given"].split("; ") if row["given"] != "-" else []:
        name, *numbers = step.split()
        getattr(desk, name)(*map(int, numbers))
    return desk if row["at"] == "-" else desk.at(row["at"])


def _written(desk: Desk, act: str) -> str:
    """The act with the digest of the newest version, or whole conditions, in place of their names."""
    raw = msgspec.json.decode(act)
    if raw.get("digest") == "NEWEST" and desk.state.newest is not None:
        raw["digest"] = desk.state.newest.digest
    if isinstance(raw.get("conditions"), str):
        raw["conditions"] = fixture_raw(raw["conditions"].lower())
    return msgspec.json.encode(raw).decode()


def _stamped(row: dict[str, str]) -> dict[str, object]:
    if row["stamped"] == "-":
        return {}
    stamped: dict[str, object] = msgspec.json.decode(row["stamped"])
    tables = stamped.get("tables")
    if isinstance(tables, dict):
        stamped["tables"] = {table: plays(**other) for table, other in tables.items()}
    return stamped


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['cause']}: {row['given']}")
def test_refusal(row: dict[str, str]) -> None:
    desk = _led(row)
    before = desk.state
    second = "" if row["second"] == "-" else row["second"]
    given = replace(stamp(row["by"], desk.now_ms, second), **_stamped(row))
    refused = desk.say(read_act(desk.id, _written(desk, row["act"])), given)
    assert isinstance(refused, TournamentRefused), refused
    assert refused.code == row["cause"].lower()
    assert refused.clause == row["clause"] or row["clause"] == "ANY"
    assert "{" not in refused.text
    assert desk.state is before


def test_every_cause_of_these_rooms_has_its_row() -> None:
    """What the modules can raise, by their text, is what the table shows."""
    modules = (decide, entrants, entry, planning, presence, slips)
    text = "".join(Path(str(module.__file__)).read_text(encoding="utf-8") for module in modules)
    raised = set(re.findall(r"TournamentCause\.([A-Z_]+)", text))
    assert raised == {row["cause"] for row in ROWS}
    assert raised <= {cause.name for cause in TournamentCause}
