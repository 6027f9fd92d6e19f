"""Money in and out, and who sits where."""

from sabot.basics.act import Act


class BuyIn(Act, frozen=True, kw_only=True):
    station: str
    cents: int
    tender: str = "cash"
    reference: str = ""
    patron: str = ""
    top_up: bool = False


class Note(Act, frozen=True, kw_only=True):
    station: str = ""
    cents: int


class Nominee(Act, frozen=True, kw_only=True):
    station: str
    nominee: str


class Leave(Act, frozen=True, kw_only=True):
    station: str = ""
    """Which one, where the Dealer asks; a station means itself."""


class Stay(Act, frozen=True, kw_only=True):
    """Take back that the patron leaves, while nothing is paid."""

    station: str = ""
    """Which one, where the Dealer says it; a station means itself."""


class Pay(Act, frozen=True, kw_only=True):
    """Pay a patron who leaves the full balance in chips, and close the account."""

    station: str


class PrintFailed(Act, frozen=True, kw_only=True):
    ticket: str
    fault: str


class ManualPay(Act, frozen=True, kw_only=True):
    ticket: str
    reason: str


class HandBack(Act, frozen=True, kw_only=True):
    """Hand the house's release of a ticket back: this table does not pay on it any more."""

    ticket: str
    reason: str


class DirectToLeave(Act, frozen=True, kw_only=True):
    station: str
    reason: str


class Vacate(Act, frozen=True, kw_only=True):
    station: str


AccountAct = BuyIn | Note | Nominee | Leave | Stay | Pay | PrintFailed | ManualPay | HandBack | DirectToLeave | Vacate
