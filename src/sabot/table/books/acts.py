"""What is done at a table that locked itself because its ledger and its meters disagree."""

from typing import Literal

from sabot.basics.act import Act
from sabot.basics.bounds import AmountSaid, NameSaid, TextSaid


class BookDifference(Act, frozen=True, kw_only=True):
    """Book what disagrees, so that ledger and meters agree again."""

    station: NameSaid = ""
    """Whose account and meters disagree; nothing for the sums of the ledger alone."""
    right: Literal["ledger", "meters"] = "ledger"
    """Which of the two figures was found to be right."""
    reason: TextSaid = ""


class PayByHand(Act, frozen=True, kw_only=True):
    """Pay a station's patron by hand at a locked table, and close the account."""

    station: NameSaid
    cents: AmountSaid
    """What was found to be due: no less than the smaller of the two figures, and no more than the larger."""
    reason: TextSaid = ""


BooksAct = BookDifference | PayByHand
