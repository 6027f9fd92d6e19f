"""What the house decides: options for all tables at once, and tickets that are paid once.

Between streams there is no transaction. A table issues a ticket by itself and the house registers it, as often as it
is told; paying is the house's record alone, so a ticket is paid once however many cages try. An option is changed by
one record of the house when every table that offers the bet is between coups, and each table takes it up as its own.
"""

from sabot.house import events as e
from sabot.house.state import HouseState


class NotByTheHouse(Exception):
    """A refusal by the house: the clause, and a sentence."""

    def __init__(self, code: str, clause: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code, self.clause = code, clause


def order_option(state: HouseState, option: str, choice: int, by: str) -> tuple[e.HouseEvent, ...]:
    """Choose the same odds for all tables; they change over when all that offer the bet are between coups (G-48)."""
    if not any(option in table.offers for table in state.tables.values()):
        raise NotByTheHouse("unknown_option", "CROWN 10.1 note *", f"no table of the house offers {option}")
    ordered = e.OptionOrdered(option=option, choice=choice, by=by, clause="CROWN 10.1 note *")
    return (ordered, *options_due(state, {**state.ordered, option: choice}))


def options_due(state: HouseState, ordered: dict[str, int] | None = None) -> tuple[e.HouseEvent, ...]:
    """The ordered options whose time has come."""
    waiting = dict(state.ordered) if ordered is None else ordered
    return tuple(
        e.OptionChanged(option=option, choice=choice, clause="CROWN 10.1 note *")
        for option, choice in waiting.items()
        if not any(table.busy for table in state.tables.values() if option in table.offers)
    )


def register_ticket(state: HouseState, ticket: str, cents: int, table: str, station: str) -> tuple[e.HouseEvent, ...]:
    """Take note of a ticket that a table issued; telling it again changes nothing."""
    if ticket in state.tickets:
        return ()
    registered = e.TicketRegistered(ticket=ticket, cents=cents, table=table, station=station, clause="CROWN 6.7.2")
    return (registered,)


def void_ticket(state: HouseState, ticket: str, reason: str) -> tuple[e.HouseEvent, ...]:
    """The table has paid it by hand after a printer fault; nobody else may."""
    known = state.tickets.get(ticket)
    if known is None or known.status != "issued":
        return ()
    return (e.TicketVoided(ticket=ticket, reason=reason, clause="CROWN 6.7.2(b)"),)


def redeem(state: HouseState, ticket: str, by: str, at_ms: int) -> tuple[e.HouseEvent, ...]:
    known = state.tickets.get(ticket)
    if known is None:
        sentence = f"ticket {ticket} is not registered; if it was just issued, try again in a moment"
        raise NotByTheHouse("unknown_ticket", "CROWN 6.7.2", sentence)
    if known.status != "issued":
        raise NotByTheHouse("paid_already", "CROWN 6.7.2", f"ticket {ticket} has already been {_how(known.status)}")
    return (e.TicketRedeemed(ticket=ticket, cents=known.cents, by=by, at_ms=at_ms, clause="CROWN 6.7.2"),)


def _how(status: str) -> str:
    return {"paid": "redeemed", "void": "voided"}[status]
