"""What the floor carries from a table to the house: for each event that concerns it, the command that tells it.

Delivery is at least once. Every one of these commands may be given again, at any later time, and then changes nothing.
"""

from typing import Any

from sabot.basics.role import Role
from sabot.house import commands as c
from sabot.table.events import PatronExcluded, PrintFailed, TicketIssued, TicketPaidManually
from sabot.table.state import TableState

OF_THE_HOUSE: frozenset[type] = frozenset({TicketIssued, PrintFailed, TicketPaidManually, PatronExcluded})
"""Events of a table that the house may have to know of."""


def news(table: str, event: object, state: TableState, at_ms: int) -> c.Command | None:
    """What the house must know of a table's event, given the table's state after it; of most, nothing."""
    clock: dict[str, Any] = {"by": "clock", "role": Role.CLOCK, "at_ms": at_ms}
    match event:
        case TicketIssued():
            return c.RegisterTicket(
                ticket=event.ticket,
                cents=event.cents,
                table=table,
                station=event.station,
                issued_ms=event.at_ms,
                **clock,
            )
        case PrintFailed():
            return c.CloseToTheCage(ticket=event.ticket, fault=event.fault, **clock)
        case TicketPaidManually():
            return c.NotePaidByHand(ticket=event.ticket, **clock)
        case PatronExcluded() if patron := state.stations[event.station].patron:
            return c.Exclude(
                patron=patron,
                reason=state.cases[event.case].text,
                source=f"{table} case {event.case}",
                decided_by=event.by,
                **clock,
            )
        case _:
            return None
