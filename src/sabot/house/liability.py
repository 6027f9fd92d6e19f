"""What the house owes for tickets and tournaments: a report as a value, which says whether it agrees with the books."""

from collections import Counter

import msgspec

from sabot.house.state import (
    OUTSTANDING,
    Day,
    HouseSlipStatus,
    HouseState,
    HouseTournament,
    TicketStatus,
)
from sabot.ledger.account import (
    CAGE,
    OWED_IN_TOURNAMENTS,
    TICKETS,
    TOURNAMENT_INCOME,
    UNCLAIMED,
    AccountKind,
    of_tournament,
)


class Outstanding(msgspec.Struct, frozen=True, gc=False):
    """Tickets of one status and one age."""

    status: TicketStatus
    days_old: int
    """Gaming days since the one of its issue."""
    tickets: int
    cents: int


class TournamentBooks(msgspec.Struct, frozen=True, gc=False):
    """The accounts of one tournament, in cents, each on its normal side."""

    tournament: str
    prize_pool: int
    tournament_fees: int
    stakes: int
    payouts: int
    """What the cage has yet to pay."""
    added_prizes: int
    fee_income: int
    tournament_win: int
    closed: bool


class Liability(msgspec.Struct, frozen=True):
    day: int
    outstanding: tuple[Outstanding, ...]
    outstanding_cents: int
    unclaimed_cents: int
    tournaments: tuple[TournamentBooks, ...]
    days: dict[int, Day]
    agrees: bool
    """Whether tickets, slips, days and books come to the same sums."""


def liability(state: HouseState) -> Liability:
    counted: Counter[tuple[TicketStatus, int]] = Counter()
    cents: Counter[tuple[TicketStatus, int]] = Counter()
    for ticket in state.tickets.open.values():
        if ticket.status in OUTSTANDING:
            key = (ticket.status, state.day - ticket.day)
            counted[key] += 1
            cents[key] += ticket.cents
    unclaimed = state.away.unclaimed_cents
    unclaimed += sum(one.cents for one in state.tickets.whole().values() if one.status is TicketStatus.EXPIRED)
    unclaimed += sum(one.cents for one in state.slips.whole().values() if one.status is HouseSlipStatus.EXPIRED)
    outstanding = sum(cents.values())
    return Liability(
        day=state.day,
        outstanding=tuple(Outstanding(*key, counted[key], cents[key]) for key in sorted(counted)),
        outstanding_cents=outstanding,
        unclaimed_cents=unclaimed,
        tournaments=tournament_books(state),
        days=dict(state.days),
        agrees=(outstanding, unclaimed, outstanding)
        == (state.ledger.balance(TICKETS), state.ledger.balance(UNCLAIMED), _by_days(state))
        and _slips_agree(state),
    )


def tournament_books(state: HouseState) -> tuple[TournamentBooks, ...]:
    """The books of every tournament that has had money, in the order of their ids."""
    kinds = OWED_IN_TOURNAMENTS | TOURNAMENT_INCOME
    names = {account.station for account in state.ledger.books if account.kind in kinds} | state.tournaments.keys()
    return tuple(_books(state, name) for name in sorted(names))


def _books(state: HouseState, name: str) -> TournamentBooks:
    def holds(kind: AccountKind) -> int:
        return state.ledger.balance(of_tournament(kind, name))

    return TournamentBooks(
        tournament=name,
        prize_pool=holds(AccountKind.PRIZE_POOL),
        tournament_fees=holds(AccountKind.TOURNAMENT_FEES),
        stakes=holds(AccountKind.STAKES),
        payouts=holds(AccountKind.PAYOUTS),
        added_prizes=holds(AccountKind.ADDED_PRIZES),
        fee_income=holds(AccountKind.FEE_INCOME),
        tournament_win=holds(AccountKind.TOURNAMENT_WIN),
        closed=state.tournaments.get(name, HouseTournament()).closed,
    )


def _slips_agree(state: HouseState) -> bool:
    """What is owed is what slips wait to be paid; the cage holds what was taken less what was paid, of tickets too."""
    owed, taken, paid = 0, state.away.slips_taken_cents, state.away.slips_paid_cents
    for slip in state.slips.whole().values():
        owed += slip.cents if slip.is_owed else 0
        taken += slip.cents if slip.status is HouseSlipStatus.TAKEN else 0
        paid += slip.cents if slip.status is HouseSlipStatus.PAID else 0
    days = (state.days_before, *state.days.values())
    by_days = (sum(day.slips_taken for day in days), sum(day.slips_paid for day in days))
    tickets = sum(day.paid for day in days)
    return (owed, by_days, taken - paid - tickets) == (state.slips_owed, (taken, paid), state.ledger.balance(CAGE))


def _by_days(state: HouseState) -> int:
    days = (state.days_before, *state.days.values())
    return sum(
        day.issued - day.paid - day.by_hand - day.taken_in - day.void - day.expired + day.reinstated for day in days
    )
