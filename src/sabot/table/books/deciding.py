"""A locked table: what disagrees is booked, or patrons are paid by hand, by two persons and on record (G-153).

Nothing else leaves such a table. What is booked or paid lies between the two figures that disagree, so nobody takes out
more than one of them says. The self-audit alone unlocks the table, when it finds nothing more.
"""

from sabot.basics.stamp import Stamp
from sabot.ledger.audit import SUMS, discrepancy, sums
from sabot.table import acts
from sabot.table.accounts.deciding import closed_account
from sabot.table.events import DifferenceBooked, Event, PaidByHand, TableUnlocked
from sabot.table.evolve import fold
from sabot.table.no import No
from sabot.table.parts import meters_of
from sabot.table.refusal import Cause
from sabot.table.state import TableState

CLAUSE = "CROWN 1.6"


def book_difference(state: TableState, act: acts.BookDifference, stamp: Stamp) -> tuple[Event, ...]:
    """The sums first, so that every further booking is made in books that balance."""
    _check(state, act.reason)
    events = _sums_booked(state, act.reason, stamp.by)
    if act.station:
        events += (_station_booked(state, act, stamp.by),)
    elif not events and discrepancy(state.ledger, state.meters) is not None:
        raise No(Cause.NOTHING_TO_BOOK, account=SUMS)
    return _and_unlocked(state, events, stamp.by)


def pay_by_hand(state: TableState, act: acts.PayByHand, stamp: Stamp) -> tuple[Event, ...]:
    """Pay what was found to be due and close the account; wagers that still run are ended first."""
    _check(state, act.reason)
    if act.station not in state.stations:
        raise No(Cause.UNKNOWN_STATION, station=act.station)
    station, purse = state.stations[act.station], state.purse(act.station)
    if not station.is_open:
        raise No(Cause.NO_ACCOUNT, station=act.station)
    if purse.layout:
        raise No(Cause.WAGERS_RUNNING, station=act.station)
    least, most = sorted((purse.total, meters_of(state, act.station).left()))
    if not max(0, least) <= act.cents <= most:
        raise No(Cause.NOT_BETWEEN, station=act.station, least_cents=max(0, least), most_cents=most)
    coin = act.cents % state.configuration.smallest_chip
    paid = PaidByHand(
        station=act.station,
        control=station.control,
        cents=act.cents,
        chips_cents=act.cents - coin,
        coin_cents=coin,
        ledger_cents=purse.total,
        meters_cents=meters_of(state, act.station).left(),
        held_cents=purse.held,
        reason=act.reason,
        by=stamp.by,
        clause=CLAUSE,
    )
    events = (*_sums_booked(state, act.reason, stamp.by), paid, *closed_account(state, act.station, CLAUSE))
    return _and_unlocked(state, events, stamp.by)


def _check(state: TableState, reason: str) -> None:
    if not state.locked:
        raise No(Cause.NOT_LOCKED)
    if not reason.strip():
        raise No(Cause.REASON_MISSING, clause=CLAUSE)


def _sums_booked(state: TableState, reason: str, by: str) -> tuple[Event, ...]:
    """What the assets are more or less than all other accounts, if they are."""
    assets, others = sums(state.ledger)
    if assets == others:
        return ()
    return (
        DifferenceBooked(
            station="", right="ledger", ledger_cents=assets, meters_cents=others, reason=reason, by=by, clause=CLAUSE
        ),
    )


def _station_booked(state: TableState, act: acts.BookDifference, by: str) -> DifferenceBooked:
    """The meters follow the ledger, or the account follows the meters, and no account goes below zero."""
    if act.station not in state.stations:
        raise No(Cause.UNKNOWN_STATION, station=act.station)
    purse, counted = state.purse(act.station), meters_of(state, act.station).left()
    change = counted - purse.total
    if not change:
        raise No(Cause.NOTHING_TO_BOOK, account=act.station)
    if act.right == "meters":
        if change > 0 and not state.stations[act.station].is_open:
            raise No(Cause.NO_ACCOUNT, station=act.station)
        if -change > purse.balance + purse.held:
            raise No(Cause.WAGERS_RUNNING, station=act.station)
    return DifferenceBooked(
        station=act.station,
        right=act.right,
        ledger_cents=purse.total,
        meters_cents=counted,
        from_held_cents=max(0, -change - purse.balance) if act.right == "meters" else 0,
        reason=act.reason,
        by=by,
        clause=CLAUSE,
    )


def _and_unlocked(state: TableState, events: tuple[Event, ...], by: str) -> tuple[Event, ...]:
    """The self-audit says whether the table is unlocked."""
    after = fold(events, state)
    if discrepancy(after.ledger, after.meters) is not None:
        return events
    return (*events, TableUnlocked(by=by, clause=CLAUSE))
