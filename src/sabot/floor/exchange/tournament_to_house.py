"""What a tournament asks of the house: its slips, what the house adds to the prizes, and the end of its books.

It is derived from the two states. The house knows every slip by its number and takes a repetition for what it is.
"""

from collections.abc import Iterator

from sabot.basics.stamp import Stamped, clock_stamp
from sabot.house import acts
from sabot.house.state import HouseSlipStatus, HouseState, HouseTournament, SlipDirection, SlipPart
from sabot.tournament.state import SlipStatus, TournamentSlip, TournamentState

HouseStamped = Stamped[acts.HouseAct]


def tournament_to_house(tournament: TournamentState, house: HouseState, at_ms: int) -> list[HouseStamped]:
    """What the house has not done yet. The pool and the stakes are raised before anything is paid out of them."""
    stamp = clock_stamp(at_ms)
    booked = house.tournaments.get(tournament.tournament, HouseTournament())
    asked = (*_money(tournament, booked), *_slips(tournament, house), *_end(tournament, booked))
    return [HouseStamped(act, stamp) for act in asked]


def _money(tournament: TournamentState, booked: HouseTournament) -> Iterator[acts.CarriedSlipAct]:
    name = tournament.tournament
    if tournament.house_adds_cents != booked.added:
        yield acts.RaisePool(tournament=name, cents=tournament.house_adds_cents)
    for sitting, won in tournament.stakes.items():
        if booked.won.get(sitting) != won:
            yield acts.SettleStakes(tournament=name, sitting=sitting, won_cents=won)


def _slips(tournament: TournamentState, house: HouseState) -> Iterator[acts.CarriedSlipAct]:
    """A slip that was withdrawn before the house heard of it is registered, too, and then cancelled on record."""
    for number in sorted(tournament.unsettled):
        slip, known = tournament.slips[number], house.slips.get(number)
        if known is None:
            yield _registering(tournament.tournament, number, slip)
        elif slip.status is SlipStatus.WITHDRAWN and known.status is HouseSlipStatus.OPEN:
            yield acts.CancelSlip(slip=number)


def _registering(tournament: str, number: str, slip: TournamentSlip) -> acts.RegisterSlip:
    return acts.RegisterSlip(
        slip=number,
        tournament=tournament,
        direction=SlipDirection(slip.direction),
        cents=slip.cents,
        parts={SlipPart(account): cents for account, cents in slip.parts.items() if cents},
        purpose=slip.purpose,
        entrant=slip.entrant,
        player=slip.player,
    )


def _end(tournament: TournamentState, booked: HouseTournament) -> Iterator[acts.CarriedSlipAct]:
    if tournament.books_closed and not booked.closed:
        yield acts.CloseTournament(tournament=tournament.tournament)
