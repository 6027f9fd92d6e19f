"""A posting: an amount moved from one account to another, with the clause that requires it."""

import msgspec

from sabot.ledger.account import Account, AccountKind

_FREE = (AccountKind.STATION, AccountKind.HELD)


class Posting(msgspec.Struct, frozen=True, gc=False):
    """Debit one account and credit another with the same cents, which are always above zero."""

    debit: Account
    credit: Account
    cents: int
    clause: str

    def brings(self, station: str = "") -> int:
        """What it adds to the free money of patrons, or of the patron at one station, in cents."""

        def is_free(account: Account) -> bool:
            return account.kind in _FREE and station in ("", account.station)

        return self.cents * (is_free(self.credit) - is_free(self.debit))

    def __str__(self) -> str:
        return f"{self.debit} → {self.credit}  {self.cents}  {self.clause}"
