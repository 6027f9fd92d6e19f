"""Money in and out, and who sits where."""

from sabot.table.act import Command


class BuyIn(Command, frozen=True, kw_only=True, tag="buy_in"):
    station: str
    cents: int
    tender: str = "cash"
    reference: str = ""
    patron: str = ""
    top_up: bool = False
    excluded: bool = False
    """Whether the house excludes the patron; stamped by whoever carries the command."""


class InsertNote(Command, frozen=True, kw_only=True, tag="note"):
    station: str
    cents: int


class NameNominee(Command, frozen=True, kw_only=True, tag="nominee"):
    station: str
    nominee: str
    excluded: bool = False
    """Whether the house excludes the nominee or the patron."""


class Leave(Command, frozen=True, kw_only=True, tag="leave"):
    station: str
    ticket: str | None = None
    """The number for a ticket, where the station pays by ticket."""


class Pay(Command, frozen=True, kw_only=True, tag="pay"):
    """Pay the full balance in chips and close the account."""

    station: str


class ReportPrintFailed(Command, frozen=True, kw_only=True, tag="print_failed"):
    ticket: str
    fault: str


class PayManually(Command, frozen=True, kw_only=True, tag="manual_pay"):
    ticket: str
    reason: str


class DirectToLeave(Command, frozen=True, kw_only=True, tag="direct_to_leave"):
    station: str
    reason: str


class AskToVacate(Command, frozen=True, kw_only=True, tag="vacate"):
    station: str


AccountAct = (
    BuyIn | InsertNote | NameNominee | Leave | Pay | ReportPrintFailed | PayManually | DirectToLeave | AskToVacate
)
