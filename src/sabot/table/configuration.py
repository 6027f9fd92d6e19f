"""A table's configuration: everything an operator decides, validated before it counts."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Literal

import msgspec

from sabot.basics.mistake import Mistake, place_and_reason
from sabot.rules import shipped
from sabot.rules.limits import Limits, check_limits
from sabot.rules.rule_set import Bet, RuleSet
from sabot.rules.rule_set_file import digest, read_odds, read_rule_set, write_rule_set
from sabot.rules.shipped import figures_of
from sabot.rules.terms import Terms
from sabot.table.role import PERSONS, Role

APPROVED_FEATURES = frozenset({"results_history", "statistics", "clock", "roads", "rules_text", "sealed_receipts"})
"""What a station may show beside Diagram A. A suggested bet would be advice on play (CROWN 2.1(b), 13.5)."""

TwoPersonAct = Literal["correct", "void", "invalidate", "manual_pay", "waive", "limits", "correct_buy_in"]
"""`void` is a void after the first card, `limits` a change of the limits, by configuration or by a sign."""
_Id = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,19}$")]
_Cents = Annotated[int, msgspec.Meta(ge=0, le=10**13)]
_Note = Annotated[int, msgspec.Meta(ge=1, le=10**13)]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a configuration: it never changes, and a key that it does not know is refused."""


class StationPart(_Part, frozen=True, kw_only=True):
    """A station (ATS or Player Terminal) of the table."""

    approval: str
    remote: bool = False
    distance_m: int = 0
    printer: bool = False
    note_acceptor: bool = True


class DevicePart(_Part, frozen=True, kw_only=True):
    approval: str


class CarePart(_Part, frozen=True, kw_only=True):
    """What the house offers patrons for their own play (G-221 to G-223)."""

    reality_check_minutes: Annotated[int, msgspec.Meta(ge=0, le=1_440)] = 0
    """How often a patron is shown time and money, to be acknowledged; 0 is never."""
    limit_delay_hours: Annotated[int, msgspec.Meta(ge=0, le=8_760)] = 24
    """How long a patron's raise or removal of an own limit waits."""
    break_minutes: tuple[Annotated[int, msgspec.Meta(ge=1, le=43_200)], ...] = (15, 30, 60)
    """The breaks that a patron may choose from."""


class Configuration(_Part, frozen=True, kw_only=True):
    table: _Id
    rule_set: str
    own_rule_set: RuleSet | None = None
    """A casino's own rule set, in full; `rule_set` is then its id."""
    game: str = "Rapid Baccarat"
    approved_games: tuple[str, ...] = ("Rapid Baccarat",)
    decks: int = 8
    options: dict[str, int] = {}
    offered: tuple[Bet, ...] | None = None
    """Which optional side bets the table offers; all that the decks allow unless given."""
    limits: dict[Bet, Limits]
    """For every offered bet, in cents."""
    aggregate_minimum: _Cents = 0
    wagering_period_ms: int | None = None
    """The operator's period; the rule set's own unless given (CROWN 8.1(a), (b))."""
    cutting_card: int = 1
    """Which of the rule set's ways to place the cutting card, from 1."""
    cutting_card_first: Literal["one_more", "last"] = "one_more"
    """What the cutting card means in place of a coup's first card: one more coup follows, or this one is the last. The
    second reading is open to the Singapore documents only (G-18)."""
    face_up: bool = True
    layout: Annotated[str, msgspec.Meta(pattern=r"^[A-Z]?$")] = ""
    """Which of the document's diagrams the layout follows, by its letter; the first unless given."""
    stations: dict[_Id, StationPart]
    """A table of a document for live tables may have none: it keeps the record, and chips are paid by hand (G-108)."""
    console: DevicePart | None = None
    display: DevicePart | None = None
    approved_distance_m: int = 50
    staff: dict[_Id, tuple[Role, ...]] = {}
    two_persons: tuple[TwoPersonAct, ...] = ()
    """What a second person must approve at this table, beyond what the rules themselves reserve (G-92, G-99)."""
    counts_float: bool = False
    """Whether no wagering opens before the float is counted, and the table closes only on a closing count (G-192)."""
    care: CarePart = CarePart()
    squeeze: bool = False
    """Whether the patron with the largest wager on a hand turns its cards over at the own station (G-230)."""
    most_repeats: Annotated[int, msgspec.Meta(ge=0, le=20)] = 20
    """For how many coups a patron may order repeats ahead; 0 turns them off (G-212)."""
    features: tuple[str, ...] = ()
    approved_builds: tuple[str, ...] = ()
    """Digests of approved programs; empty leaves the check to the floor."""
    notes: tuple[_Note, ...] = (500, 1000, 2000, 5000, 10000)
    tenders: tuple[Literal["cash", "voucher", "token", "chips"], ...] = ("cash", "voucher", "token", "chips")
    smallest_chip: Annotated[int, msgspec.Meta(ge=1)] = 500
    ticket_at_table: bool = False
    """Whether a station at the table itself may pay by ticket: never under CROWN (G-61), else the operator's choice."""
    currency: Annotated[str, msgspec.Meta(pattern=r"^[A-Z]{3}$")] = "AUD"
    time_zone: str = "Australia/Melbourne"
    gaming_day_starts: Annotated[str, msgspec.Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")] = "06:00"
    operator: str = "the casino operator"
    regulator: str = ""
    """The name that notices print; the one in CROWN's document unless given (G-17)."""

    @property
    def regulator_named(self) -> str:
        return self.regulator or ("VCGR" if rule_set_of(self).document == "CROWN" else "the regulator")

    @property
    def period_ms(self) -> int:
        period = self.wagering_period_ms
        if period is None:
            seconds = terms_of(self).rule_set.wagering.period.default_seconds
            assert seconds is not None, "a configuration without a period was accepted"
            period = seconds * 1000
        return period


class Unacceptable(Mistake):
    """A configuration that no table may have, with the clause that forbids it."""

    def __init__(self, clause: str, sentence: str) -> None:
        super().__init__(sentence)
        self.clause = clause


def rule_set_of(configuration: Configuration) -> RuleSet:
    return configuration.own_rule_set or shipped.rule_set(configuration.rule_set)


def rule_set_digest_of(configuration: Configuration) -> str:
    own = configuration.own_rule_set
    return digest(own) if own else shipped.digest_of(configuration.rule_set)


def terms_of(configuration: Configuration) -> Terms:
    """The terms that the table plays by; worked out once for tables that play by the same."""
    own = write_rule_set(configuration.own_rule_set) if configuration.own_rule_set else None
    return terms_made_of(configuration.rule_set, own, configuration.decks, tuple(configuration.options.items()))


@lru_cache(maxsize=64)
def terms_made_of(identity: str, own: bytes | None, decks: int, options: tuple[tuple[str, int], ...]) -> Terms:
    """Terms by what they are made of; a casino's own rule set is written out."""
    rule_set = read_rule_set(own, f"{identity}.json") if own else shipped.rule_set(identity)
    return Terms(rule_set, decks, dict(options))


def offered_bets(configuration: Configuration) -> tuple[Bet, ...]:
    """The bets on the layout, in the rule set's order."""
    chosen = configuration.offered
    return tuple(
        bet
        for bet, rules in terms_of(configuration).bets.items()
        if rules.offered == "always" or chosen is None or bet in chosen
    )


def read_configuration(written: object) -> Configuration:
    """A configuration from decoded TOML or JSON; a bad one is refused with its key."""
    try:
        return msgspec.convert(written, Configuration, dec_hook=read_odds)
    except msgspec.ValidationError as error:
        place, reason = place_and_reason(error, Configuration, written, read_odds)
        raise Mistake(f"{place or 'the file'}: {reason}") from None


def check(configuration: Configuration) -> None:
    """Refuse, with its clause, what no table may be configured to."""
    for clause, sentence in _problems(configuration):
        raise Unacceptable(clause, sentence)


def _problems(one: Configuration) -> Iterator[tuple[str, str]]:
    if one.game not in one.approved_games:
        yield 'CROWN 1.1 "rapid games"', f"{one.game} is not an approved game"
    unplayable = list(_terms_problems(one))
    if unplayable:
        yield from unplayable
        return
    yield from _equipment(one)
    yield from _bets(one, terms_of(one))
    yield from _procedures(one, rule_set_of(one))


def _terms_problems(one: Configuration) -> Iterator[tuple[str, str]]:
    """Whether there is a rule set to play by, with these decks and options; each kind of mistake has its clause."""
    clause = "CROWN 7.1"
    try:
        rule_set = rule_set_of(one)
        clause = rule_set.decks.clause
        rule_set.check_decks(one.decks)
        clause = "CROWN 10.1 note *"
        rule_set.choose(one.options)
    except Mistake as mistake:
        yield clause, str(mistake)
    own = one.own_rule_set
    if own is None and one.rule_set in shipped.EXAMPLES:
        yield (
            "CROWN 10.1",
            f"{one.rule_set} is an example with no approved document; open the table with a file of your own",
        )
    if own is not None and (own.id in shipped.IDS or own.document in shipped.documents()):
        yield "CROWN 10.1", f"{own.id}: a casino's own rule set needs an id and a document of its own"


def _procedures(one: Configuration, rule_set: RuleSet) -> Iterator[tuple[str, str]]:
    period = one.wagering_period_ms
    if period is None and rule_set.wagering.period.default_seconds is None:
        yield rule_set.wagering.period.clause, "the operator must set the wagering period"
    if period is not None and period <= 0:
        yield "CROWN 8.1(a)", f"a wagering period of {period} ms is not above zero"
    if not 1 <= one.cutting_card <= len(rule_set.shoe.cutting_card):
        yield "CROWN 3.7.1", f"there is no way {one.cutting_card} to place the cutting card"
    if one.cutting_card_first == "last" and rule_set.document == "CROWN":
        yield "CROWN 3.9", "one more coup always follows the one in which the cutting card shows"
    diagrams = rule_set.diagrams
    if one.layout and one.layout not in (diagrams.letters if diagrams else ""):
        letters = ", ".join(diagrams.letters) if diagrams else "no diagram"
        clause = diagrams.clause if diagrams else "G-06"
        yield clause, f"there is no layout {one.layout}: {rule_set.document} has {letters}"
    if one.ticket_at_table and rule_set.document == "CROWN":
        yield "CROWN 6.7.2", "a station at the table never prints tickets"
    for feature in one.features:
        if feature not in APPROVED_FEATURES:
            yield "CROWN 2.1(b)", f"{feature} is not a feature that a station may have"


def _equipment(one: Configuration) -> Iterator[tuple[str, str]]:
    figures = figures_of(rule_set_of(one))
    if len(one.stations) > figures.most_stations:
        why = f"{len(one.stations)} stations are more than the limit of {figures.most_stations}"
        yield figures.most_stations_clause, why
    for name, station in one.stations.items():
        if not station.approval.strip():
            yield 'CROWN 1.1 "ATS"(b)', f"station {name}: approval reference required"
        if station.remote and station.distance_m > one.approved_distance_m:
            distance = f"{station.distance_m} m is beyond the approved {one.approved_distance_m} m"
            yield 'CROWN 1.1 "remote ATS"', f"station {name}: {distance}"
    reserved = {Role.CLOCK.value, Role.OPERATOR.value, *one.stations} & one.staff.keys()
    reserved |= {Role.CLOCK.value, Role.OPERATOR.value} & one.stations.keys()
    for name in sorted(reserved):
        yield "G-118", f"{name} is the name of a station, the clock or the operator, and of nobody else"
    for name, roles in one.staff.items():
        for role in (one for one in roles if one not in PERSONS):
            yield "G-118", f"{name} is a person, and no person is a {role.value}"
    if one.console is not None and not one.console.approval.strip():
        yield 'CROWN 1.1 "SGC"(c)', "console: approval reference required"
    if one.display is not None and not one.display.approval.strip():
        yield "CROWN 2.2(d)", "display: approval reference required"


def _bets(one: Configuration, terms: Terms) -> Iterator[tuple[str, str]]:
    for bet in one.offered if one.offered is not None else one.limits:
        if bet not in terms.rule_set.bets:
            yield "CROWN 10.1", f"the rule set has no bet {bet!r}"
        elif bet not in terms.bets:
            only = terms.rule_set.bets[bet].only_with
            assert only is not None
            yield only.clause, f"{terms.rule_set.bets[bet].title} needs {only.decks} decks, not {one.decks}"
    try:
        check_limits(terms, {bet: limits for bet, limits in one.limits.items() if bet in offered_bets(one)})
    except Mistake as mistake:
        yield "G-50" if re.search("fraction", str(mistake)) else "CROWN 5.1", str(mistake)
    offered = offered_bets(one)
    for bet in offered:
        half = terms.bets[bet].beside
        if half is not None and half.bet not in offered:
            other = terms.rule_set.bet(half.bet).title
            yield half.clause, f"{terms.bets[bet].title} is offered together with {other}, or neither is"
    for bet in offered:
        if bet not in one.limits:
            yield "CROWN 5.1", f"{bet} is offered without limits"
