"""The chart of accounts of one table.

Assets are what the house holds: cash box, chip rack, vouchers, tokens, note boxes. Liabilities are what it owes:
chip accounts, wagers on the layout, balances held for a patron who leaves, tickets outstanding. Income is what it has
won: the table's win and the commission. Always: assets = liabilities + income.
"""

import enum
from functools import cache
from typing import NamedTuple


class Kind(enum.StrEnum):
    CASH_BOX = "cash_box"
    CHIP_RACK = "chip_rack"
    VOUCHERS = "vouchers"
    TOKENS = "tokens"
    NOTE_BOX = "note_box"
    CAGE = "cage"
    TABLES = "tables"
    """What the tables owe the house for tickets that it will pay."""
    STATION = "station"
    """A station's chip account (CROWN rule 6)."""
    LAYOUT = "layout"
    """What a station has on one bet."""
    HELD = "held"
    """A balance that waits to be paid to a patron who is leaving (G-116)."""
    TICKETS = "tickets"
    UNCLAIMED = "unclaimed"
    """What expired tickets were worth; still owed, until the operator's law says to whom."""
    OWED = "owed"
    """What a patron owes after a correction; an asset, for the house is to get it."""
    UNCOLLECTED = "uncollected"
    """What was overpaid to a patron who has left."""
    PAYABLE = "payable"
    """What waits for a patron who has left and was paid too little."""
    SEIZED = "seized"
    """Winnings held pending an investigation (CROWN 13.2.3)."""
    WIN = "win"
    COMMISSION = "commission"


ASSETS = frozenset(
    {Kind.CASH_BOX, Kind.CHIP_RACK, Kind.VOUCHERS, Kind.TOKENS, Kind.NOTE_BOX, Kind.OWED, Kind.UNCOLLECTED}
    | {Kind.CAGE, Kind.TABLES}
)
OWED_OUT = frozenset({Kind.TICKETS, Kind.UNCLAIMED, Kind.PAYABLE, Kind.SEIZED})
INCOME = frozenset({Kind.WIN, Kind.COMMISSION})
IN_PURSES = frozenset({Kind.STATION, Kind.LAYOUT, Kind.HELD})


class Account(NamedTuple):
    kind: Kind
    station: str = ""
    part: str = ""
    """Which part of the station's: the bet of a layout, the control session that something is payable to."""

    def __str__(self) -> str:
        return ":".join(word for word in self if word)


@cache
def chip_account(station: str) -> Account:
    return Account(Kind.STATION, station)


@cache
def on_layout(station: str, bet: str) -> Account:
    return Account(Kind.LAYOUT, station, bet)


@cache
def held_for(station: str) -> Account:
    return Account(Kind.HELD, station)


@cache
def owed_by(station: str) -> Account:
    return Account(Kind.OWED, station)


def payable_to(station: str, control: int) -> Account:
    """One for each control session, for it is owed to whoever was in control then and to nobody else (G-88)."""
    return Account(Kind.PAYABLE, station, str(control))


def uncollected_from(station: str, control: int) -> Account:
    return Account(Kind.UNCOLLECTED, station, str(control))


@cache
def seized_from(station: str) -> Account:
    return Account(Kind.SEIZED, station)


@cache
def note_box(station: str) -> Account:
    return Account(Kind.NOTE_BOX, station)


CASH_BOX = Account(Kind.CASH_BOX)
CHIP_RACK = Account(Kind.CHIP_RACK)
VOUCHERS = Account(Kind.VOUCHERS)
TOKENS = Account(Kind.TOKENS)
CAGE = Account(Kind.CAGE)
TABLES = Account(Kind.TABLES)
TICKETS = Account(Kind.TICKETS)
UNCLAIMED = Account(Kind.UNCLAIMED)
WIN = Account(Kind.WIN)
COMMISSION = Account(Kind.COMMISSION)
