"""Who reads a table's ledger and meters: in a tournament's session they are of credits, so each reader must decide.

A reader of money asks for `money_ledger` and `money_meters`. The files below read what is in play, whatever its unit.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import sabot

SOURCES = Path(sabot.__file__).parent
OWN_ROOMS = ("table", "ledger", "house", "tournament")
"""They keep the books themselves."""
IN_PLAY = {
    "audit/fast_forward.py": "lays touches on the layouts, of either unit",
    "audit/shared_replay.py": "the house's ledger",
    "audit/replay.py": "holds the books in play to the self-audit",
    "audit/money_aside.py": "compares the ledger before a session with the one after it",
    "floor/contests/outcome.py": "the house's ledger, and those of the tables after the last session",
    "floor/contests/upsets.py": "holds the books in play to the laws, and the money aside to what it was",
    "views/floor_map.py": "shows what lies on the layouts, in credits where a session is on",
    "views/public.py": "a session's section is made anew when the credits move",
    "cli/table_talk.py": "prints what a conversation answers",
    "floor/lines/answer.py": "answers with the books in play",
    "floor/lines/tournament_figures.py": "the house's ledger",
    "floor/nights/laws.py": "holds the books in play to the laws",
    "floor/nights/undoing.py": "an act and its undoing leave what is played with as it was",
    "floor/simulator/witness.py": "holds the books in play to the laws",
    "floor/table_owner/devices.py": "tells stations what they have to wager with",
    "floor/table_owner/term.py": "holds each record to books that balance",
    "rulebook/house_steps.py": "the house's ledger",
    "rulebook/tournament_steps.py": "the house's ledger",
    "rulebook/table_figures_steps.py": "scenarios name the account, which is of one unit or in play",
    "views/audience.py": "shows a station its own purse",
    "views/console.py": "shows what disagrees, and where something changed",
    "views/scorecard.py": "shows the purses in play",
    "views/station.py": "shows a station its own purse",
    "web/http/monitoring.py": "a switch of a request, named `meters`",
    "web/http/service_routes.py": "an operation named `meters`, which gives those of money",
    "cli/journal/report.py": "prints the meters of money that kept sums hold",
    "views/report_sheets.py": "shows the meters of money that kept sums hold",
    "cli/journal/replay.py": "prints the meters of money that a state at a record shows",
}


def readers() -> Iterator[str]:
    for path in sorted(SOURCES.rglob("*.py")):
        name = path.relative_to(SOURCES).as_posix()
        if name.split("/")[0] in OWN_ROOMS:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if any(isinstance(node, ast.Attribute) and node.attr in ("ledger", "meters") for node in ast.walk(tree)):
            yield name


def test_every_reader_of_a_ledger_has_decided_what_it_means() -> None:
    assert set(readers()) == set(IN_PLAY)
