"""Money in and out, and who sits where."""

from sabot.basics.act import Act
from sabot.basics.bounds import AmountSaid, CountSaid, NameSaid, TextSaid


class BuyIn(Act, frozen=True, kw_only=True):
    station: NameSaid
    cents: AmountSaid
    tender: NameSaid = "cash"
    reference: NameSaid = ""
    patron: NameSaid = ""
    top_up: bool = False


class Note(Act, frozen=True, kw_only=True):
    station: NameSaid = ""
    cents: AmountSaid


class InsertTicket(Act, frozen=True, kw_only=True):
    """A ticket lies in the escrow of a station's acceptor."""

    station: NameSaid = ""
    """Which one; the acceptor of a station means its own."""
    ticket: NameSaid


class DropEscrow(Act, frozen=True, kw_only=True):
    """The table did not take in the ticket that the house put into escrow for it, and does not do so any more."""

    station: NameSaid
    ticket: NameSaid
    escrow: CountSaid


class ReadPlayerCard(Act, frozen=True, kw_only=True):
    """A patron puts a player card into the reader of a station."""

    station: NameSaid = ""
    """Which one; the reader of a station means its own."""
    patron: NameSaid
    """The number of the card, which is the patron's reference. A name is on no record."""


class Nominee(Act, frozen=True, kw_only=True):
    station: NameSaid
    nominee: NameSaid


class Leave(Act, frozen=True, kw_only=True):
    station: NameSaid = ""
    """Which one, where the Dealer asks; a station means itself."""


class Stay(Act, frozen=True, kw_only=True):
    """Take back that the patron leaves, while nothing is paid."""

    station: NameSaid = ""
    """Which one, where the Dealer says it; a station means itself."""


class Pay(Act, frozen=True, kw_only=True):
    """Pay a patron who leaves the full balance in chips, and close the account."""

    station: NameSaid


class PrintFailed(Act, frozen=True, kw_only=True):
    ticket: NameSaid
    fault: TextSaid


class ManualPay(Act, frozen=True, kw_only=True):
    ticket: NameSaid
    reason: TextSaid


class HandBack(Act, frozen=True, kw_only=True):
    """Hand the house's release of a ticket back: this table does not pay on it any more."""

    ticket: NameSaid
    reason: TextSaid


class DirectToLeave(Act, frozen=True, kw_only=True):
    station: NameSaid
    reason: TextSaid


class Vacate(Act, frozen=True, kw_only=True):
    station: NameSaid


AccountAct = (
    BuyIn
    | Note
    | InsertTicket
    | ReadPlayerCard
    | Nominee
    | Leave
    | Stay
    | Pay
    | PrintFailed
    | ManualPay
    | HandBack
    | DirectToLeave
    | Vacate
)
