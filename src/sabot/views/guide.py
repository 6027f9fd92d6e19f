"""The guide for the staff, "When something goes wrong": what happened, what to press, and what the documents say.

It is made from the data that the console's guidance and the decisions read. These are the irregularities of the shipped
rule sets, what a fact has to say, the acts with who may give them, and the house rules. `sabot rules --guide` prints
it, and `docs/table.md` holds what was printed.
"""

from collections.abc import Iterable, Iterator

from sabot.basics.act import Act, verb
from sabot.basics.role import in_words
from sabot.rules.house_rule import SHIPPED, house_rules
from sabot.rules.rule_set import Irregularity, IrregularityName
from sabot.rules.shipped import all_rule_sets
from sabot.table import acts
from sabot.table.irregularities.details import ACTS, DETAILS, FactCards
from sabot.table.rules import RULES
from sabot.views.words import EFFECTS, WORDS

_TOPICS = ("irregularities", "corrections", "faults", "cases")
"""The folders of `table/` whose acts put something right."""
_CHAPTERS = ("CROWN 11", "CROWN 13")
"""What the document of Crown says of irregularities and of people; its house rules stand for the same."""
_QUESTIONS = {
    "hand": "the hand",
    "reconstructible": "whether it can be reconstructed",
    "order_known": "whether the order is known",
}
_UNLESS = {
    "reconstructible": "it can be reconstructed",
    "order known": "the order is known",
    "last coup": "it was the last coup",
}
_WAGERS_ONLY = {
    IrregularityName.STATION_FAULT_BEFORE_CLOSE: "the station's wagers are void",
    IrregularityName.UNCONFIRMED_WAGERS: "those wagers are void",
}
"""Where an effect is on wagers, and the coup goes on."""
_ON_FACTS = frozenset({"fact", "resolve", "withdraw_fact"})


def guide() -> str:
    """The guide in Markdown."""
    parts = (
        "State what physically happened with `fact`: the answer lists every lawful way, its clause, who may choose",
        "it and what it does to each account. Then `resolve` one. What is no fact of the cards has an act of its own.",
        "",
        *_table(("what happened", "what to press", "what the documents say"), _irregularities()),
        "",
        "Acts beside the facts of the cards. Where another document than Crown's is silent, the house's rule is named.",
        "",
        *_table(("what it is for", "what to press", "who", "what the documents say"), _acts()),
        "",
        "What the console asks for by itself, the most pressing first:",
        "",
        *_table(("the console says", "what to press"), _guidance()),
    )
    return "\n".join(parts) + "\n"


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * len(heads)
    yield from (f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows)


def _irregularities() -> Iterator[tuple[str, ...]]:
    for kind in IrregularityName:
        said = tuple(_said_of(kind))
        if said:
            yield _words(kind), _pressed(kind), "<br>".join(said)


def _pressed(kind: IrregularityName) -> str:
    """The fact with what it must say, or the acts that serve instead."""
    if kind not in DETAILS:
        return ", ".join(f"`{verb(one)}`" for one in ACTS[kind])
    details = DETAILS[kind]
    cards = {FactCards.ONE: "the card", FactCards.SOME: "the cards", FactCards.IF_ANY: "the cards, if any"}
    asked = [cards[details.cards]] if details.cards in cards else []
    others = (name for name in details.__struct_fields__ if name != "cards" and getattr(details, name) is True)
    asked += [_QUESTIONS.get(name, name.replace("_", " ")) for name in others]
    return f"`fact {kind}`" + (f" with {', '.join(asked)}" if asked else "") + ", then `resolve`"


def _said_of(kind: IrregularityName) -> Iterator[str]:
    """What each rule set says of it; rule sets that say the same in the same words are told once."""
    told: dict[tuple[str, str], list[str]] = {}
    for rules in all_rule_sets():
        one = rules.irregularities.get(kind)
        if one is not None:
            told.setdefault((_effect(kind, one), _who(one)), []).append(one.clause)
    for (effect, who), clauses in told.items():
        yield f"{effect} ({', '.join(dict.fromkeys(clauses))}; {who})"
    if kind in DETAILS or acts.Fact in ACTS[kind]:  # Where a rule set does not know a fact, it cannot be stated.
        return
    silent = [rules.house_rules for rules in all_rule_sets() if kind not in rules.irregularities]
    own = [house.cite(clauses[0]) for house in silent if house for clauses in told.values()]
    if own:
        yield f"by the house's own rule ({', '.join(dict.fromkeys(own))})"


def _effect(kind: IrregularityName, one: Irregularity) -> str:
    only_if = f", if {one.only_if}" if one.only_if else ""
    unless = f", unless {_UNLESS[one.unless]}" if one.unless else ""
    return _WAGERS_ONLY.get(kind, EFFECTS[one.effect]) + only_if + unless


def _who(one: Irregularity) -> str:
    return one.by.replace("_", " ").title()


def _acts() -> Iterator[tuple[str, ...]]:
    for kind, rule in RULES.items():
        clause = rule.clause if isinstance(rule.clause, str) else ""
        if verb(kind) not in _ON_FACTS and (_topic(kind) in _TOPICS or clause.startswith(_CHAPTERS)):
            yield _purpose(kind), f"`{verb(kind)}`", in_words(rule.who), ", ".join(_cited(clause))


def _topic(kind: type[Act]) -> str:
    """The folder of the table that the act belongs to."""
    return kind.__module__.split(".")[2]


def _purpose(kind: type[Act]) -> str:
    said = kind.__dict__.get("__doc__") or ""
    return said.strip().split("\n", maxsplit=1)[0].removesuffix(".") or _words(verb(kind))


def _cited(clause: str) -> Iterator[str]:
    if clause:
        yield clause
    for house in map(house_rules, SHIPPED):
        if (own := house.cite(clause)) != clause:
            yield own


def _guidance() -> Iterator[tuple[str, ...]]:
    verbs = {verb(kind) for kind in RULES}
    for code, sentence in WORDS.items():
        if code.startswith("guide_"):
            pressed = code.removeprefix("guide_")
            yield sentence, f"`{pressed}`" if pressed in verbs else "—"


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()
