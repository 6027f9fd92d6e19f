"""Tables of the house, and the side-bet options that all of them play by (CROWN 10.1 note *, G-48).

An option is changed by one record of the house when every table that offers the bet is between coups, and each table
takes it up as its own.
"""

from collections.abc import Mapping

from sabot.basics.stamp import Stamp, operator_stamp
from sabot.house import acts
from sabot.house import events as e
from sabot.house.evolve import fold
from sabot.house.refusal import HouseCause, HouseNo
from sabot.house.staff.deciding import appoint
from sabot.house.state import HouseState

NOTE = "CROWN 10.1 note *"


def configure_house(state: HouseState, act: acts.ConfigureHouse, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    days, several = act.ticket_validity_days, act.several_tables
    return (
        e.HouseConfigured(
            time_zone=act.time_zone or state.time_zone,
            gaming_day_starts=act.gaming_day_starts or state.gaming_day_starts,
            ticket_validity_days=state.ticket_validity_days if days is None else days,
            several_tables=state.several_tables if several is None else several,
            by=stamp.by,
        ),
    )


def enter_table(state: HouseState, act: acts.EnterTable, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """What the house does not know yet of a table: told again it changes nothing.

    The first table sets the house's days. The first one to offer an optioned bet brings its choice along; later ones
    play by the house's. Its staff join the house's list; a person who is on it, dismissed or not, stays as listed.
    """
    offers = tuple(sorted(act.offers))
    known = state.tables.get(act.table)
    events: list[e.HouseEvent] = []
    if not state.tables and act.time_zone:
        configured = acts.ConfigureHouse(time_zone=act.time_zone, gaming_day_starts=act.gaming_day_starts)
        events += configure_house(state, configured, operator_stamp(stamp.at_ms))
    if known is None or (known.offers, known.choices, known.cited_as) != (offers, act.choices, act.cited_as):
        events.append(e.TableEntered(table=act.table, offers=offers, choices=act.choices, cited_as=act.cited_as))
    for option, choice in act.offers.items():
        if option not in state.options:
            events.append(e.OptionChanged(option=option, choice=choice, clause=NOTE))
    for person, roles in act.staff.items():
        if person not in state.staff:
            events += appoint(state, acts.Appoint(person=person, roles=roles), operator_stamp(stamp.at_ms))
    return tuple(events)


def tell_busy(state: HouseState, act: acts.TellBusy, _stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    if act.table not in state.tables:
        raise HouseNo(HouseCause.UNKNOWN_TABLE, table=act.table)
    if state.tables[act.table].busy is act.busy:
        return ()
    told = e.TableBusy(table=act.table, busy=act.busy)
    return (told, *_due(fold((told,), state), state.ordered))


def order_option(state: HouseState, act: acts.Option, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """Choose the same odds for all tables; they change over when all that offer the bet are between coups.

    Every table that offers the bet must have the choice, or none of them changes over.
    """
    if not any(act.option in table.offers for table in state.tables.values()):
        raise HouseNo(HouseCause.UNKNOWN_OPTION, option=act.option)
    for name, table in state.tables.items():
        choices = table.choices.get(act.option, act.choice)
        if act.option in table.offers and not 1 <= act.choice <= choices:
            raise HouseNo(HouseCause.NO_SUCH_CHOICE, table=name, choices=choices, option=act.option, choice=act.choice)
    ordered = e.OptionOrdered(option=act.option, choice=act.choice, by=stamp.by, clause=NOTE)
    return (ordered, *_due(state, {act.option: act.choice}))


def _due(state: HouseState, ordered: Mapping[str, int]) -> tuple[e.HouseEvent, ...]:
    """The ordered options whose time has come."""
    return tuple(
        e.OptionChanged(option=option, choice=choice, clause=NOTE)
        for option, choice in ordered.items()
        if not any(table.busy for table in state.tables.values() if option in table.offers)
    )
