"""The ledger: all balances of one table, each stored once.

It is an immutable value; `book` returns the ledger after some postings.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from operator import is_not

import msgspec

from sabot.ledger.account import (
    ASSETS,
    COMMISSION,
    IN_PURSES,
    INCOME,
    OF_SESSIONS_OVER,
    OWED_OUT,
    STRANGE,
    WIN,
    Account,
    AccountKind,
    Unit,
)
from sabot.ledger.posting import Posting
from sabot.rules.rule_set import Bet
from sabot.rules.terms import Settlement


class Purse(msgspec.Struct, frozen=True, gc=False):
    """What the house owes one station: chip account, wagers, and the balance held for a leaving patron."""

    balance: int = 0
    layout: Mapping[Bet, int] = {}
    held: int = 0

    def relaid(self, layout: Mapping[Bet, int]) -> "Purse":
        """The purse after the wagers on these bets became these amounts."""
        lying, balance = dict(self.layout), self.balance
        for bet, cents in layout.items():
            balance += lying.get(bet, 0) - cents
            if cents:
                lying[bet] = cents
            else:
                del lying[bet]
        assert balance >= 0, "more chips were laid than were there"
        return Purse(balance, lying, self.held)

    @property
    def wagered(self) -> int:
        return sum(self.layout.values())

    @property
    def total(self) -> int:
        total = self.balance + self.held
        return total + sum(self.layout.values()) if self.layout else total


EMPTY = Purse()


class Ledger(msgspec.Struct, frozen=True, gc=False):
    purses: Mapping[str, Purse] = {}
    books: Mapping[Account, int] = {}
    """The house's own accounts, each on its normal side: assets, income and liabilities are all positive."""
    unit: Unit = Unit.MONEY
    """Money in cents, or hundredths of a credit of a tournament session; nothing is booked from one to the other."""

    def purse(self, station: str) -> Purse:
        return self.purses.get(station, EMPTY)

    def balance(self, account: Account) -> int:
        """Any account's balance, on its normal side."""
        if account.kind not in IN_PURSES:
            return self.books.get(account, 0)
        purse = self.purse(account.station)
        if account.kind is AccountKind.LAYOUT:
            return purse.layout.get(Bet(account.part), 0)
        return purse.balance if account.kind is AccountKind.STATION else purse.held

    def book(self, postings: Iterable[Posting]) -> "Ledger":
        """The ledger after these postings. A purse with several postings is copied once."""
        opened: dict[str, _OpenPurse] = {}
        books: dict[Account, int] = {}
        for posting in postings:
            cents = posting.cents
            assert cents > 0, "a posting moves something"
            for account, change in ((posting.debit, -cents), (posting.credit, cents)):
                kind, station, _ = account
                if kind in IN_PURSES:
                    purse = opened.get(station)
                    if purse is None:
                        purse = opened[station] = _open(self.purses.get(station, EMPTY))
                    purse.change(account, change)
                else:
                    before = books[account] if account in books else self.books.get(account, 0)
                    books[account] = before + (-change if kind in ASSETS else change)
        purses, unit = dict(self.purses), self.unit
        for station, purse in opened.items():
            purses[station] = Purse(purse.balance, purse.layout, purse.held)
            assert not purse.held or unit is _MONEY, "no credits are held to be paid"
        if not books:
            return Ledger(purses, self.books, unit)
        assert STRANGE[unit].isdisjoint([account.kind for account in books]), f"another account than of {unit}"
        return Ledger(purses, {**self.books, **books}, unit)

    def relaid(self, layouts: Mapping[str, Mapping[Bet, int]]) -> "Ledger":
        """The ledger after the stations' wagers on these bets became these amounts.

        Equal to `book` with the postings between chip account and layout, and faster, since this is the most frequent
        change.
        """
        purses = dict(self.purses)
        for station, layout in layouts.items():
            purses[station] = purses[station].relaid(layout)
        return Ledger(purses, self.books, self.unit)

    def settled(self, settlements: Mapping[str, Sequence[Settlement]]) -> "Ledger":
        """The ledger after a coup is settled, equal to `book` with its postings.

        Stakes leave the layout; stakes returned and winnings are credited, after commission. The house loses what a
        patron wins before commission, and the commission is income.
        """
        purses, won, commission, has_moved = dict(self.purses), 0, 0, False
        for station, wagers in settlements.items():
            purse = purses[station]
            layout, balance = dict(purse.layout), purse.balance
            for one in wagers:
                stake, gross = one.stake_cents, one.gross_cents
                left = layout.pop(one.bet) - stake
                if left:
                    assert left > 0, f"{station}'s {one.bet} would be overdrawn"
                    layout[one.bet] = left
                balance += stake + one.net_cents
                commission += one.commission_cents
                if gross:
                    won, has_moved = won + gross, True
            purses[station] = Purse(balance, layout, purse.held)
        books = dict(self.books)
        if has_moved:
            books[WIN] = books.get(WIN, 0) - won
        if commission:
            books[COMMISSION] = books.get(COMMISSION, 0) + commission
        return Ledger(purses, books, self.unit)

    def totals(self) -> dict[str, int]:
        """The total that the house owes each station."""
        return {
            station: purse.balance + purse.held + (sum(purse.layout.values()) if purse.layout else 0)
            for station, purse in self.purses.items()
        }

    @property
    def assets(self) -> int:
        return sum([cents for account, cents in self.books.items() if account.kind in ASSETS])

    @property
    def income(self) -> int:
        return sum([cents for account, cents in self.books.items() if account.kind in INCOME])

    @property
    def owed_out(self) -> int:
        """What is owed to others than the stations: tickets, unclaimed, payable and seized amounts, and the float."""
        return sum([cents for account, cents in self.books.items() if account.kind in OWED_OUT])

    @property
    def liabilities(self) -> int:
        return self.owed_out + sum(self.totals().values())

    @property
    def is_balanced(self) -> bool:
        return self.assets == self.liabilities + self.income

    def without_paid_debts(self) -> "Ledger":
        """The ledger without accounts of patrons who have left that are at zero: a new one comes with every debt."""
        over = [account for account, cents in self.books.items() if not cents and account.kind in OF_SESSIONS_OVER]
        if not over:
            return self
        return Ledger(self.purses, {one: cents for one, cents in self.books.items() if one not in over}, self.unit)

    def is_balanced_after(self, before: "Ledger") -> bool:
        """The same, given a balanced ledger before it: with unchanged books only the changed purses are compared."""
        if self.books is not before.books:
            return self.is_balanced
        purses, then = self.purses, before.purses
        if len(purses) == len(then):  # Maps of the same stations have them in the same order.
            moved = list(compress(purses, map(is_not, purses.values(), then.values())))
        else:
            moved = list(purses)
        return sum(self.purses[name].total for name in moved) == sum(before.purse(name).total for name in moved)


class _OpenPurse(msgspec.Struct, gc=False):
    """A mutable purse, while postings are applied."""

    balance: int
    layout: dict[Bet, int]
    held: int

    def change(self, account: Account, cents: int) -> None:
        kind, _, part = account
        if kind is _STATION:
            now = self.balance = self.balance + cents
        elif kind is _HELD:
            now = self.held = self.held + cents
        else:
            bet = Bet(part)
            now = self.layout.get(bet, 0) + cents
            if now:
                self.layout[bet] = now
            else:
                del self.layout[bet]
        assert now >= 0, f"{account} would be overdrawn"


_STATION, _HELD, _MONEY = AccountKind.STATION, AccountKind.HELD, Unit.MONEY
"""Kept because looking up an enum member costs as much as the booking itself."""


def _open(purse: Purse) -> _OpenPurse:
    return _OpenPurse(purse.balance, dict(purse.layout), purse.held)
