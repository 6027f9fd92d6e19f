"""The rule sets that come with Sabot, read from the data files of this package: six approved ones, and examples.

An example has no approved document. It shows how side bets of the market are written, with their exact odds; a table is
not opened with one.
"""

from functools import cache

import msgspec

from sabot.basics.mistake import Mistake
from sabot.basics.shipped_file import shipped_file
from sabot.rules.house_rule import TableFigures
from sabot.rules.rule_set import RuleSet
from sabot.rules.rule_set_file import digest, read_rule_set

IDS = (
    "crown-traditional",
    "crown-baccarat",
    "mbs-baccarat",
    "mbs-no-commission",
    "mbs-rapid-no-commission",
    "rws-non-commission",
)


EXAMPLES = (
    "example-ez",
    "example-lucky-6",
    "example-tiger",
    "example-big-small",
    "example-egalite",
    "example-dai-bacc",
    "example-5-treasures",
    "example-totals",
    "example-royal-9",
)


@cache
def rule_set(identity: str) -> RuleSet:
    """The shipped rule set with this id."""
    if identity in EXAMPLES:
        return _example(f"{identity}.toml")
    if identity not in IDS:
        import difflib  # noqa: PLC0415  For a wrong id alone.

        near = difflib.get_close_matches(identity, (*IDS, *EXAMPLES), n=1, cutoff=0.4)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise Mistake(
            f"there is no rule set {identity!r}{hint}; the sets are {', '.join(IDS)}, examples {', '.join(EXAMPLES)}"
        )
    file = f"{identity}.toml"
    return read_rule_set(shipped_file("sabot.rules", f"rule_sets/{file}"), file)


@cache
def digest_of(identity: str) -> str:
    """The digest of the shipped rule set with this id."""
    return digest(rule_set(identity))


def _example(file: str) -> RuleSet:
    """The bets of an example with the procedure that all examples share, and its own bets in place of the shared."""
    common, own = (
        msgspec.toml.decode(shipped_file("sabot.rules", f"examples/{name}")) for name in ("common.toml", file)
    )
    return read_rule_set(msgspec.json.encode({**common, **own, "bets": common["bets"] | own["bets"]}), f"{file}.json")


def figures_of(one: RuleSet) -> TableFigures:
    """The figures of the table's procedure under this rule set."""
    of_the_house = one.house_rules.figures if one.house_rules else None
    figures = one.figures or of_the_house or rule_set("crown-traditional").figures
    assert figures is not None
    return figures


def all_rule_sets() -> list[RuleSet]:
    """The approved ones."""
    return [rule_set(identity) for identity in IDS]


def all_examples() -> list[RuleSet]:
    return [rule_set(identity) for identity in EXAMPLES]


def documents() -> frozenset[str]:
    """The documents that the shipped rule sets follow."""
    return frozenset(one.document for one in all_rule_sets())
