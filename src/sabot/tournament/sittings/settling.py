"""What follows when a sitting is over: who did not come, what is paid in cash, and the end of the session (G-135)."""

from collections.abc import Iterable, Iterator, Mapping

from sabot.basics.stamp import Stamp
from sabot.tournament import events as e
from sabot.tournament.conditions.parts import Balances
from sabot.tournament.entry import slips
from sabot.tournament.sittings.attendance import absent_refunds
from sabot.tournament.sittings.finding import final_scores, is_there, round_played, sittings_on
from sabot.tournament.state import SITTING_OVER, EntrantStatus, Sitting, SlipStatus, TournamentState

_BALANCES = "CROWN 12.2.1(b)"
_Events = tuple[e.TournamentEvent, ...]


def over(state: TournamentState, known: str, stamp: Stamp) -> _Events:
    """What the end of a sitting brings with it; the last of a session ends the session."""
    sitting = state.sittings[known]
    missing = tuple(_missing(state, sitting))
    outcome = state.conditions.attendance.absent.outcome.value
    refunds = [order for number in missing for order in absent_refunds(state, number, sitting.round)]
    events: list[e.TournamentEvent] = [
        e.EntrantAbsent(
            entrant=number,
            round=sitting.round,
            outcome=outcome,
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause="CROWN 12.2.1(i)",
        )
        for number in missing
    ]
    orders = refunds
    if is_cash(state, sitting):
        balances = _balances(state, known)
        events.append(_stakes_due(state, known, balances, refunds, stamp))
        orders = [*refunds, *_balance_orders(state, known, balances)]
    return (*events, *slips.all_raised(state, stamp, orders), *session_ended(state, known, stamp))


def session_ended(state: TournamentState, known: str, stamp: Stamp) -> _Events:
    """The session ends with its last sitting; `known` is over already, though the state does not say so yet."""
    if state.on is None or any(one != known and at.state not in SITTING_OVER for one, at in sittings_on(state)):
        return ()
    name, session = state.on
    sitting = state.sittings[known]
    if (sitting.round, sitting.session) != (name, session):
        return ()
    return (e.SessionEnded(round=name, session=session, by=stamp.by, at_ms=stamp.at_ms, clause="CROWN 12.2.1(d)"),)


def _missing(state: TournamentState, sitting: Sitting) -> Iterator[int]:
    """Who had a seat and never came, and is not declared absent yet."""
    for station, seat in sitting.seats.items():
        waits = state.entrants[str(seat.entrant)].status is EntrantStatus.SEATED
        if waits and not is_there(sitting, station):
            yield seat.entrant


# Cash


def is_cash(state: TournamentState, sitting: Sitting) -> bool:
    played = round_played(state, sitting.round)
    return played is not None and played.balances is Balances.CASH


def _chain(state: TournamentState, known: str) -> list[str]:
    """The sitting and those that it goes on, newest first."""
    chain = [known]
    while state.sittings[chain[-1]].stood_for:
        chain.append(state.sittings[chain[-1]].stood_for)
    return chain


def _seated(state: TournamentState, known: str) -> frozenset[int]:
    """Everybody who has or had a seat in the sitting."""
    return frozenset(seat.entrant for one in _chain(state, known) for seat in state.sittings[one].seats.values())


def _balances(state: TournamentState, known: str) -> dict[int, int]:
    """What each entrant has at the end: also who left before the sitting went on at another table."""
    balances: dict[int, int] = {}
    for one in reversed(_chain(state, known)):
        sitting = state.sittings[one]
        scores = final_scores(sitting)
        for station, seat in sitting.seats.items():
            if is_there(sitting, station):
                balances[seat.entrant] = max(0, scores.get(seat.entrant, seat.credit))
    return balances


def _paid(state: TournamentState, known: str, number: int) -> int:
    """What balance slips of the sitting already pay an entrant."""
    chain = _chain(state, known)
    held = (state.slips[one] for one in state.entrants[str(number)].slips)
    return sum(
        slip.cents
        for slip in held
        if slip.purpose == slips.BALANCE
        and slip.of in chain
        and slip.status not in (SlipStatus.WITHDRAWN, SlipStatus.CANCELLED)
    )


def _balance_orders(state: TournamentState, known: str, balances: Mapping[int, int]) -> Iterator[slips.SlipOrder]:
    """One slip for each entrant with a balance, less what was paid to an entrant who left."""
    for number, balance in sorted(balances.items()):
        due = balance - _paid(state, known, number)
        if due > 0:
            player = state.entrants[str(number)].player
            yield slips.SlipOrder(slips.PAY, slips.BALANCE, number, player, {slips.STAKES: due}, of=known)


def _stakes_due(
    state: TournamentState,
    known: str,
    balances: Mapping[int, int],
    refunds: Iterable[slips.SlipOrder],
    stamp: Stamp,
) -> e.StakesDue:
    """What the entrants of the sitting lost in sum: their buy-ins less what is refunded of them and their balances."""
    stakes = sum(_stake(state, number, state.sittings[known].round) for number in _seated(state, known))
    returned = sum(order.parts.get(slips.STAKES, 0) for order in refunds)
    paid = sum(max(balance, _paid(state, known, number)) for number, balance in balances.items())
    return _due(known, stakes - returned - paid, stamp)


def _stake(state: TournamentState, number: int, name: str) -> int:
    """An entrant's buy-in for the round that no slip gives back."""
    held = {one: state.slips[one] for one in state.entrants[str(number)].slips}
    taken = {
        one: slip.parts.get(slips.STAKES, 0)
        for one, slip in held.items()
        if slip.purpose == slips.BUY_IN and slip.of == name and slip.status is SlipStatus.TAKEN
    }
    back = sum(
        slip.parts.get(slips.STAKES, 0)
        for slip in held.values()
        if slip.purpose == slips.REFUND and slip.of in taken and slip.status is not SlipStatus.CANCELLED
    )
    return sum(taken.values()) - back


def _due(known: str, won_cents: int, stamp: Stamp) -> e.StakesDue:
    return e.StakesDue(sitting=known, won_cents=won_cents, by=stamp.by, at_ms=stamp.at_ms, clause=_BALANCES)


_LEFT = frozenset({EntrantStatus.RETIRED, EntrantStatus.DISQUALIFIED, EntrantStatus.EXCLUDED})


def paid_after(state: TournamentState, known: str, revision: int, stamp: Stamp) -> _Events:
    """Cash that a new score makes due: who has left is paid at once, and a sitting that is closed is paid up.

    What was paid too much stands (G-88). `state` has the new scores already.
    """
    balances = _balances(state, known)
    if known in state.stakes:
        orders = list(_balance_orders(state, known, balances))
        more = sum(order.cents for order in orders)
        if not more:
            return ()
        return (_due(f"{known}@{revision}", -more, stamp), *slips.all_raised(state, stamp, orders))
    closed = {told.entrant for told in state.sittings[known].told.values() if told.closed}
    left = {
        number: balance
        for number, balance in balances.items()
        if number in closed and state.entrants[str(number)].status in _LEFT
    }
    return slips.all_raised(state, stamp, _balance_orders(state, known, left))


# A tournament that is cancelled


def settled_stakes(state: TournamentState) -> frozenset[tuple[str, int]]:
    """Rounds and entrants whose stakes are settled: the sitting is closed, or its leaver has the balance (G-140)."""
    closed = {
        (sitting.round, number)
        for known, sitting in state.sittings.items()
        if known in state.stakes
        for number in _seated(state, known)
    }
    return frozenset(closed | {(state.sittings[known].round, number) for known, number in _leavers_paid(state)})


def stakes_of_leavers(state: TournamentState, stamp: Stamp) -> _Events:
    """What the house keeps of those who left a cash sitting that is cancelled: their buy-ins less their balances."""
    won: dict[str, int] = {}
    for known, number in _leavers_paid(state):
        stake = _stake(state, number, state.sittings[known].round)
        won[known] = won.get(known, 0) + stake - _paid(state, known, number)
    return tuple(_due(known, cents, stamp) for known, cents in sorted(won.items()))


def _leavers_paid(state: TournamentState) -> list[tuple[str, int]]:
    """Sittings that are on, each with an entrant who left it and was paid the balance."""
    return [
        (known, number)
        for known, sitting in sittings_on(state)
        if sitting.state not in SITTING_OVER
        for number in sorted(
            {seat.entrant for one in _chain(state, known) for seat in state.sittings[one].seats.values()}
        )
        if _paid(state, known, number)
    ]
