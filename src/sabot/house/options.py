"""Tables of the house, and the side-bet options that all of them play by (CROWN 10.1 note *, G-48).

An option is changed by one record of the house when every table that offers the bet is between coups, and each table
takes it up as its own.
"""

from collections.abc import Mapping

from sabot.house import commands as c
from sabot.house import events as e
from sabot.house.evolve import fold
from sabot.house.refusal import Cause, No
from sabot.house.state import HouseState

NOTE = "CROWN 10.1 note *"


def configure_house(state: HouseState, command: c.ConfigureHouse) -> tuple[e.HouseEvent, ...]:
    days = command.ticket_validity_days
    return (
        e.HouseConfigured(
            time_zone=command.time_zone or state.time_zone,
            gaming_day_starts=command.gaming_day_starts or state.gaming_day_starts,
            ticket_validity_days=state.ticket_validity_days if days is None else days,
            by=command.by,
        ),
    )


def enter_table(state: HouseState, command: c.EnterTable) -> tuple[e.HouseEvent, ...]:
    """The first table to offer an optioned bet brings its choice along; later ones play by the house's."""
    entered = e.TableEntered(table=command.table, offers=tuple(sorted(command.offers)))
    brought = {option: choice for option, choice in command.offers.items() if option not in state.options}
    return (entered, *(e.OptionChanged(option=option, choice=brought[option], clause=NOTE) for option in brought))


def tell_busy(state: HouseState, command: c.TellBusy) -> tuple[e.HouseEvent, ...]:
    if command.table not in state.tables:
        raise No(Cause.UNKNOWN_TABLE, table=command.table)
    if state.tables[command.table].busy is command.busy:
        return ()
    told = e.TableBusy(table=command.table, busy=command.busy)
    return (told, *_due(fold((told,), state), state.ordered))


def order_option(state: HouseState, command: c.OrderOption) -> tuple[e.HouseEvent, ...]:
    """Choose the same odds for all tables; they change over when all that offer the bet are between coups."""
    if not any(command.option in table.offers for table in state.tables.values()):
        raise No(Cause.UNKNOWN_OPTION, option=command.option)
    ordered = e.OptionOrdered(option=command.option, choice=command.choice, by=command.by, clause=NOTE)
    return (ordered, *_due(state, {command.option: command.choice}))


def _due(state: HouseState, ordered: Mapping[str, int]) -> tuple[e.HouseEvent, ...]:
    """The ordered options whose time has come."""
    return tuple(
        e.OptionChanged(option=option, choice=choice, clause=NOTE)
        for option, choice in ordered.items()
        if not any(table.busy for table in state.tables.values() if option in table.offers)
    )
