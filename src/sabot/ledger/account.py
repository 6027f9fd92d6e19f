"""The chart of accounts of one table.

Assets: cash box, chip rack, vouchers, tokens, boxes of notes and tickets. Liabilities: chip accounts, wagers on the
layout, balances held for patrons who leave, tickets outstanding, the chips that the cage has entrusted to the table.
Income: the table's win and the commission. At any time assets = liabilities + income. The house's books also hold the
money of tournaments, in accounts that bear the tournament's id where a table's bear the station.

A tournament session has a ledger of its own in credits, which are no money. The credits issued stand on the side of
assets, and those forfeited are income beside win and commission. A ledger refuses the accounts of the other unit.
"""

import enum
from functools import cache
from typing import NamedTuple


class AccountKind(enum.StrEnum):
    CASH_BOX = "cash_box"
    CHIP_RACK = "chip_rack"
    VOUCHERS = "vouchers"
    TOKENS = "tokens"
    NOTE_BOX = "note_box"
    TICKET_BOX = "ticket_box"
    """Tickets that a station took in, which the house owes the table (G-235)."""
    CAGE = "cage"
    TABLES = "tables"
    """What the tables owe the house for tickets that the house will pay."""
    STATION = "station"
    """A station's chip account (CROWN rule 6)."""
    LAYOUT = "layout"
    """A station's wager on one bet."""
    HELD = "held"
    """A balance to be paid to a patron who is leaving (G-116)."""
    TICKETS = "tickets"
    UNCLAIMED = "unclaimed"
    """The value of expired tickets, which stays a liability until the operator's law decides about it."""
    OWED = "owed"
    """What a patron owes the house after a correction; an asset."""
    UNCOLLECTED = "uncollected"
    """What was overpaid to a patron who has left."""
    PAYABLE = "payable"
    """What the house owes a patron who has left and was paid too little."""
    SEIZED = "seized"
    """Winnings held pending an investigation (CROWN 13.2.3)."""
    FLOAT = "float"
    """The chips that the cage has entrusted to the table: fills less credits (G-191)."""
    FLOAT_DIFFERENCE = "float_difference"
    """What counts of the float found missing, less what they found too much; an asset until it is explained."""
    DIFFERENCE = "difference"
    """What a Casino Supervisor booked because the books of a table disagreed."""
    UNEXPLAINED = "unexplained"
    """What the sums of a ledger were out by when that was booked; outside the equation, so that it balances again."""
    WIN = "win"
    COMMISSION = "commission"
    PRIZE_POOL = "prize_pool"
    """Of a tournament, as the kinds below: the pool's part of fees, buy-ins and buy-backs, and what the house adds."""
    TOURNAMENT_FEES = "tournament_fees"
    """The rest of the fees, until the tournament's books are closed."""
    STAKES = "stakes"
    """Buy-ins of a cash event."""
    PAYOUTS = "payouts"
    """Slips that the cage is to pay."""
    ADDED_PRIZES = "added_prizes"
    """What the house put into the pool; an income below zero."""
    FEE_INCOME = "fee_income"
    TOURNAMENT_WIN = "tournament_win"
    """Stakes less the balances of a cash event, and what was forfeited."""
    ISSUED = "issued"
    """The credits of a tournament session that seats were given and have not returned; on the side of assets."""
    FORFEITED = "forfeited"
    """Credits lost by a compulsory wager that was not made, or by arriving late (CROWN 12.2.1(c), (i))."""


class Unit(enum.StrEnum):
    """What a ledger counts."""

    MONEY = "money"
    CREDITS = "credits"


ASSETS = frozenset(
    {
        *(AccountKind.CASH_BOX, AccountKind.CHIP_RACK, AccountKind.VOUCHERS, AccountKind.TOKENS, AccountKind.NOTE_BOX),
        *(AccountKind.TICKET_BOX, AccountKind.OWED, AccountKind.UNCOLLECTED, AccountKind.CAGE, AccountKind.TABLES),
        *(AccountKind.FLOAT_DIFFERENCE, AccountKind.ISSUED),
    }
)
OWED_IN_TOURNAMENTS = frozenset(
    {AccountKind.PRIZE_POOL, AccountKind.TOURNAMENT_FEES, AccountKind.STAKES, AccountKind.PAYOUTS}
)
OWED_OUT = OWED_IN_TOURNAMENTS | {
    *(AccountKind.TICKETS, AccountKind.UNCLAIMED, AccountKind.PAYABLE, AccountKind.SEIZED, AccountKind.FLOAT)
}
TOURNAMENT_INCOME = frozenset({AccountKind.ADDED_PRIZES, AccountKind.FEE_INCOME, AccountKind.TOURNAMENT_WIN})
INCOME = TOURNAMENT_INCOME | {*(AccountKind.WIN, AccountKind.COMMISSION, AccountKind.DIFFERENCE, AccountKind.FORFEITED)}
OF_SESSIONS_OVER = frozenset({AccountKind.PAYABLE, AccountKind.UNCOLLECTED})
"""What stands for one control session each, after its patron has left."""
IN_PURSES = frozenset({AccountKind.STATION, AccountKind.LAYOUT, AccountKind.HELD})
OF_CREDITS = frozenset({AccountKind.ISSUED, AccountKind.FORFEITED})
"""What stands in a ledger of credits alone."""
IN_CREDITS = OF_CREDITS | {
    *(AccountKind.STATION, AccountKind.LAYOUT, AccountKind.OWED, AccountKind.WIN, AccountKind.COMMISSION),
    *(AccountKind.DIFFERENCE, AccountKind.UNEXPLAINED),
}
"""What may stand in a ledger of credits: nothing that lies in a box, was sold, or waits to be paid."""
STRANGE = {Unit.MONEY: OF_CREDITS, Unit.CREDITS: frozenset(AccountKind) - IN_CREDITS}
"""The accounts that have no place in a ledger of each unit."""


class Account(NamedTuple):
    kind: AccountKind
    station: str = ""
    part: str = ""
    """A part of the station: the bet of a layout, or the control session of a payable amount."""

    def __str__(self) -> str:
        return ":".join(word for word in self if word)


@cache
def chip_account(station: str) -> Account:
    return Account(AccountKind.STATION, station)


@cache
def on_layout(station: str, bet: str) -> Account:
    return Account(AccountKind.LAYOUT, station, bet)


@cache
def held_for(station: str) -> Account:
    return Account(AccountKind.HELD, station)


@cache
def owed_by(station: str) -> Account:
    return Account(AccountKind.OWED, station)


def payable_to(station: str, control: int) -> Account:
    """One account for each control session, since it is owed to the patron who was in control then (G-88)."""
    return Account(AccountKind.PAYABLE, station, str(control))


def uncollected_from(station: str, control: int) -> Account:
    return Account(AccountKind.UNCOLLECTED, station, str(control))


@cache
def seized_from(station: str) -> Account:
    return Account(AccountKind.SEIZED, station)


@cache
def note_box(station: str) -> Account:
    return Account(AccountKind.NOTE_BOX, station)


@cache
def ticket_box(station: str) -> Account:
    return Account(AccountKind.TICKET_BOX, station)


@cache
def of_tournament(kind: AccountKind, tournament: str) -> Account:
    """The account of one kind for one tournament (`prize_pool:SPRING`)."""
    assert kind in OWED_IN_TOURNAMENTS or kind in TOURNAMENT_INCOME, f"a tournament has no {kind}"
    return Account(kind, tournament)


CASH_BOX = Account(AccountKind.CASH_BOX)
CHIP_RACK = Account(AccountKind.CHIP_RACK)
VOUCHERS = Account(AccountKind.VOUCHERS)
TOKENS = Account(AccountKind.TOKENS)
CAGE = Account(AccountKind.CAGE)
TABLES = Account(AccountKind.TABLES)
TICKETS = Account(AccountKind.TICKETS)
UNCLAIMED = Account(AccountKind.UNCLAIMED)
FLOAT = Account(AccountKind.FLOAT)
FLOAT_DIFFERENCE = Account(AccountKind.FLOAT_DIFFERENCE)
DIFFERENCE = Account(AccountKind.DIFFERENCE)
UNEXPLAINED = Account(AccountKind.UNEXPLAINED)
WIN = Account(AccountKind.WIN)
COMMISSION = Account(AccountKind.COMMISSION)
ISSUED = Account(AccountKind.ISSUED)
FORFEITED = Account(AccountKind.FORFEITED)
