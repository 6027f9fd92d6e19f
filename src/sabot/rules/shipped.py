"""The rule sets that come with Sabot, and the way to any other.

Reading the files that are part of this package is the only input this room has; they are as fixed as its code.
"""

import difflib
from functools import cache
from importlib import resources

from sabot.basics.mistake import Mistake
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
        near = difflib.get_close_matches(identity, IDS, n=1, cutoff=0.4)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise Mistake(f"there is no rule set {identity!r}{hint}; the sets are {', '.join(IDS)}")
    file = f"{identity}.toml"
    return read_rule_set((resources.files(__package__) / "rule_sets" / file).read_bytes(), file)


def all_rule_sets() -> list[RuleSet]:
    return [rule_set(identity) for identity in IDS]


def documents() -> frozenset[str]:
    """The approved documents that the shipped rule sets follow."""
    return frozenset(one.document for one in all_rule_sets())
