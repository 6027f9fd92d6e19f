"""`sabot rules`: the rule sets, or one of them in full."""

import msgspec
from rich.table import Table

from sabot.cli.arguments import Flag, read_rule_set_argument
from sabot.cli.terminal import console, print_json, table, title_text
from sabot.rules.rule_set import Bet, BetRules, PayTableLine, RuleSet
from sabot.rules.rule_set_file import digest, write_rule_set
from sabot.rules.shipped import all_examples, all_rule_sets


def rules(rule_set: str | None = None, /, *, json: Flag = False, guide: Flag = False, examples: Flag = False) -> int:
    """Show the rule sets, or one: bets, odds, options, decks, procedures, each with its clause.

        sabot rules

        sabot rules crown-traditional

        sabot rules my-casino.toml

        sabot rules --examples

    A rule set is a file. To make your own, print one with --json, change it, and give the file instead of an id to
    rules, coup, demo and table; a file with a mistake is refused with the key and the reason.

    Parameters
    ----------
    rule_set
        The id of a rule set, or the path of a rule set file (.toml or .json).
    json
        Print the stable JSON form; for one rule set, the form that can be read back as a file.
    guide
        Print the guide for the staff in Markdown: what happened, what to press, what the documents say.
    examples
        List the examples of side bets instead, which no approved document has; no table is opened with one.
    """
    if guide:
        from sabot.views.guide import guide as staff_guide

        print(staff_guide(), end="")  # noqa: T201  Markdown as it is, without a terminal's wrapping.
        return 0
    if rule_set is None:
        _list(all_examples() if examples else all_rule_sets(), json=json)
        if not examples and not json:
            console().print("More side bets, of no approved document: sabot rules --examples", style="dim")
    elif json:
        print_json(msgspec.Raw(write_rule_set(read_rule_set_argument(rule_set))))
    else:
        _show(read_rule_set_argument(rule_set))
    return 0


def _list(rule_sets: list[RuleSet], *, json: bool) -> None:
    if json:
        print_json([_summary(one) for one in rule_sets])
        return
    out = console()
    wide = out.width >= 120
    more = ("operator", "document") if wide else ()
    shown = table("id", "title", *more, "decks", "bets|", "Banker win", "on 6")
    for one in rule_sets:
        shown.add_row(
            one.id,
            one.title,
            *((one.operator, f"{one.document} {_edition(one)}") if wide else ()),
            f"{one.decks.minimum}–{one.decks.maximum}",
            str(len(one.bets)),
            *_banker_odds(one),
        )
    out.print(shown)


def _summary(one: RuleSet) -> dict[str, object]:
    return {
        "id": one.id,
        "title": one.title,
        "operator": one.operator,
        "document": one.document,
        "version": one.version,
        "effective": one.effective,
        "decks": {"minimum": one.decks.minimum, "maximum": one.decks.maximum},
        "options": {name: option.choices for name, option in one.options.items()},
        "bets": list(one.bets),
        "digest": digest(one),
    }


def _edition(one: RuleSet) -> str:
    return one.version if one.effective is None else f"version {one.version}, {one.effective}"


def _banker_odds(one: RuleSet) -> tuple[str, str]:
    winning = [line for line in one.bets[Bet("banker")].lines if line.result == "win"] if "banker" in one.bets else []
    plain = next((_pays(line) for line in winning if line.when.total is None), "—")
    on_six = next((_pays(line) for line in winning if line.when.total == 6), plain)
    return plain, on_six


def _pays(line: PayTableLine) -> str:
    if line.result != "win":
        return {"push": "stake returned", "lose": "loses"}[line.result]
    odds = " / ".join(f"{pays.numerator} to {pays.denominator}" for pays in line.pays)
    return odds if line.commission is None else f"{odds} less {line.commission * 100}%"


def _show(one: RuleSet) -> None:
    out = console()
    out.print(title_text(one))
    out.print(f"{one.id}, after document {one.document}, {_edition(one)}; digest {digest(one)[:16]}…", style="dim")
    if one.notice:
        out.print(f"Notice: {one.notice.words} ({one.notice.clause})")
    out.print()
    pay_table = table("bet", "id", "when", "pays", "clause")
    for name, bet in one.bets.items():
        _add_bet(pay_table, name, bet)
    conditions = _conditions(one)
    for part in (pay_table, conditions, _facts(one), _voids(one), _house_rules(one)):
        if part.row_count:
            out.print(part)
            out.print()


def _add_bet(pay_table: Table, name: str, bet: BetRules) -> None:
    for number, line in enumerate(bet.lines):
        title = (bet.title, name) if number == 0 else ("", "")
        pay_table.add_row(*title, line.name, _pays(line), line.clause)
    pay_table.add_row("", "", "otherwise", "loses", bet.otherwise)


def _conditions(one: RuleSet) -> Table:
    conditions = table("bet", "condition", "clause")
    for bet in one.bets.values():
        if bet.offered == "optional":
            conditions.add_row(bet.title, "where the table offers it", bet.clause)
        if bet.option:
            conditions.add_row(bet.title, f"odds by option {bet.option}", one.options[bet.option].clause)
        if bet.only_with:
            conditions.add_row(bet.title, f"only with {bet.only_with.decks} decks", bet.only_with.clause)
        if bet.needs:
            beside = ", ".join(one.bet(needed).title for needed in bet.needs.bets)
            conditions.add_row(bet.title, f"only beside a wager on {beside}", bet.needs.clause)
        if bet.beside:
            half = one.bet(bet.beside.bet).title
            conditions.add_row(bet.title, f"offered together with {half}", bet.beside.clause)
    return conditions


def _voids(one: RuleSet) -> Table:
    """What may make a coup or wagers void, and who says so: the document, the house's own rules, or a reading."""
    shown = table("void", "said by", "clause")
    for name, irregularity in one.irregularities.items():
        if irregularity.effect in ("void", "decision"):
            shown.add_row(name.replace("_", " "), one.source_of(irregularity.clause), irregularity.clause)
    for rule in one.house_rules.rules if one.house_rules else ():
        if rule.voids:
            shown.add_row(rule.title, one.source_of(rule.id), rule.id)
    return shown


def _house_rules(one: RuleSet) -> Table:
    """The operator's own procedure where the document is silent."""
    shown = table("clause", "house rule", "")
    for rule in one.house_rules.rules if one.house_rules else ():
        shown.add_row(rule.id, rule.title, one.house_rules.sentence(rule) if one.house_rules else "")
    return shown


def _facts(one: RuleSet) -> Table:
    facts = table("", "rule", "clause")
    facts.add_row("decks", f"{one.decks.minimum} to {one.decks.maximum}", one.decks.clause)
    for name, option in one.options.items():
        facts.add_row(f"option {name}", f"1 to {option.choices}, the same at every table", option.clause)
    wagering = one.wagering
    facts.add_row("wagering opens", f"“{wagering.opens.words}” ({wagering.opens.by})", wagering.opens.clause)
    facts.add_row("wagering closes", f"“{wagering.closes.words}” ({wagering.closes.by})", wagering.closes.clause)
    seconds = wagering.period.default_seconds
    period = "set by the operator" if seconds is None else f"{seconds} seconds unless the operator sets it"
    facts.add_row("wagering period", period, wagering.period.clause)
    facts.add_row("late wagers", one.late_wagers.placed, one.late_wagers.placed_clause)
    facts.add_row("late withdrawal", one.late_wagers.withdrawn, one.late_wagers.withdrawn_clause)
    for placing in one.shoe.cutting_card:
        facts.add_row("cutting card", f"{placing.procedure} ({placing.from_back} cards)", placing.clause)
    for burn in one.shoe.burns:
        facts.add_row("burn", burn.procedure + (", at a patron's request" if burn.on_request else ""), burn.clause)
    facts.add_row("coups after the cutting card", str(one.shoe.coups_after_cutting_card), one.shoe.last_coup)
    for name, irregularity in one.irregularities.items():
        only_if = f", if {irregularity.only_if}" if irregularity.only_if else ""
        unless = f", unless {irregularity.unless}" if irregularity.unless else ""
        facts.add_row(name.replace("_", " "), irregularity.effect + only_if + unless, irregularity.clause)
    facts.add_row("void coup", "all wagers back", one.voids.refund)
    return facts
