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
        """The ledger after these postings. A purse that several of them touch is opened once and closed once."""
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
        purses = dict(self.purses)
        for station, purse in opened.items():
            purses[station] = Purse(purse.balance, purse.layout, purse.held)
        return Ledger(purses, {**self.books, **books} if books else self.books)

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


class _OpenPurse(msgspec.Struct, gc=False):
    """A purse while it is being booked on."""

    balance: int
    layout: dict[str, int]
    held: int

    def change(self, account: Account, cents: int) -> None:
        kind, _, bet = account
        if kind is _STATION:
            now = self.balance = self.balance + cents
        elif kind is _HELD:
            now = self.held = self.held + cents
        else:
            now = self.layout.get(bet, 0) + cents
            if now:
                self.layout[bet] = now
            else:
                del self.layout[bet]
        assert now >= 0, f"{account} would be overdrawn"


_STATION, _HELD = Kind.STATION, Kind.HELD
"""To look a member of an enumeration up costs as much as the booking itself."""


def _open(purse: Purse) -> _OpenPurse:
    return _OpenPurse(purse.balance, dict(purse.layout), purse.held)
