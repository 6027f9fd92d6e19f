"""What the house's decisions mean for a table.

Everything here may be asked for again at any time: what has been done already is not asked for twice.
"""

from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from sabot.basics.stamp import Stamp, Stamped, clock_stamp
from sabot.house.exclusions.deciding import exclusion_of
from sabot.house.state import HouseState
from sabot.table import acts
from sabot.table.accounts.tickets_in import escrow_of
from sabot.table.configuration import rule_set_of
from sabot.table.state import TableState

TableStamped = Stamped[acts.Act]
TAKEN_UP_WITHIN_MS = 10_000
"""How long what the house has granted may be on its way to the table: a sign-on, or a ticket in escrow."""


class Grants(NamedTuple):
    """The newest numbers of what the house grants to tables."""

    sign_ons: int = 0
    escrows: int = 0


def following(house: HouseState, table: str, state: TableState, at_ms: int) -> list[TableStamped]:
    """What the house's decisions so far ask of a table that has not done it yet."""
    return [
        *_options(house, table, state, at_ms),
        *_dismissed(house, state, at_ms),
        *_put_out(house, state, at_ms),
        *_days(house, table, state, at_ms),
    ]


def not_taken_up(
    house: HouseState, table: str, state: TableState, newest: Grants, at_ms: int
) -> Iterator[TableStamped]:
    """Have a table drop the sign-ons (G-99) and tickets in escrow (G-235) up to these numbers that it never took up.

    Somebody crashed or refused between the two records. Only the table can say so, since the word may still be on its
    way; from then on it comes too late. How long it may be on its way is for the caller to measure, on one clock: that
    of the house and that of the table may be far apart.
    """
    for person, tables in house.at_work.items():
        known = tables.get(table)
        if known is not None and state.sign_ons.get(person, 0) < known.number <= newest.sign_ons:
            yield Stamped(acts.DropSignOn(person=person, number=known.number), clock_stamp(at_ms))
    for station, held in house.in_escrow.get(table, {}).items():
        if escrow_of(state, station).number < held.number <= newest.escrows:
            dropped = acts.DropEscrow(station=station, ticket=held.ticket, escrow=held.number)
            yield Stamped(dropped, clock_stamp(at_ms))


def granted(house: HouseState) -> Grants:
    """All that is granted up to now."""
    return Grants(house.sign_ons, house.escrows)


def granted_before(house: HouseState, table: str, at_ms: int) -> Grants:
    """What was granted to a table up to this time, for a floor that has one clock alone."""
    at_work = (tables[table] for tables in house.at_work.values() if table in tables)
    in_escrow = house.in_escrow.get(table, {}).values()
    return Grants(
        max((one.number for one in at_work if one.since_ms <= at_ms), default=0),
        max((one.number for one in in_escrow if one.since_ms <= at_ms), default=0),
    )


def _options(house: HouseState, table: str, state: TableState, at_ms: int) -> Iterator[TableStamped]:
    """Play by the house's choices; a coup under way is played to its end by the old ones."""
    configuration = state.configuration
    if state.coup is not None or table not in house.tables:
        return
    chosen = rule_set_of(configuration).choose(configuration.options)
    for option in house.tables[table].offers:
        if chosen[option] != house.options[option]:
            yield Stamped(acts.TakeUpOption(option=option, choice=house.options[option]), clock_stamp(at_ms))


def _dismissed(house: HouseState, state: TableState, at_ms: int) -> Iterator[TableStamped]:
    """A person who was dismissed is no longer signed on."""
    for person, role in state.signed_on.items():
        if not house.staff.get(person):
            yield Stamped(acts.SignOff(), Stamp(by=person, role=role, at_ms=at_ms))


def _put_out(house: HouseState, state: TableState, at_ms: int) -> Iterator[TableStamped]:
    """Direct a patron whom the house excludes to leave the station; the table pays out the balance."""
    if not house.exclusions:
        return
    for name, station in state.stations.items():
        excluded = (exclusion_of(house, patron, at_ms) for patron in (station.patron, station.nominee))
        known = next((one for one in excluded if one is not None), None)
        if known is not None and station.is_open and not station.directed_to_leave:
            reason = f"excluded from the house by {known.by}: {known.reason}"
            yield Stamped(acts.DirectToLeave(station=name, reason=reason), clock_stamp(at_ms))


def _days(house: HouseState, table: str, state: TableState, at_ms: int) -> Iterator[TableStamped]:
    """End the gaming days that the house has closed since the table ended one, oldest first.

    A table without an owner plays nothing, so its next owner ends them with the coup with which they did end.
    """
    if table not in house.tables:
        return
    newest_first = range(house.day - 1, house.tables[table].since_day - 1, -1)
    dates = (house.days[day].date for day in newest_first if day in house.days)
    missed = takewhile(lambda date: date > state.day_ended, dates)
    for date in reversed(list(missed)):
        yield Stamped(acts.EndDay(date=date), clock_stamp(at_ms))
