"""The ledger: every balance of one table, and nowhere a second copy of any.

It is a value. `book` gives the ledger after some postings; the one before stays as it was.
"""

from collections.abc import Iterable, Mapping

import msgspec

from sabot.ledger.account import ASSETS, IN_PURSES, INCOME, Account, Kind
from sabot.ledger.posting import Posting


class Purse(msgspec.Struct, frozen=True, gc=False):
    """What the house owes one station: its chip account, its wagers, and what is held for a leaving patron."""

    balance: int = 0
    layout: Mapping[str, int] = {}
    held: int = 0

    @property
    def wagered(self) -> int:
        return sum(self.layout.values())

    @property
    def total(self) -> int:
        return self.balance + self.wagered + self.held


EMPTY = Purse()


class Ledger(msgspec.Struct, frozen=True, gc=False):
    purses: Mapping[str, Purse] = {}
    books: Mapping[Account, int] = {}
    """The house's own accounts, each on its normal side: assets and income positive, and tickets as they are owed."""

    def purse(self, station: str) -> Purse:
        return self.purses.get(station, EMPTY)

    def balance(self, account: Account) -> int:
        """Any account's balance, on its normal side."""
        if account.kind not in IN_PURSES:
            return self.books.get(account, 0)
        purse = self.purse(account.station)
        if account.kind is Kind.LAYOUT:
            return purse.layout.get(account.part, 0)
        return purse.balance if account.kind is Kind.STATION else purse.held

    def book(self, postings: Iterable[Posting]) -> "Ledger":
        purses, books = dict(self.purses), None
        for debit, credit, cents, _ in postings:
            assert cents > 0, "a posting moves something"
            for account, change in ((debit, -cents), (credit, cents)):
                if account.kind in IN_PURSES:
                    purses[account.station] = _changed(purses.get(account.station, EMPTY), account, change)
                else:
                    if books is None:
                        books = dict(self.books)
                    books[account] = books.get(account, 0) + (-change if account.kind in ASSETS else change)
        return Ledger(purses, self.books if books is None else books)

    @property
    def assets(self) -> int:
        return sum(cents for account, cents in self.books.items() if account.kind in ASSETS)

    @property
    def income(self) -> int:
        return sum(cents for account, cents in self.books.items() if account.kind in INCOME)

    @property
    def liabilities(self) -> int:
        owed_out = (Kind.TICKETS, Kind.UNCLAIMED, Kind.PAYABLE, Kind.SEIZED)
        outside = sum(cents for account, cents in self.books.items() if account.kind in owed_out)
        return outside + sum(purse.total for purse in self.purses.values())

    @property
    def is_balanced(self) -> bool:
        return self.assets == self.liabilities + self.income


def _changed(purse: Purse, account: Account, change: int) -> Purse:
    if account.kind is Kind.STATION:
        balance = purse.balance + change
        assert balance >= 0, f"{account} would be overdrawn"
        return Purse(balance, purse.layout, purse.held)
    if account.kind is Kind.HELD:
        held = purse.held + change
        assert held >= 0, f"{account} would be overdrawn"
        return Purse(purse.balance, purse.layout, held)
    on_bet = purse.layout.get(account.part, 0) + change
    assert on_bet >= 0, f"{account} would be overdrawn"
    layout = dict(purse.layout)
    if on_bet:
        layout[account.part] = on_bet
    else:
        del layout[account.part]
    return Purse(purse.balance, layout, purse.held)
