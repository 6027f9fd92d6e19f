"""The operator's guide names everything that a person may ask of a tournament, and of the cage for one."""

from pathlib import Path
from typing import get_args

from sabot.basics.act import verb
from sabot.basics.role import Role
from sabot.house.acts import SlipAct
from sabot.ledger.account import OWED_IN_TOURNAMENTS, TOURNAMENT_INCOME
from sabot.tournament.decide import RULES
from sabot.tournament.phase import TRANSITIONS, TournamentPhase

GUIDE = Path(__file__).parents[2] / "docs" / "tournaments.md"


def test_the_guide_names_every_verb_in_a_row_of_its_tables() -> None:
    rows = [line for line in GUIDE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    asked = [kind for kind, rule in RULES.items() if rule.who - {Role.CLOCK}]
    assert len(asked) > 30
    for kind in (*asked, *get_args(SlipAct)):
        assert any(f"`{verb(kind)}`" in row for row in rows), verb(kind)


def test_the_guide_says_where_two_are_due() -> None:
    rows = GUIDE.read_text(encoding="utf-8").splitlines()
    for kind, rule in RULES.items():
        row = next((line for line in rows if line.startswith("| ") and f"`{verb(kind)}`" in line), "")
        assert ("with a second" in row) is bool(rule.second), verb(kind)


def test_the_guide_shows_every_phase_and_every_account() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    for phase in TournamentPhase:
        assert f" {phase}:" in text or f" {phase} -->" in text, phase
    for before, events in TRANSITIONS.items():
        for after in events.values():
            assert f"    {before} --> {after}:" in text, (before, after)
    for kind in OWED_IN_TOURNAMENTS | TOURNAMENT_INCOME:
        assert f"| `{kind}` |" in text, kind
