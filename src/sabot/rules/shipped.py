"""The six rule sets that come with Sabot, read from the data files of this package."""

from functools import cache

from sabot.basics.mistake import Mistake
from sabot.basics.shipped_file import shipped_file
from sabot.rules.house_rule import TableFigures
from sabot.rules.rule_set import RuleSet
from sabot.rules.rule_set_file import read_rule_set

IDS = (
    "crown-traditional",
    "crown-baccarat",
    "mbs-baccarat",
    "mbs-no-commission",
    "mbs-rapid-no-commission",
    "rws-non-commission",
)


@cache
def rule_set(identity: str) -> RuleSet:
    """The shipped rule set with this id."""
    if identity not in IDS:
        import difflib  # noqa: PLC0415  For a wrong id alone.

        near = difflib.get_close_matches(identity, IDS, n=1, cutoff=0.4)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise Mistake(f"there is no rule set {identity!r}{hint}; the sets are {', '.join(IDS)}")
    file = f"{identity}.toml"
    return read_rule_set(shipped_file("sabot.rules", f"rule_sets/{file}"), file)


def figures_of(one: RuleSet) -> TableFigures:
    """The figures of the table's procedure under this rule set."""
    of_the_house = one.house_rules.figures if one.house_rules else None
    figures = one.figures or of_the_house or rule_set("crown-traditional").figures
    assert figures is not None
    return figures


def all_rule_sets() -> list[RuleSet]:
    return [rule_set(identity) for identity in IDS]


def documents() -> frozenset[str]:
    """The documents that the shipped rule sets follow."""
    return frozenset(one.document for one in all_rule_sets())
