"""Events of tables and house in plain words."""

from sabot.house import events as e
from sabot.rules.money import write_amount
from sabot.table.events import Event
from sabot.table.sentences import sentence


def told(event: object) -> str:
    """What happened, in one sentence, with the clause where there is one."""
    if isinstance(event, Event):
        return sentence(event)
    clause = getattr(event, "clause", "")
    return f"{_in_the_house(event)} ({clause})" if clause else _in_the_house(event)


def _in_the_house(event: object) -> str:
    match event:
        case e.OptionOrdered():
            return f"{event.by} orders option {event.choice} of {event.option} for all tables"
        case e.OptionChanged():
            return f"All tables that offer it play {event.option} by option {event.choice}"
        case e.TicketRedeemed():
            return f"{event.by} redeems ticket {event.ticket} for {write_amount(event.cents)}"
        case e.TicketRegistered():
            return f"Ticket {event.ticket} of {event.table} for {write_amount(event.cents)} is registered"
        case e.TicketVoided():
            return f"Ticket {event.ticket} is void: {event.reason}"
        case _:
            return type(event).__name__
