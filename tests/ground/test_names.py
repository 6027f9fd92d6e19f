"""Names: each public type has one of its own, and an act's class, tag and verb agree."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from sabot.basics.act import verb
from sabot.floor.lines.reader import HOUSE_VERBS, TABLE_VERBS
from sabot.house.decide import RULES as HOUSE_RULES
from sabot.table.rules import RULES

SOURCE = Path(__file__).resolve().parents[2] / "src" / "sabot"
SHARED = {
    "Card": "a card, and the act of entering one: the verb is the dealer's word for it",
    "PrintFailed": "the event, and the report that leads to it: the verb is the device's word for it",
}
PERSONIFIED = re.compile(r"\bwhoever\b|\b(?:he|him|his|himself)\b", re.IGNORECASE)


def _public_types(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name[0].isupper() and not name.isupper() and len(name) > 1:
                yield name


def test_every_public_type_has_a_name_of_its_own() -> None:
    found = defaultdict(set)
    for path in SOURCE.rglob("*.py"):
        for name in _public_types(ast.parse(path.read_text(encoding="utf-8"))):
            if not name.startswith("_"):
                found[name].add(str(path.relative_to(SOURCE)))
    assert len(found) > 500
    assert {name for name, files in found.items() if len(files) > 1} == set(SHARED)


def test_class_tag_and_verb_of_an_act_are_one_name() -> None:
    for kind in (*RULES, *HOUSE_RULES):
        assert verb(kind).replace("_", "") == kind.__name__.lower()
        assert kind().verb == verb(kind) if not kind.__struct_fields__ else True
    assert set(TABLE_VERBS.values()) == set(RULES)
    assert set(HOUSE_VERBS.values()) <= set(HOUSE_RULES)


def test_nothing_in_the_sources_is_said_of_a_person_who_is_not_there() -> None:
    """Docstrings and comments state facts: no "whoever", and no pronoun for a device or a patron."""
    found = [
        f"{path.relative_to(SOURCE)}:{number}"
        for path in SOURCE.rglob("*.py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if PERSONIFIED.search(line)
    ]
    assert found == []
