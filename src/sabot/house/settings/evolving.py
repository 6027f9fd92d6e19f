"""What the settings of the house, its tables and their options change."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.house import events as e
from sabot.house.changing import put, without
from sabot.house.state import HouseState, HouseTable


def _configured(state: HouseState, event: e.HouseConfigured) -> HouseState:
    return replace(
        state,
        time_zone=event.time_zone,
        gaming_day_starts=event.gaming_day_starts,
        ticket_validity_days=event.ticket_validity_days,
        several_tables=event.several_tables,
    )


def _entered(state: HouseState, event: e.TableEntered) -> HouseState:
    known = state.tables.get(event.table, HouseTable((), busy=False, since_day=state.day))
    table = replace(known, offers=event.offers, choices=event.choices, cited_as=event.cited_as)
    return replace(state, tables=put(state.tables, event.table, table))


def _busy(state: HouseState, event: e.TableBusy) -> HouseState:
    return replace(state, tables=put(state.tables, event.table, replace(state.tables[event.table], busy=event.busy)))


def _ordered(state: HouseState, event: e.OptionOrdered) -> HouseState:
    return replace(state, ordered=put(state.ordered, event.option, event.choice))


def _changed(state: HouseState, event: e.OptionChanged) -> HouseState:
    return replace(
        state,
        options=put(state.options, event.option, event.choice),
        ordered=without(state.ordered, event.option),
    )


APPLY: dict[type[e.HouseEvent], Callable[[HouseState, Any], HouseState]] = {
    e.HouseConfigured: _configured,
    e.TableEntered: _entered,
    e.TableBusy: _busy,
    e.OptionOrdered: _ordered,
    e.OptionChanged: _changed,
}
