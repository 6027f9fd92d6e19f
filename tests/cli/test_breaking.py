"""Rules that the drill breaks in forks, without loading the package for each."""

import subprocess
import sys
from pathlib import Path

import msgspec

from sabot.cli.breaking import Functions, Red
from sabot.cli.drill import Broken

SOURCE = Path(__file__).resolve().parents[2] / "src" / "sabot"
LATE = Broken(
    "a wager at the deadline is accepted",
    "table/wagers/deciding.py",
    "stamp.at_ms >= coup.deadline_ms:\n        raise _closed",
    "stamp.at_ms > coup.deadline_ms:\n        raise _closed",
    "crown/1.1-wagering-period.scenario",
)
SAME = Broken("nothing", LATE.file, LATE.rule, LATE.rule.replace(":\n", ":  # Late.\n"), LATE.first)
OTHER_FILE = Broken(LATE.what, LATE.file, LATE.rule, LATE.broken, "crown/10.1-traditional-banker.scenario")
NOT_THERE = Broken("a rule that is gone", LATE.file, "if the moon is full:", "if False:", LATE.first)
OF_A_TABLE = Broken("a name", "__init__.py", "Sabot", "Other", LATE.first)

IN_FORKS = """
import sys, msgspec
from pathlib import Path
from sabot.cli.breaking import noticed_in_forks
from sabot.cli.drill import Broken
rules = msgspec.json.decode(sys.stdin.read(), type=list[Broken])
print(msgspec.json.encode(noticed_in_forks(Path(sys.argv[1]), rules)).decode())
"""
"""In a process of its own: a process of tests has threads, and no fork of it is sound."""


def test_a_rule_is_broken_in_its_fork_alone_and_only_what_turns_red_is_noticed() -> None:
    rules = msgspec.json.encode([LATE, SAME, OTHER_FILE, NOT_THERE, OF_A_TABLE, LATE])
    ran = subprocess.run([sys.executable, "-c", IN_FORKS, SOURCE], input=rules, capture_output=True, check=True)  # noqa: S603
    late, same, other, gone, of_a_table, again = msgspec.json.decode(ran.stdout, type=list[Red | None])
    assert late is not None
    assert late.scenario.startswith(LATE.first)
    assert again == late
    assert (same, other, gone, of_a_table) == (None, None, None, None)


def test_code_is_given_only_where_nothing_but_functions_differ() -> None:
    functions, file = Functions(), "rules/table_of_play.py"
    sound = (SOURCE / file).read_text(encoding="utf-8")
    assert functions.give_code(file, sound, f"# A remark.\n{sound}")
    assert not functions.give_code(file, sound, f"{sound}\nNEW = 1\n")
    assert not functions.give_code("rules/not_loaded.py", "def f():\n    return 1\n", "def f():\n    return 2\n")
