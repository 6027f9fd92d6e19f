"""The ledger: every balance of one table, and nowhere a second copy of any.

It is a value. `book` gives the ledger after some postings; the one before stays as it was.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from sabot.ledger.account import ASSETS, COMMISSION, IN_PURSES, INCOME, OWED_OUT, WIN, Account, Kind
from sabot.ledger.posting import Posting
from sabot.rules.terms import Settlement


class Purse(msgspec.Struct, frozen=True, gc=False):
    """What the house owes one station: its chip account, its wagers, and what is held for a leaving patron."""

    balance: int = 0
    layout: Mapping[str, int] = {}
    held: int = 0

    def relaid(self, layout: Mapping[Any, int]) -> "Purse":
        """The purse after chips were laid or lifted, so that this much lies on these bets."""
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
        return self.balance + self.held + (sum(self.layout.values()) if self.layout else 0)


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

    def relaid(self, layouts: Mapping[str, Mapping[Any, int]]) -> "Ledger":
        """The ledger after stations laid chips or lifted them, so that this much lies on these bets of theirs.

        It comes to what `book` makes of the postings, from the chip account to the layout or back. Nothing happens more
        often, so it is done at once.
        """
        purses = dict(self.purses)
        for station, layout in layouts.items():
            purses[station] = purses[station].relaid(layout)
        return Ledger(purses, self.books)

    def settled(self, settlements: Mapping[str, Sequence[Settlement]]) -> "Ledger":
        """The ledger after a coup is settled, again as `book` would have it.

        Stakes leave the layout; what comes back and what was won is credited, after commission. What a patron wins
        before commission the house loses, and the commission is its income.
        """
        purses, won, commission = dict(self.purses), 0, 0
        for station, wagers in settlements.items():
            purse = purses[station]
            layout, balance = dict(purse.layout), purse.balance
            for one in wagers:
                stake = one.stake_cents
                left = layout.pop(one.bet) - stake
                assert left >= 0, f"{station}'s {one.bet} would be overdrawn"
                if left:
                    layout[one.bet] = left
                balance += stake + one.net_cents
                won += one.gross_cents
                commission += one.commission_cents
            purses[station] = Purse(balance, layout, purse.held)
        books = dict(self.books)
        if won or any(one.gross_cents for wagers in settlements.values() for one in wagers):
            books[WIN] = books.get(WIN, 0) - won
        if commission:
            books[COMMISSION] = books.get(COMMISSION, 0) + commission
        return Ledger(purses, books)

    def totals(self) -> dict[str, int]:
        """What the house owes each station in all."""
        return {station: purse.total for station, purse in self.purses.items()}

    @property
    def assets(self) -> int:
        return sum([cents for account, cents in self.books.items() if account.kind in ASSETS])

    @property
    def income(self) -> int:
        return sum([cents for account, cents in self.books.items() if account.kind in INCOME])

    @property
    def owed_out(self) -> int:
        """What the house owes to whoever is not at a station, or not any more."""
        return sum([cents for account, cents in self.books.items() if account.kind in OWED_OUT])

    @property
    def liabilities(self) -> int:
        return self.owed_out + sum(self.totals().values())

    @property
    def is_balanced(self) -> bool:
        return self.assets == self.liabilities + self.income

    def is_balanced_after(self, before: "Ledger") -> bool:
        """The same, told from one that is balanced: while the house's own books stay, only purses need be compared."""
        if self.books is not before.books:
            return self.is_balanced
        moved = [name for name, purse in self.purses.items() if purse is not before.purses.get(name)]
        return sum(self.purses[name].total for name in moved) == sum(before.purse(name).total for name in moved)


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
