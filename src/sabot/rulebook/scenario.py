"""Scenario files: one per clause, readable as documentation, run as a test.

    # CROWN 10.1 Traditional Banker          the clause, or several where documents coincide
    ## A win with seven                      a scenario
    given rule set crown-traditional         or several, and the scenario runs under each
    given wager banker 100
    when  deal 2S 4H 3D 3C 8S
    then  banker wins 7 to 3
    then  banker net +95.00 of gross 100.00 less commission 5.00

What stands before the steps is prose for the reader. What the steps may say is in
`rules_steps.py`, `table_steps.py`, `table_figures_steps.py`, `house_steps.py`, `screen_steps.py`,
`tournament_steps.py` and `tournament_figures_steps.py`.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Literal

import msgspec

from sabot.basics.mistake import Mistake
from sabot.rulebook.clauses import clauses, house_rules_by_id


class Step(msgspec.Struct, frozen=True):
    keyword: Literal["given", "when", "then"]
    text: str
    line: int


class Scenario(msgspec.Struct, frozen=True):
    file: str
    name: str
    clauses: tuple[str, ...]
    rule_sets: tuple[str, ...]
    steps: tuple[Step, ...]

    @property
    def id(self) -> str:
        return f"{self.file}: {self.name}"


_STEP = re.compile(r"(given|when|then)\s+(\S.*)")
_RULE_SETS = re.compile(r"rule sets? (.+)")


def read_scenarios(text: str, file: str) -> list[Scenario]:
    """Read one scenario file; what cannot be read is refused with file and line."""
    named: list[str] = []
    found: list[tuple[str, list[Step]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            found.append((line[3:].strip(), []))
        elif line.startswith("# "):
            named.append(line[2:].strip())
            if named[-1] not in clauses() and named[-1] not in house_rules_by_id():
                raise Mistake(f"{file}, line {number}: there is no clause {named[-1]!r}")
        elif step := _STEP.fullmatch(line.strip()):
            if not found:
                raise Mistake(f"{file}, line {number}: a step before the first '## ' scenario")
            keyword, words = step.groups()
            found[-1][1].append(msgspec.convert({"keyword": keyword, "text": words.strip(), "line": number}, Step))
        elif found and found[-1][1] and line.strip():
            raise Mistake(f"{file}, line {number}: neither given, when nor then: {line.strip()!r}")
    if not named or not found:
        raise Mistake(f"{file}: a scenario file names its clauses with '# ' and its scenarios with '## '")
    return [_scenario(file, name, tuple(named), steps) for name, steps in found]


def _scenario(file: str, name: str, named: tuple[str, ...], steps: list[Step]) -> Scenario:
    rule_sets: list[str] = []
    rest = []
    for step in steps:
        if step.keyword == "given" and (match := _RULE_SETS.fullmatch(step.text)):
            rule_sets += match[1].replace(",", " ").split()
        else:
            rest.append(step)
    if not rule_sets:
        raise Mistake(f"{file}, {name!r}: names no rule set to run under")
    if not any(step.keyword == "then" for step in rest):
        raise Mistake(f"{file}, {name!r}: has no 'then', so it could not fail")
    return Scenario(file, name, named, tuple(rule_sets), tuple(rest))


@cache
def all_scenarios() -> tuple[Scenario, ...]:
    """Every scenario that comes with Sabot, in the order of its file's name."""
    return tuple(
        scenario
        for file, text in sorted(_texts(resources.files(__package__) / "scenarios", ""))
        for scenario in read_scenarios(text, file)
    )


def _texts(folder: Traversable, prefix: str) -> Iterator[tuple[str, str]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _texts(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".scenario"):
            yield prefix + entry.name, entry.read_text(encoding="utf-8")
