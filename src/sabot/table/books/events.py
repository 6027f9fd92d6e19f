"""What was booked and paid at a table that had locked itself."""

from typing import Literal

from sabot.table.event import Event


class DifferenceBooked(Event, frozen=True, kw_only=True):
    """A disagreement of the books was booked: by postings where the ledger was wrong, else in the meters."""

    station: str
    """Nothing for the sums: there `ledger_cents` is what the assets come to, and `meters_cents` all other accounts."""
    right: Literal["ledger", "meters"]
    ledger_cents: int
    meters_cents: int
    from_held_cents: int = 0
    """What is taken from the balance that is held for a leaving patron."""
    reason: str
    by: str
    clause: str


class PaidByHand(Event, frozen=True, kw_only=True):
    """A patron was paid at a locked table what was found to be due."""

    station: str
    control: int
    cents: int
    chips_cents: int
    coin_cents: int
    ledger_cents: int
    meters_cents: int
    held_cents: int
    """The part of the ledger's figure that was held for the patron already."""
    reason: str
    by: str
    clause: str


class TableUnlocked(Event, frozen=True, kw_only=True):
    """Ledger and meters agree again."""

    by: str
    clause: str


BooksEvent = DifferenceBooked | PaidByHand | TableUnlocked
