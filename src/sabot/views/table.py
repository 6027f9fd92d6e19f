"""The table as every screen shows it: its name and version, and the layout with the odds and limits of each area.

An area holds its odds and its limits, so that no screen can show an area without its limits. Each station is a location
of its own for the limits sign (CROWN 5.2).
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

import msgspec

from sabot.rules.limits import Limits
from sabot.rules.rule_set import Bet, BetRules, PayTableLine, RuleSet
from sabot.rules.terms import Terms
from sabot.table.configuration import Configuration
from sabot.table.signs.posted import posted_of, sign_of
from sabot.table.state import TableState
from sabot.views.message import ScreenMessage, say

CHIP_LADDER = (1, 5, 20, 100, 200, 1000)
"""The denominations of a rack as multiples of the smallest chip: 5, 25, 100, 500, 1,000 and 5,000."""


class PayLine(msgspec.Struct, frozen=True):
    """A line of the pay table, by the option that is in force."""

    name: str
    result: Literal["win", "push", "lose"]
    pays: str
    """As the rule books print it: `8 to 1`, `1 to 2`, or nothing where no odds are paid."""
    odds: tuple[int, int]
    """The amount won and the amount staked for it, before commission."""
    commission_percent: str
    """The commission in percent, such as `5`, or nothing."""
    clause: str


class Sign(msgspec.Struct, frozen=True):
    """The limits sign of one bet."""

    minimum_cents: int
    step_cents: int
    maximum_cents: int


class Area(msgspec.Struct, frozen=True):
    """A betting area of the layout."""

    bet: str
    title: str
    side: Literal["player", "banker", "tie", ""]
    """The hand whose colour it has."""
    main: bool
    """Whether it is one of the three that every baccarat layout has; the others are side bets."""
    pays: str
    """The odds in short, for the area itself."""
    lines: tuple[PayLine, ...]
    sign: Sign
    needs: tuple[str, ...]
    """Bets of which one must be wagered on beside it."""
    needs_clause: str
    clause: str


class Table(msgspec.Struct, frozen=True):
    name: str
    rule_set: str
    title: str
    document: str
    version: str
    operator: str
    regulator: str
    decks: int
    version_notice: ScreenMessage | None
    """What every screen must say while this version is played (CROWN 7.1)."""
    areas: tuple[Area, ...]
    """The areas of the offered bets, in the order of the rule set."""
    diagram: str
    """The document's diagram that the layout follows, by its letter."""
    rows: tuple[tuple[str, ...], ...]
    """The bets of the layout, row by row."""
    aggregate_minimum_cents: int
    chips: tuple[int, ...]
    """The denominations of the chip rack, in cents."""
    notes: tuple[int, ...]
    """The notes that an acceptor takes, in cents."""
    tenders: tuple[str, ...]
    currency: str
    time_zone: str
    wagering_period_ms: int
    features: tuple[str, ...]
    most_repeats: int
    """For how many coups repeats may be ordered ahead; 0 where the house does not offer them."""
    stations: tuple[str, ...]
    sign: str
    """A digest of these limits, which shows whether a screen has the newest."""
    posted: str
    """The same with the signs that announce something: what a location tells that it shows (`shows_sign`)."""


def table_of(state: TableState) -> Table:
    """The table as it is configured now."""
    configuration, terms = state.configuration, state.terms
    rule_set = terms.rule_set
    notice = rule_set.notice
    return Table(
        name=configuration.table,
        rule_set=rule_set.id,
        title=rule_set.title,
        document=rule_set.document,
        version=rule_set.version,
        operator=configuration.operator,
        regulator=configuration.regulator_named,
        decks=configuration.decks,
        version_notice=say("version_notice", notice.clause, words=notice.words) if notice else None,
        areas=areas_of(terms, state.offered, state.limits),
        diagram=configuration.layout or (rule_set.diagrams.letters[0] if rule_set.diagrams else ""),
        rows=_rows(rule_set, state.offered),
        aggregate_minimum_cents=state.aggregate_minimum,
        chips=_chips(configuration, state.limits),
        notes=configuration.notes,
        tenders=configuration.tenders,
        currency=configuration.currency,
        time_zone=configuration.time_zone,
        wagering_period_ms=state.period_ms,
        features=configuration.features,
        most_repeats=configuration.most_repeats,
        stations=tuple(configuration.stations),
        sign=sign_of(state),
        posted=posted_of(state),
    )


def areas_of(terms: Terms, offered: frozenset[Bet], limits: Mapping[Bet, Limits]) -> tuple[Area, ...]:
    return tuple(_area(terms, bet, rules, limits[bet]) for bet, rules in terms.bets.items() if bet in offered)


def _rows(rule_set: RuleSet, offered: frozenset[Bet]) -> tuple[tuple[str, ...], ...]:
    """The offered bets in the rows of the layout."""
    laid = rule_set.diagrams.rows if rule_set.diagrams else (tuple(rule_set.bets),)
    rows = (tuple(bet for bet in row if bet in offered) for row in laid)
    return tuple(row for row in rows if row)


def _area(terms: Terms, bet: Bet, rules: BetRules, limits: Limits) -> Area:
    lines = tuple(_line(terms, rules, line) for line in rules.lines)
    first = rules.lines[0].when
    pair: Literal["player", "banker", ""] = "player" if first.player_pair else "banker" if first.banker_pair else ""
    return Area(
        bet=bet,
        title=rules.title,
        side=first.winner.value if first.winner else pair,
        main=any(line.result == "win" and msgspec.to_builtins(line.when).keys() == {"winner"} for line in rules.lines),
        pays=_in_short(lines),
        lines=lines,
        sign=Sign(limits.minimum, limits.step, limits.maximum),
        needs=rules.needs.bets if rules.needs else (),
        needs_clause=rules.needs.clause if rules.needs else "",
        clause=rules.clause,
    )


def _line(terms: Terms, rules: BetRules, line: PayTableLine) -> PayLine:
    if line.result != "win":
        return PayLine(line.name, line.result, "", (0, 1), "", line.clause)
    choice = terms.options[rules.option] if rules.option and len(line.pays) > 1 else 1
    odds = line.pays[choice - 1]
    keeps = line.commission or 0
    percent = f"{float(100 * keeps):g}" if keeps else ""
    return PayLine(line.name, "win", _to(odds), (odds.numerator, odds.denominator), percent, line.clause)


def _to(odds: Fraction) -> str:
    return f"{odds.numerator} to {odds.denominator}"


def _in_short(lines: tuple[PayLine, ...]) -> str:
    """The odds of a win; where several apply, the lowest and the highest."""
    winning = [line for line in lines if line.result == "win"]
    odds = sorted({Fraction(*line.odds) * (1 - Fraction(line.commission_percent or 0) / 100) for line in winning})
    return _to(odds[0]) if len(odds) == 1 else f"{_to(odds[0])} – {_to(odds[-1])}"


def _chips(configuration: Configuration, limits: Mapping[Bet, Limits]) -> tuple[int, ...]:
    most = max((limit.maximum for limit in limits.values()), default=0)
    ladder = tuple(configuration.smallest_chip * times for times in CHIP_LADDER)
    return tuple(chip for chip in ladder if chip <= most) or ladder[:1]
