"""A value of the wrong type or form is said in words, with its place."""

import ast
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pytest

import sabot
from sabot.basics.mistake import told_of
from sabot.basics.wrong_value import FORMS


class _Limits(msgspec.Struct, forbid_unknown_fields=True):
    minimum: Annotated[int, msgspec.Meta(ge=0)] = 0
    step: int | None = None


class _Written(msgspec.Struct, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(max_length=5)]
    staff: dict[Annotated[str, msgspec.Meta(pattern=r"^[A-Z]{3}$")], list[Literal["dealer", "cashier"]]] = {}
    limits: dict[str, _Limits] = {}


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ({}, "the key name is missing"),
        ({"nmae": "T1"}, "there is no key nmae; did you mean name?"),
        ({"name": "far too long"}, "name: it has at most 5 characters"),
        ({"name": 1}, "name: text in quotation marks is wanted, not a whole number"),
        ({"name": "T1", "staff": {"ABC": [], "D 1": []}},
         "staff.D 1: a currency has three capital letters, such as AUD"),
        ({"name": "T1", "staff": {"ABC": [], "DEF": ["dealer", "cook"]}},
         "staff.DEF[1]: 'cook' is none of cashier, dealer"),
        ({"name": "T1", "limits": {"tie": {}, "player": {"minimum": -5}}},
         "limits.player.minimum: a whole number of at least 0 is wanted"),
        ({"name": "T1", "limits": {"tie": {"step": 2.5}}},
         "limits.tie.step: a whole number is wanted, not a number with a point"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_told_with_its_entry_and_in_words(written: dict[str, object], told: str) -> None:
    with pytest.raises(msgspec.ValidationError) as wrong:
        msgspec.convert(written, _Written)
    assert told_of(wrong.value, _Written, written) == told


def test_every_pattern_of_a_type_has_its_words() -> None:
    """A person is never shown a pattern."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in Path(sabot.__file__).parent.rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    constants = {
        target.id: node.value.value
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    values = [one.value for one in nodes if isinstance(one, ast.keyword) and one.arg == "pattern"]
    written = {
        one.value if isinstance(one, ast.Constant) else constants[one.id]
        for one in values
        if isinstance(one, ast.Constant | ast.Name)
    }
    assert len(written) > 10
    assert written == set(FORMS)
