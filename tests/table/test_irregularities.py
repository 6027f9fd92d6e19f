"""Every fact in every phase under every rule set has lawful resolutions, or is refused with a clause."""

import itertools

import msgspec
import pytest

from sabot.floor.lines.table import LineTable
from sabot.ledger.audit import discrepancy
from sabot.rulebook.clauses import clauses, house_rules_by_id, readings
from sabot.rules.rule_set import IrregularityName
from sabot.rules.shipped import IDS, rule_set
from sabot.rules.terms import Terms
from sabot.table.irregularities.deciding import resolutions
from sabot.table.state import StatedFact, TableState
from tests.table.playing import SEATS, put_into, table_with_money

FACTS = sorted({kind for identity in IDS for kind in rule_set(identity).irregularities})
MOMENTS = (
    "between_coups",
    "wagering",
    "no_more_bets",
    "one_card",
    "four_cards",
    "card_due",
    "complete",
    "settled",
    "spent",
    "empty",
)


def at(identity: str, moment: str) -> LineTable:
    """A table with wagers at both seats, brought to this moment."""
    table = table_with_money(identity)
    seats = SEATS[identity.startswith("crown")]
    lines: list[dict[str, object]] = [{"do": "open", "by": "D1"}]
    lines += [{"do": "set_wager", "station": seat, "bet": "player", "cents": 2500} for seat in seats]
    lines += [{"do": "close", "by": "D1"}]
    cards = {"one_card": 1, "four_cards": 4, "card_due": 4, "complete": 5, "settled": 5, "empty": 4}.get(moment, 0)
    deal = ("5S", "KH", "4D", "QC") if moment == "four_cards" else ("2S", "4H", "3D", "3C", "8S")
    lines += [{"do": "card", "by": "D1", "card": card} for card in deal[:cards]]
    if moment in ("between_coups", "spent"):
        lines = [{"do": "order_shuffle", "by": "CS1", "reason": "end"}] if moment == "spent" else []
    elif moment == "wagering":
        lines = lines[:-1]
    if moment == "settled":
        lines += [{"do": "confirm", "by": "D1"}]
    for line in lines:
        assert table.answer(line).ok
    if moment == "empty":
        shoe = msgspec.structs.replace(table.state.shoe, out=table.state.shoe.cards)
        put_into(table, msgspec.structs.replace(table.state, shoe=shoe))
    return table


@pytest.mark.parametrize("identity", IDS)
@pytest.mark.parametrize("moment", MOMENTS)
def test_every_fact_at_every_moment(identity: str, moment: str) -> None:
    table = at(identity, moment)
    before = table.state
    for kind, cards, yes, known in itertools.product(
        FACTS, ((), ("9C",), ("9C", "8D")), (None, False, True), (None, False)
    ):
        line = {"do": "fact", "by": "D1", "kind": kind, "cards": cards, "hand": "player"}
        put_into(table, before)
        answer = table.answer({**line, "reconstructible": yes, "order_known": known})
        if not answer.ok:
            assert answer.refusal is not None
            assert _exists(answer.refusal.clause)
            assert table.state is before
            continue
        assert isinstance(answer.resolutions, list)
        assert answer.resolutions
        assert len({one.id for one in answer.resolutions}) == len(answer.resolutions)
        for one in answer.resolutions:
            _is_lawful(table, one.id)


def _is_lawful(table: LineTable, chosen: str) -> None:
    """It has a clause that exists, can be carried out by whom it says, loses no money and no card."""
    stated = table.state
    assert stated.fact is not None
    resolution = next(one for one in resolutions(stated, stated.fact) if one.id == chosen)
    assert _exists(resolution.clause)
    done = table.answer({"do": "resolve", "by": "CS1", "id": chosen})
    assert done.ok, done.refusal
    assert discrepancy(table.state.ledger, table.state.meters) is None
    assert _money(table.state) == _money(stated)
    assert table.state.shoe.out >= stated.shoe.out or stated.fact.kind == "missed_burn"
    _can_be_taken_back(table, stated)
    put_into(table, stated)


def _can_be_taken_back(table: LineTable, stated: TableState) -> None:
    """Taken back, everything stands as before it was resolved, and another way can be chosen."""
    answer = table.answer({"do": "unresolve", "by": "CS1", "reason": "a slip"})
    assert answer.ok, answer.refusal
    again = table.state
    for part in ("fact", "phase", "coup", "coups", "shoe", "meters", "awaits_confirmation"):
        assert getattr(again, part) == getattr(stated, part), part
    assert again.ledger.purses == stated.ledger.purses
    assert again.ledger.income == stated.ledger.income
    assert isinstance(answer.resolutions, list)
    assert not table.answer({"do": "unresolve", "by": "CS1", "reason": "twice"}).ok


def _exists(clause: str) -> bool:
    return clause in clauses() or clause in readings() or clause in house_rules_by_id()


def _money(state: TableState) -> int:
    return state.ledger.liabilities + state.ledger.income - state.ledger.assets


def test_a_fact_that_nobody_knows_is_no_fact() -> None:
    assert "earthquake" not in FACTS
    assert msgspec.structs.fields(StatedFact)


RECOVERY = [
    # Lines of a coup so far, the last sign of life, and what the rules say (the deadline is at 30 s).
    ("open", 10_000, "CROWN 11.15(a)"),
    ("open", 29_499, "CROWN 11.15(a)"),
    ("open", 29_500, "CROWN 11.16"),
    ("open", 29_999, "CROWN 11.16"),
    ("open", 30_000, "CROWN 11.15(b)"),
    ("open", 45_000, "CROWN 11.15(b)"),
    ("close", 10_000, "CROWN 11.15(b)"),
    ("close", 29_999, "CROWN 11.15(b)"),
    ("card 1", 12_000, "CROWN 11.15(b)"),
    ("card 4", 12_000, "CROWN 11.15(b)"),
    ("card 5", 40_000, "CROWN 11.15(b)"),
]


@pytest.mark.clause("CROWN 11.15(a)", "CROWN 11.15(b)", "CROWN 11.16", "G-95")
@pytest.mark.parametrize(("reached", "last_sign", "clause"), RECOVERY)
def test_recovery_by_time_of_death(reached: str, last_sign: int, clause: str) -> None:
    """Void before the end, confirm after it, void where it cannot be told; and never a void once the wagers closed."""
    table = table_with_money("crown-traditional")
    lines: list[dict[str, object]] = [
        {"do": "open", "by": "D1", "at_ms": 0},
        {"do": "set_wager", "station": "A1", "bet": "player", "cents": 2500, "at_ms": 1000},
    ]
    if reached != "open":
        lines.append({"do": "close", "by": "D1", "at_ms": 9000})
    dealt = int(reached.removeprefix("card ")) if reached.startswith("card") else 0
    lines += [{"do": "card", "by": "D1", "card": card} for card in ("2S", "4H", "3D", "3C", "8S")[:dealt]]
    for line in lines:
        assert table.answer(line).ok
    wagered = table.state.purse("A1").wagered
    answer = table.answer({"do": "restart", "by": "clock", "last_sign_ms": last_sign, "at_ms": 100_000})
    assert next(getattr(event, "clause", "") for event in answer.events) == clause
    void = clause != "CROWN 11.15(b)"
    assert (table.state.coup is None) is void
    assert table.state.purse("A1").wagered == (0 if void else wagered)
    assert table.state.purse("A1").total == 100_000
    assert table.state.awaits_confirmation is not void


@pytest.mark.clause("CROWN 11.15(b)")
def test_no_fact_deals_a_card_while_the_wagers_wait_for_confirmation() -> None:
    """What is offered can be done; where only a card would help, the fact waits for the confirmation."""
    table = at("crown-traditional", "no_more_bets")
    assert table.answer({"do": "restart", "by": "clock", "last_sign_ms": table.now_ms}).ok
    fact = {"do": "fact", "by": "D1", "kind": "card_on_wrong_hand", "cards": ["2S"], "hand": "player"}
    refusal = table.answer(fact).refusal
    assert refusal is not None
    assert refusal.code == "records_unconfirmed"
    assert table.answer({"do": "confirm_records", "by": "D1"}).ok
    assert table.answer(fact).ok


@pytest.mark.clause("CROWN 11.1.1")
def test_a_burn_card_that_was_shown_was_not_missed() -> None:
    table = at("crown-traditional", "one_card")
    fact = {"do": "fact", "by": "D1", "kind": "missed_burn"}
    before = table.state
    offered = table.answer(fact).resolutions
    assert isinstance(offered, list)
    assert "reconstruct" in {one.id for one in offered}
    put_into(table, before)
    assert table.answer({"do": "show_burn", "by": "D1", "card": "AS", "asked_by": "A1"}).ok
    offered = table.answer(fact).resolutions
    assert isinstance(offered, list)
    assert {one.id for one in offered} == {"note"}


@pytest.mark.clause("CROWN 11.1.1", "CROWN 11.2 second sentence")
def test_a_reconstructed_coup_goes_on_with_the_unseen_card_that_waited() -> None:
    table = at("crown-traditional", "four_cards")
    lines: list[dict[str, object]] = [
        {"do": "fact", "by": "D1", "kind": "excess_card_unseen"},
        {"do": "resolve", "by": "D1", "id": "carry"},
        {"do": "fact", "by": "D1", "kind": "missed_burn"},
        {"do": "resolve", "by": "D1", "id": "reconstruct"},
    ]
    for line in lines:
        assert table.answer(line).ok
    waiting = table.state.shoe
    assert waiting.carried == (None,)
    assert table.answer({"do": "card", "by": "D1", "card": "6H"}).ok
    assert (table.state.shoe.out, table.state.shoe.carried) == (waiting.out, ())


@pytest.mark.clause("CROWN 11.15(b)")
def test_nobody_confirms_the_records_of_a_station_that_there_is_not() -> None:
    table = at("crown-traditional", "no_more_bets")
    assert table.answer({"do": "restart", "by": "clock", "last_sign_ms": table.now_ms}).ok
    refusal = table.answer({"do": "confirm_records", "by": "D1", "station": "A9"}).refusal
    assert refusal is not None
    assert refusal.code == "unknown_station"


@pytest.mark.parametrize(
    "fact",
    [
        {"kind": "excess_card_unseen"},
        {"kind": "wrong_third_card", "cards": ["5C"], "hand": "player"},
        {"kind": "wrong_number_of_cards", "cards": ["5C"]},
    ],
    ids=lambda fact: str(fact["kind"]),
)
@pytest.mark.clause("G-21", "CROWN 11.2 second sentence")
def test_no_card_comes_out_of_an_empty_shoe(fact: dict[str, object]) -> None:
    table = at("crown-traditional", "complete")
    shoe = msgspec.structs.replace(table.state.shoe, out=table.state.shoe.cards)
    put_into(table, msgspec.structs.replace(table.state, shoe=shoe))
    refusal = table.answer({"do": "fact", "by": "D1", **fact}).refusal
    assert refusal is not None
    assert refusal.code in ("shoe_empty", "no_resolution")


def _without_conditions(state: TableState, kind: IrregularityName) -> TableState:
    """The same table under a rule set that says nothing of what spares the coup, nor of when it is reached."""
    rules = state.terms.rule_set
    bare = msgspec.structs.replace(rules.irregularities[kind], unless=None, only_if=None)
    own = msgspec.structs.replace(rules, irregularities={**rules.irregularities, kind: bare})
    return msgspec.structs.replace(state, terms=Terms(own, state.terms.decks, state.terms.options))


CONDITIONS = [
    # A fact at a moment, the ways with the rule set's conditions, and the ways without them.
    ("mbs-baccarat", "complete", "wrong_number_of_cards", True, ["in_shoe_order"], ["void"]),
    ("mbs-baccarat", "one_card", "simultaneous_cards", True, ["play_on"], ["void"]),
    ("mbs-baccarat", "complete", "simultaneous_cards", False, [], ["void"]),
    ("mbs-baccarat", "complete", "shoe_order_altered", True, ["play_on"], ["void"]),
    ("mbs-baccarat", "settled", "wrong_number_of_cards", False, ["void"], []),
    ("crown-traditional", "last", "excess_card_unseen", False, ["goes_out"], ["carry"]),
]


@pytest.mark.parametrize(("identity", "moment", "kind", "known", "with_them", "without"), CONDITIONS)
def test_the_conditions_of_a_rule_set_decide(
    identity: str, moment: str, kind: str, *, known: bool, with_them: list[str], without: list[str]
) -> None:
    """What spares a coup, and when it is reached, is data: without it the ways are others."""
    table = at(identity, "complete" if moment in ("settled", "last") else moment)
    if moment == "settled":
        assert table.answer({"do": "confirm", "by": "D1"}).ok
    state = table.state
    if moment == "last":
        state = msgspec.structs.replace(state, shoe=msgspec.structs.replace(state.shoe, last_coup=state.coups))
    fact = StatedFact(IrregularityName(kind), (), None, known, known)
    assert [one.id for one in resolutions(state, fact)] == with_them
    assert [one.id for one in resolutions(_without_conditions(state, fact.kind), fact)] == without
