"""The ledger: postings sum to zero, balances are where they belong, and the self-audit finds what does not add up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.basics.money import Cents
from sabot.ledger.account import (
    CASH_BOX,
    CHIP_RACK,
    COMMISSION,
    FORFEITED,
    ISSUED,
    TICKETS,
    WIN,
    Account,
    AccountKind,
    Unit,
    chip_account,
    held_for,
    on_layout,
)
from sabot.ledger.audit import discrepancy
from sabot.ledger.ledger import Ledger, Purse
from sabot.ledger.meters import Meters
from sabot.ledger.posting import Posting
from sabot.rules.part import Clause
from sabot.rules.rule_set import Bet
from sabot.rules.terms import Outcome, Settlement

A1, BANKER = chip_account("A1"), on_layout("A1", "banker")


def test_a_buy_in_a_win_and_a_payment() -> None:
    """100 in cash; 20 on Banker wins 19 after commission; everything is paid in chips."""
    ledger = Ledger().book([Posting(CASH_BOX, A1, 10_000, "CROWN 6.3.2")])
    ledger = ledger.book([Posting(A1, BANKER, 2_000, "CROWN 4.1")])
    assert (ledger.balance(A1), ledger.balance(BANKER), ledger.purse("A1").total) == (8_000, 2_000, 10_000)
    ledger = ledger.book(
        [
            Posting(BANKER, A1, 2_000, "CROWN 10.1 Traditional Banker"),
            Posting(WIN, A1, 1_900, "CROWN 10.1 Traditional Banker"),
            Posting(WIN, COMMISSION, 100, "CROWN 10.1 Traditional Banker"),
        ]
    )
    assert ledger.purse("A1") == Purse(11_900, {}, 0)
    assert (ledger.balance(WIN), ledger.balance(COMMISSION), ledger.income) == (-2_000, 100, -1_900)
    ledger = ledger.book([Posting(A1, held_for("A1"), 11_900, "CROWN 6.6.1")])
    ledger = ledger.book([Posting(held_for("A1"), CHIP_RACK, 11_900, "CROWN 6.7.1")])
    assert (ledger.balance(CASH_BOX), ledger.balance(CHIP_RACK), ledger.assets) == (10_000, -11_900, -1_900)
    assert ledger.is_balanced


accounts = st.sampled_from([A1, BANKER, chip_account("A2"), held_for("A2"), CASH_BOX, CHIP_RACK, TICKETS, WIN])


@given(st.lists(st.tuples(accounts, accounts, st.integers(1, 10**6))))
def test_whatever_is_posted_the_books_balance(moves: list[tuple[Account, Account, int]]) -> None:
    ledger = Ledger()
    for debit, credit, cents in moves:
        before = ledger
        try:
            ledger = ledger.book([Posting(debit, credit, cents, "any")])
        except AssertionError:
            assert ledger is before  # A purse would have been overdrawn: nothing was booked.
        assert ledger.is_balanced


def test_nothing_is_overdrawn_and_nothing_is_posted_for_nothing() -> None:
    with pytest.raises(AssertionError, match="station:A1 would be overdrawn"):
        Ledger().book([Posting(A1, BANKER, 1, "any")])
    with pytest.raises(AssertionError, match="a posting moves something"):
        Ledger().book([Posting(CASH_BOX, A1, 0, "any")])


def test_a_ledger_is_a_value() -> None:
    before = Ledger().book([Posting(CASH_BOX, A1, 100, "any")])
    before.book([Posting(A1, BANKER, 100, "any")])
    assert before.purse("A1") == Purse(100, {}, 0)


def test_the_audit_names_what_does_not_add_up() -> None:
    ledger = Ledger().book([Posting(CASH_BOX, A1, 100, "any")])
    meters = {"A1": Meters().bought_in("cash", 100)}
    assert discrepancy(ledger, meters) is None
    assert discrepancy(ledger, {}) == "station A1's meters do not agree with its account"
    assert discrepancy(Ledger(purses={"A1": Purse(1)}), {}) == (
        "assets of 0 cents are not the liabilities of 1 and the income of 0"
    )


def test_meters_follow_money_by_kind() -> None:
    meters = Meters().bought_in("cash", 100).bought_in("notes", 50).bought_in("cash", 1)
    meters = meters.settled(stakes=40, credited=78, commission=2).paid_out("chips", 189)
    assert meters.came_in == {"cash": 101, "notes": 50}
    assert (meters.wagered, meters.credited, meters.commission, meters.paid) == (40, 78, 2, {"chips": 189})
    assert meters.agree_with(Purse())
    assert not meters.agree_with(Purse(1))


def test_accounts_and_postings_read_well() -> None:
    assert str(Posting(A1, BANKER, 2_500, "CROWN 4.1")) == "station:A1 → layout:A1:banker  2500  CROWN 4.1"


def test_a_ledger_balances_after_another_while_no_purse_gains_or_loses() -> None:
    before = Ledger({"A1": Purse(100), "A2": Purse(50)}, {CASH_BOX: 150})
    assert before.relaid({"A1": {Bet("banker"): 40}}).is_balanced_after(before)
    for purses in ({"A1": Purse(101), "A2": Purse(50)}, {"A1": Purse(60), "A2": Purse(50)}):
        assert not Ledger(purses, before.books).is_balanced_after(before)
    assert not Ledger(before.purses, {CASH_BOX: 151}).is_balanced_after(before)
    assert Ledger({"A1": Purse(101), "A2": Purse(50)}, {CASH_BOX: 151}).is_balanced_after(before)


CREDITS = Ledger(unit=Unit.CREDITS)


@pytest.mark.clause('CROWN 1.1 "tournament"')
@pytest.mark.parametrize("kind", AccountKind, ids=str)
def test_no_account_stands_in_ledgers_of_both_units_but_those_of_play(kind: AccountKind) -> None:
    """What is in a box, was sold or waits to be paid is money; what was issued and forfeited is credits."""
    both = {"station", "layout", "owed", "win", "commission", "difference", "unexplained"}
    account = Account(kind, "A1", "banker" if kind is AccountKind.LAYOUT else "")
    taken = {unit: _is_taken(Ledger(unit=unit), account) for unit in Unit}
    if kind in both:
        assert all(taken.values())
    else:
        assert taken == {Unit.MONEY: kind not in ("issued", "forfeited"), Unit.CREDITS: kind in ("issued", "forfeited")}


def _is_taken(ledger: Ledger, account: Account) -> bool:
    other = COMMISSION if account.kind is AccountKind.WIN else WIN
    try:
        ledger.book([Posting(other, account, 100, "any")])
    except AssertionError:
        return False
    return True


def test_every_way_to_a_new_ledger_carries_the_unit_on() -> None:
    bet = Bet("banker")
    ledger = CREDITS.book([Posting(ISSUED, A1, 100_000, "CROWN 12.2.1(b)")])
    laid = ledger.relaid({"A1": {bet: 5_000}})
    lost = Settlement(bet, Cents(5_000), Outcome.LOSE, Cents(-5_000), Cents(0), Cents(-5_000), Clause("CROWN 10.1"))
    settled = laid.settled({"A1": [lost]})
    assert [one.unit for one in (ledger, laid, settled)] == [Unit.CREDITS] * 3
    forfeited = settled.book([Posting(A1, FORFEITED, 2_500, "CROWN 12.2.1(c)")])
    assert (forfeited.assets, forfeited.income, forfeited.purse("A1").balance) == (100_000, 7_500, 92_500)
    assert forfeited.is_balanced
