"""A posting: an amount moved from one account to another, with the clause that requires it."""

import msgspec

from sabot.ledger.account import Account


class Posting(msgspec.Struct, frozen=True, gc=False):
    """Debit one account and credit another with the same cents, which are always above zero."""

    debit: Account
    credit: Account
    cents: int
    clause: str

    def __str__(self) -> str:
        return f"{self.debit} → {self.credit}  {self.cents}  {self.clause}"
