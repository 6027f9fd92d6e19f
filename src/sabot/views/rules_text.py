"""The rules of the table in plain words, made from the rule set itself, so that they are always those in force.

They are a help for patrons and no substitute for the document that a regulator approved (CROWN 13.13).
"""

from collections.abc import Iterator

import msgspec

from sabot.rules.rule_set import BankerRow, RuleSet
from sabot.rules.terms import Terms
from sabot.table.state import TableState
from sabot.views.conduct import for_patrons
from sabot.views.message import ScreenMessage, say
from sabot.views.table import areas_of
from sabot.views.words import EFFECTS


class Chapter(msgspec.Struct, frozen=True):
    code: str
    title: str
    lines: tuple[ScreenMessage, ...]


class RulesText(msgspec.Struct, frozen=True):
    rule_set: str
    title: str
    document: str
    version: str
    effective: str
    chapters: tuple[Chapter, ...]


_POINTS = {"CROWN": "CROWN 3.3", "RWS": "RWS 3.7", **{one: f"{one} 3.4" for one in ("MBS-R", "MBS-NC", "MBS-B")}}
"""The clause of each document on the value of cards; rule sets do not hold it, since all documents agree."""


def rules_text(state: TableState) -> RulesText:
    terms, configuration = state.terms, state.configuration
    rules = terms.rule_set
    chapters = [
        Chapter("the_game", "The game", tuple(_game(rules))),
        Chapter("third_cards", "Third cards", tuple(_third_cards(rules))),
        Chapter("bets", "Bets and what they pay", tuple(_bets(state, terms))),
        Chapter("wagering", "Wagering", tuple(_wagering(rules))),
        Chapter("irregularities", "When something goes wrong", tuple(_irregularities(rules))),
        Chapter("accounts", "Your account", tuple(_accounts(rules))),
        Chapter("conduct", "Conduct and complaints", for_patrons(rules.document, configuration)),
    ]
    return RulesText(
        rule_set=rules.id,
        title=rules.title,
        document=rules.document,
        version=rules.version,
        effective=rules.effective.isoformat() if rules.effective else "",
        chapters=tuple(chapter for chapter in chapters if chapter.lines),
    )


def _game(rules: RuleSet) -> Iterator[ScreenMessage]:
    deal, natural = rules.table_of_play.initial_deal, rules.table_of_play.natural
    yield say("rule_hands", next(iter(deal.values())))
    yield say("rule_points", _POINTS.get(rules.document, ""))
    yield say("rule_natural", next(iter(natural.values())))
    yield say("rule_announced", rules.confirmation.announced)


def _third_cards(rules: RuleSet) -> Iterator[ScreenMessage]:
    for row in rules.table_of_play.player:
        yield say("rule_player_draws" if row.draws else "rule_player_stands", row.clause, totals=row.totals)
    for banker in rules.table_of_play.banker:
        yield _banker_row(banker)


def _banker_row(row: BankerRow) -> ScreenMessage:
    """A row of Banker's table as a sentence; `none` in it stands for a Player hand that took no card."""
    given, draws = row.given.split(), row.draws_on.split()
    thirds = " ".join(word for word in draws if word != "none")
    alone = "_alone" if given == ["none"] else ""
    if not draws or draws == given:
        verb = "draws" if draws else "stands"
        on_any = "" if "none" in given else "_on_any"
        return say(f"rule_banker_{verb}{alone}{on_any}", row.clause, totals=row.totals)
    if "none" in draws:
        return say("rule_banker_draws_alone_or_on", row.clause, totals=row.totals, thirds=thirds)
    code = "rule_banker_draws_only_on" if "none" in given else "rule_banker_draws_on"
    return say(code, row.clause, totals=row.totals, thirds=thirds)


def _bets(state: TableState, terms: Terms) -> Iterator[ScreenMessage]:
    for area in areas_of(terms, state.offered, state.limits):
        for line in area.lines:
            if line.result == "win":
                less = f", less {line.commission_percent}% commission" if line.commission_percent else ""
                figures = {"title": area.title, "name": line.name, "pays": line.pays, "less": less}
                yield say("rule_pays", line.clause, bet=area.bet, **figures)
            else:
                code = "rule_returns" if line.result == "push" else "rule_loses"
                yield say(code, line.clause, bet=area.bet, title=area.title, name=line.name)
        if area.needs:
            titles = ", ".join(terms.rule_set.bet(bet).title for bet in area.needs)
            yield say("rule_needs", area.needs_clause, bet=area.bet, title=area.title, needs=titles)


def _wagering(rules: RuleSet) -> Iterator[ScreenMessage]:
    wagering = rules.wagering
    yield say("rule_opens", wagering.opens.clause, words=wagering.opens.words)
    yield say("rule_closes", wagering.closes.clause, words=wagering.closes.words)
    if wagering.first_card_closes:
        yield say("rule_first_card_closes", wagering.first_card_closes)
    yield say("rule_late", rules.late_wagers.placed_clause)
    yield say("rule_withdrawn", rules.late_wagers.withdrawn_clause)


def _irregularities(rules: RuleSet) -> Iterator[ScreenMessage]:
    for name, one in rules.irregularities.items():
        what, effect = name.replace("_", " ").capitalize(), EFFECTS[one.effect]
        yield say("rule_irregularity", one.clause, name=name, what=what, effect=effect)
    yield say("rule_refund", rules.voids.refund)


def _accounts(rules: RuleSet) -> Iterator[ScreenMessage]:
    yield say("rule_leave", rules.accounts.leave)
    yield say("rule_pay", rules.accounts.pay)
