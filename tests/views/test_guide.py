"""The guide for the staff in the documents is the one that the program prints."""

import os
from pathlib import Path

from sabot.basics.act import verb
from sabot.rules.shipped import all_rule_sets
from sabot.table.irregularities.details import ACTS
from sabot.table.irregularities.ways import FACTS
from sabot.views.guide import guide

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "table.md"
BEGIN, END = "<!-- Printed by `sabot rules --guide`. -->\n", "<!-- The end of the guide. -->\n"


def test_the_document_holds_the_guide_that_is_printed() -> None:
    """After a change that is meant, SABOT_WRITE_GOLDEN=1 ./test tests/views/test_guide.py writes it anew."""
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    written, _, after = rest.partition(END)
    assert "## When something goes wrong" in before
    if os.environ.get("SABOT_WRITE_GOLDEN"):
        DOCUMENT.write_text(f"{before}{BEGIN}{guide()}{END}{after}", encoding="utf-8")
        written = guide()
    assert written == guide()


def test_everything_that_a_rule_set_knows_to_go_wrong_has_something_to_press() -> None:
    printed = guide()
    known = {kind: one.clause for rules in all_rule_sets() for kind, one in rules.irregularities.items()}
    for kind, clause in known.items():
        assert (kind in FACTS) != (kind in ACTS)
        assert clause in printed
        pressed = [f"fact {kind}"] if kind in FACTS else [f"`{verb(one)}`" for one in ACTS[kind]]
        assert all(one in printed for one in pressed)


def test_the_guide_names_the_house_rules_of_other_documents() -> None:
    assert "CROWN 13.9, MBS-HOUSE 8.1, RWS-HOUSE 8.1" in guide()
