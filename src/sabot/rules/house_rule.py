"""House rules: the operator's own procedure where a document is silent, as data with its own name and figures.

The program knows each procedure by CROWN's number, since that document states all of them. At a table under another
document the house's own rule is cited instead (`HouseRules.cite`); what it says and its figures are the operator's.
"""

from collections.abc import Mapping
from functools import cache, cached_property
from typing import Annotated

import msgspec

from sabot.basics.mistake import Mistake
from sabot.basics.shipped_file import shipped_file
from sabot.rules.part import CheckedClause, Clause, Count, Part, Words

NUMBERED_BY = "CROWN "
"""The document whose numbers the program uses."""
SHIPPED = ("mbs", "rws")
_ENDS = " .(["
"""What stands between a clause and what is below it."""

Says = Annotated[str, msgspec.Meta(min_length=1, max_length=400)]


class TableFigures(Part, frozen=True, kw_only=True):
    """Figures of a table's procedure, each with the clause that sets it."""

    most_stations: Count
    most_stations_clause: CheckedClause
    notice_minutes: Count
    """How long a sign is shown before a minimum rises or a table with patrons closes."""
    notice_clause: CheckedClause
    idle_coups: Count
    """After so many idle coups with every other seat in use a patron may be asked to vacate."""
    idle_clause: CheckedClause
    fault_grace_seconds: Count = 5
    """A failure longer ago than this is signed for by a supervisor."""
    fault_grace_clause: CheckedClause = Clause("G-152")

    @property
    def fault_grace_ms(self) -> int:
        return self.fault_grace_seconds * 1000

    @property
    def notice_ms(self) -> int:
        return self.notice_minutes * 60_000


class HouseRule(Part, frozen=True, kw_only=True):
    id: CheckedClause
    topic: Words
    title: Words
    says: Says
    instead_of: tuple[str, ...]
    """The clauses that it stands for at this table, with everything below them that no other rule stands for. A reading
    is named where no document says anything at all."""
    voids: bool = False
    """Whether wagers may become void by it, beyond what the document lists."""


class HouseRules(Part, frozen=True, kw_only=True, dict=True):
    document: Words
    """The prefix of the rules' ids."""
    title: Words
    figures: TableFigures
    rules: tuple[HouseRule, ...]

    def cite(self, clause: str) -> str:
        """The house's own rule for a clause that the program numbers; another stays as it is unless a rule names it."""
        return cited(clause, self.cited_as)

    def sentence(self, rule: HouseRule) -> str:
        """What the rule says, with the figures of these house rules."""
        return rule.says.format(**msgspec.structs.asdict(self.figures))

    @cached_property
    def cited_as(self) -> dict[str, str]:
        """The rule for each number of the program that one stands for, and the first rule for all others."""
        named = {clause.removeprefix(NUMBERED_BY): rule.id for rule in self.rules for clause in rule.instead_of}
        return {"": self.rules[0].id, **named}


def cited(clause: str, cited_as: Mapping[str, str]) -> str:
    """The rule for the clause or for the nearest one above it; where there is none, the clause as it is."""
    if not clause.startswith(NUMBERED_BY):
        return cited_as.get(clause, clause) if clause else ""
    place = clause.removeprefix(NUMBERED_BY)
    while place and place not in cited_as:
        place = place[: max(0, *(place.rfind(end) for end in _ENDS))]
    return cited_as.get(place, clause)


@cache
def house_rules(identity: str) -> HouseRules:
    """The shipped house rules with this id."""
    if identity not in SHIPPED:
        raise Mistake(f"there are no house rules {identity!r}; those shipped are {', '.join(SHIPPED)}")
    text = shipped_file("sabot.rules", f"house_rules/{identity}.toml")
    return msgspec.toml.decode(text, type=HouseRules)
