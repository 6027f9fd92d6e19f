"""What goes between the house and a table besides news: what a table's entering means for the house, and what the
house's decisions mean for a table.

Everything here may be asked for again at any time: what has been done already is not asked for twice.
"""

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from sabot.basics.role import Role
from sabot.house import commands as h
from sabot.house.exclusions import exclusion_of
from sabot.house.state import HouseState
from sabot.table import acts as c
from sabot.table.configuration import Configuration, offered_bets, rule_set_of
from sabot.table.state import TableState


def entering(house: HouseState, table: str, configuration: Configuration, at_ms: int) -> list[h.Command]:
    """What the house is told of a table: what it offers, and who works there."""
    rules = rule_set_of(configuration)
    chosen = rules.choose(configuration.options)
    offers = {option: chosen[option] for bet in offered_bets(configuration) if (option := rules.bets[bet].option)}
    told: list[h.Command] = [h.EnterTable(by="clock", role=Role.CLOCK, at_ms=at_ms, table=table, offers=offers)]
    for person, roles in configuration.staff.items():
        if person not in house.staff and roles:
            told.append(h.Appoint(by="operator", role=Role.OPERATOR, at_ms=at_ms, person=person, roles=tuple(roles)))
    return told


def following(house: HouseState, table: str, state: TableState, at_ms: int) -> list[c.Command]:
    """What the house's decisions so far ask of a table that has not done it yet."""
    return [
        *_options(house, table, state, at_ms),
        *_dismissed(house, state, at_ms),
        *_put_out(house, state, at_ms),
        *_days(house, table, state, at_ms),
    ]


def _options(house: HouseState, table: str, state: TableState, at_ms: int) -> Iterator[c.Command]:
    """Play by the house's choices; a coup under way is played to its end by the old ones."""
    configuration = state.configuration
    if configuration is None or state.coup is not None or table not in house.tables:
        return
    chosen = rule_set_of(configuration).choose(configuration.options)
    for option in house.tables[table].offers:
        if chosen[option] != house.options[option]:
            yield c.TakeUpOption(by="clock", role=Role.CLOCK, at_ms=at_ms, option=option, choice=house.options[option])


def _dismissed(house: HouseState, state: TableState, at_ms: int) -> Iterator[c.Command]:
    """A person who was dismissed is no longer signed on."""
    for person, role in state.signed_on.items():
        if not house.staff.get(person):
            yield c.SignOff(by=person, role=role, at_ms=at_ms)


def _put_out(house: HouseState, state: TableState, at_ms: int) -> Iterator[c.Command]:
    """Direct whoever the house excludes to leave his station; the table pays him what is his."""
    clock: dict[str, Any] = {"by": "clock", "role": Role.CLOCK, "at_ms": at_ms}
    for name, station in state.stations.items():
        excluded = (exclusion_of(house, patron, at_ms) for patron in (station.patron, station.nominee))
        known = next((one for one in excluded if one is not None), None)
        if known is not None and station.is_open and not station.directed_to_leave:
            reason = f"excluded from the house by {known.by}: {known.reason}"
            yield c.DirectToLeave(station=name, reason=reason, **clock)


def _days(house: HouseState, table: str, state: TableState, at_ms: int) -> Iterator[c.Command]:
    """End the gaming days that the house has closed since the table ended one, oldest first.

    A table without an owner plays nothing, so whoever takes it ends them with the coup with which they did end.
    """
    if table not in house.tables:
        return
    newest_first = range(house.day - 1, house.tables[table].since_day - 1, -1)
    missed = takewhile(lambda date: date > state.day_ended, (house.days[day].date for day in newest_first))
    for date in reversed(list(missed)):
        yield c.EndDay(by="clock", role=Role.CLOCK, at_ms=at_ms, date=date)
