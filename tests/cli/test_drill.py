"""What the drill takes for noticed: a test that turns red by what it asserts, and nothing else that ends a test."""

from pathlib import Path

import pytest

from sabot.cli import drill
from sabot.cli.drill import Broken, DrillOutcome

RULE = "    return most >= 3\n"
TESTS = """
import asyncio
import pytest
from sabot.rule import is_allowed

@pytest.fixture
def floor():
    if not is_allowed(2):
        return
    raise OSError("no room")

def test_asserts():
    assert not is_allowed(2), "two are allowed"

def test_raises():
    with pytest.raises(ValueError):
        int("x" if not is_allowed(2) else "1")

def test_waits():
    if is_allowed(2):
        raise TimeoutError

def test_fails_in_a_group():
    if is_allowed(2):
        raise ExceptionGroup("several", [ExceptionGroup("more", [AssertionError("two are allowed")])])

def test_sees_nothing():
    assert is_allowed(3)

def test_is_not_set_up(floor):
    assert not is_allowed(2)
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Sources with one rule, and tests of it."""
    (tmp_path / "src" / "sabot").mkdir(parents=True)
    (tmp_path / "src" / "sabot" / "__init__.py").write_text('"""Sabot."""\n')
    (tmp_path / "src" / "sabot" / "rule.py").write_text(f"def is_allowed(most):\n{RULE}")
    (tmp_path / "test_rule.py").write_text(TESTS)
    return tmp_path


def outcome(root: Path, test: str, broken: str = "    return True\n", red: str = "", rule: str = RULE) -> DrillOutcome:
    one = Broken("a rule", "rule.py", rule, broken, test=f"test_rule.py::{test}", red=red)
    tried = drill._try(root, drill._RUN_TESTS, [], one, root / "copy", programs=[], source=root / "src" / "sabot")  # noqa: SLF001
    return tried.outcome


@pytest.mark.parametrize(
    ("test", "red", "by"),
    [
        ("test_asserts", "", "test_asserts: AssertionError: two are allowed"),
        ("test_raises", "", "test_raises: Failed: DID NOT RAISE"),
        ("test_fails_in_a_group", "", "test_fails_in_a_group: AssertionError: two are allowed"),
        ("test_waits", "TimeoutError", "test_waits: TimeoutError"),
    ],
)
def test_a_test_that_turns_red_as_it_should_has_noticed(checkout: Path, test: str, red: str, by: str) -> None:
    found = outcome(checkout, test, red=red)
    assert found.by.startswith(by)
    assert found.noticed


@pytest.mark.parametrize(
    ("test", "change", "by"),
    [
        ("test_sees_nothing", {}, "nothing turned red"),
        ("test_waits", {}, "test_waits is red for another reason than what it asserts: TimeoutError"),
        ("test_asserts", {"red": "TimeoutError"}, "test_asserts is red for another reason than TimeoutError"),
        ("test_is_not_set_up", {}, "test_is_not_set_up was not set up: "),
        ("test_that_is_not_there", {}, "no test ran: test_rule.py::test_that_is_not_there"),
        ("test_asserts", {"broken": "    return mst >= 2\n"}, "the broken rule does not run: F821"),
        ("test_asserts", {"broken": "    return most >=\n"}, "the broken rule does not run: "),
        ("test_asserts", {"rule": "    return most >= 4\n"}, "the rule stands 0 times in rule.py"),
    ],
)
def test_whatever_else_ends_a_test_has_noticed_nothing(
    checkout: Path, test: str, change: dict[str, str], by: str
) -> None:
    found = outcome(checkout, test, **change)
    assert found.by.startswith(by)
    assert not found.noticed


def test_a_test_that_does_not_end_has_noticed_only_where_its_entry_says_so(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drill, "ENDS_WITHIN_S", 0.2)
    assert not outcome(checkout, "test_asserts").noticed
    assert outcome(checkout, "test_asserts", red=drill.DOES_NOT_END).noticed
