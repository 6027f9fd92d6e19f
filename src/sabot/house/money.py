"""What an event moves in the house's own books. Nothing else moves money there."""

from collections.abc import Callable, Mapping
from typing import Any

from sabot.house import events as e
from sabot.house.state import HouseSlip, HouseSlipStatus, HouseState, HouseTournament, SlipDirection, TicketStatus
from sabot.ledger.account import CAGE, TABLES, TICKETS, UNCLAIMED, Account, AccountKind, of_tournament
from sabot.ledger.posting import Posting

_MOVES: dict[type[e.HouseEvent], tuple[Account, Account]] = {
    e.TicketRedeemed: (TICKETS, CAGE),
    e.TicketVoided: (TICKETS, TABLES),
    e.TicketSettledByHand: (TICKETS, TABLES),  # The table has paid, so it owes the house nothing for it.
    e.TicketTakenIn: (TICKETS, TABLES),  # The table has credited it, and is owed as much by the house.
    e.TicketExpired: (TICKETS, UNCLAIMED),
    e.TicketReinstated: (UNCLAIMED, TICKETS),
}


def postings(event: e.HouseEvent, state: HouseState) -> list[Posting]:
    """The postings of an event, given the state before it."""
    moved = _MOVED.get(type(event))
    return moved(event, state) if moved else []


def _registered_ticket(event: e.TicketRegistered, _state: HouseState) -> list[Posting]:
    return [Posting(TABLES, TICKETS, event.cents, event.clause)]


def _later_ticket(event: Any, state: HouseState) -> list[Posting]:
    """A ticket is always worth what it was issued for."""
    ticket = state.tickets[event.ticket]
    if isinstance(event, e.TicketReinstated) and ticket.status is not TicketStatus.EXPIRED:
        return []  # It never stopped being owed.
    return [Posting(*_MOVES[type(event)], ticket.cents, event.clause)]


def _registered_slip(event: e.SlipRegistered, _state: HouseState) -> list[Posting]:
    """What is to be paid is owed at once; what is to be taken is nobody's before it is taken."""
    if event.direction is SlipDirection.TAKE:
        return []
    payouts = of_tournament(AccountKind.PAYOUTS, event.tournament)
    return [Posting(source, payouts, cents, event.clause) for source, cents in _parts(event).items()]


def _taken_slip(event: e.SlipTaken, state: HouseState) -> list[Posting]:
    return [Posting(CAGE, target, cents, event.clause) for target, cents in _parts(state.slips[event.slip]).items()]


def _cancelled_slip(event: e.SlipCancelled, state: HouseState) -> list[Posting]:
    """A slip to be paid goes back where it came from."""
    slip = state.slips[event.slip]
    if slip.direction is SlipDirection.TAKE:
        return []
    payouts = of_tournament(AccountKind.PAYOUTS, slip.tournament)
    return [Posting(payouts, source, cents, event.clause) for source, cents in _parts(slip).items()]


def _later_slip(event: Any, state: HouseState) -> list[Posting]:
    """A slip to be paid that is paid, forfeited or expires, or that is owed again after it expired."""
    slip = state.slips[event.slip]
    payouts = of_tournament(AccountKind.PAYOUTS, slip.tournament)
    if isinstance(event, e.SlipReleased):
        expired = slip.status is HouseSlipStatus.EXPIRED
        return [Posting(UNCLAIMED, payouts, slip.cents, event.clause)] if expired else []
    target = CAGE if isinstance(event, e.SlipPaid) else UNCLAIMED
    if isinstance(event, e.SlipForfeited):
        target = of_tournament(AccountKind.TOURNAMENT_WIN, slip.tournament)
    return [Posting(payouts, target, slip.cents, event.clause)]


def _raised_pool(event: e.PoolRaised, state: HouseState) -> list[Posting]:
    more = event.cents - state.tournaments.get(event.tournament, HouseTournament()).added
    return _moved(event, AccountKind.ADDED_PRIZES, AccountKind.PRIZE_POOL, more)


def _settled_stakes(event: e.StakesSettled, state: HouseState) -> list[Posting]:
    more = event.won_cents - state.tournaments.get(event.tournament, HouseTournament()).won.get(event.sitting, 0)
    return _moved(event, AccountKind.STAKES, AccountKind.TOURNAMENT_WIN, more)


def _closed_tournament(event: e.TournamentClosed, _state: HouseState) -> list[Posting]:
    return _moved(event, AccountKind.TOURNAMENT_FEES, AccountKind.FEE_INCOME, event.fees_cents)


def _moved(event: Any, source: AccountKind, target: AccountKind, cents: int) -> list[Posting]:
    """From one account of the tournament to another, or back where the amount is below zero."""
    if not cents:
        return []
    source, target = (source, target) if cents > 0 else (target, source)
    name = event.tournament
    return [Posting(of_tournament(source, name), of_tournament(target, name), abs(cents), event.clause)]


def _parts(slip: e.SlipRegistered | HouseSlip) -> Mapping[Account, int]:
    return {of_tournament(AccountKind(part), slip.tournament): cents for part, cents in slip.parts.items()}


_MOVED: dict[type[e.HouseEvent], Callable[[Any, HouseState], list[Posting]]] = {
    e.TicketRegistered: _registered_ticket,
    **dict.fromkeys(_MOVES, _later_ticket),
    e.SlipRegistered: _registered_slip,
    e.SlipTaken: _taken_slip,
    e.SlipCancelled: _cancelled_slip,
    e.SlipPaid: _later_slip,
    e.SlipReleased: _later_slip,
    e.SlipForfeited: _later_slip,
    e.SlipExpired: _later_slip,
    e.PoolRaised: _raised_pool,
    e.StakesSettled: _settled_stakes,
    e.TournamentClosed: _closed_tournament,
}
