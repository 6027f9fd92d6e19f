"""What the floor carries from a table to the house: for each event that concerns it, the acts that tell it.

Delivery is at least once. Every one of these acts may be given again, at any later time, and then changes nothing.
"""

from collections.abc import Callable
from typing import Any

from sabot.house import acts
from sabot.table.configuration import Configuration, offered_bets, rule_set_of
from sabot.table.events import (
    Configured,
    Event,
    PatronExcluded,
    PrintFailed,
    ReleaseHandedBack,
    TicketIssued,
    TicketPaidManually,
)
from sabot.table.state import TableState


def _issued(table: str, event: TicketIssued, _: TableState) -> acts.CarriedAct:
    return acts.RegisterTicket(
        ticket=event.ticket,
        cents=event.cents,
        table=table,
        station=event.station,
        issued_ms=event.at_ms,
    )


def _excluded(table: str, event: PatronExcluded, state: TableState) -> acts.CarriedAct | None:
    patron = state.cases[event.case].patron
    reason, source = state.cases[event.case].text, f"{table} case {event.case}"
    return acts.CarryExclusion(patron=patron, reason=reason, source=source, decided_by=event.by) if patron else None


NEWS: dict[type[Event], Callable[[str, Any, TableState], acts.CarriedAct | None]] = {
    Configured: lambda table, event, _: entering(table, event.configuration),
    TicketIssued: _issued,
    PrintFailed: lambda _, event, __: acts.CloseToTheCage(ticket=event.ticket, fault=event.fault),
    ReleaseHandedBack: lambda _, event, __: acts.NoteHandedBack(ticket=event.ticket, release=event.release),
    TicketPaidManually: lambda _, event, __: acts.NotePaidByHand(ticket=event.ticket),
    PatronExcluded: _excluded,
}
"""What the house must know of a table's events, given the table's state after them."""


def entering(table: str, configuration: Configuration) -> acts.EnterTable:
    """What the house is told of a table: what it offers, who works there, and when its days begin."""
    rules = rule_set_of(configuration)
    chosen = rules.choose(configuration.options)
    offers = {option: chosen[option] for bet in offered_bets(configuration) if (option := rules.bets[bet].option)}
    return acts.EnterTable(
        table=table,
        offers=offers,
        choices={option: rules.options[option].choices for option in offers},
        staff={person: tuple(roles) for person, roles in configuration.staff.items() if roles},
        cited_as=rules.house_rules.cited_as if rules.house_rules else {},
        time_zone=configuration.time_zone,
        gaming_day_starts=configuration.gaming_day_starts,
    )


def busy(table: str, *, is_busy: bool) -> acts.TellBusy:
    """A coup has begun or ended at a table."""
    return acts.TellBusy(table=table, busy=is_busy)
