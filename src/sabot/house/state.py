"""The state of the house, as one value, and how an event changes it."""

from collections.abc import Iterable, Mapping
from functools import reduce

import msgspec
from msgspec.structs import replace

from sabot.house import events as e
from sabot.ledger.account import CAGE, TABLES, TICKETS
from sabot.ledger.ledger import Ledger
from sabot.ledger.posting import Posting


class HouseTicket(msgspec.Struct, frozen=True, gc=False):
    cents: int
    table: str
    station: str
    status: str
    """issued, paid or void."""


class HouseTable(msgspec.Struct, frozen=True, gc=False):
    offers: tuple[str, ...]
    busy: bool = False


class HouseState(msgspec.Struct, frozen=True, gc=False):
    tables: Mapping[str, HouseTable] = {}
    options: Mapping[str, int] = {}
    ordered: Mapping[str, int] = {}
    """Options that wait until the tables they concern are between coups."""
    tickets: Mapping[str, HouseTicket] = {}
    ledger: Ledger = Ledger()
    """Tickets outstanding against what the tables owe for them, and the cage that pays."""

    @property
    def liability(self) -> int:
        """What tickets that nobody has presented yet are worth."""
        return self.ledger.balance(TICKETS)


def postings(event: e.HouseEvent, state: HouseState) -> list[Posting]:
    if isinstance(event, e.TicketRegistered):
        return [Posting(TABLES, TICKETS, event.cents, event.clause)]
    if isinstance(event, e.TicketRedeemed):
        return [Posting(TICKETS, CAGE, event.cents, event.clause)]
    if isinstance(event, e.TicketVoided):
        return [Posting(TICKETS, TABLES, state.tickets[event.ticket].cents, event.clause)]
    return []


def evolve(state: HouseState, event: e.HouseEvent) -> HouseState:
    moved = postings(event, state)
    if moved:
        state = replace(state, ledger=state.ledger.book(moved))
    if isinstance(event, e.TableEntered):
        return replace(state, tables={**state.tables, event.table: HouseTable(event.offers)})
    if isinstance(event, e.TableBusy):
        table = replace(state.tables[event.table], busy=event.busy)
        return replace(state, tables={**state.tables, event.table: table})
    if isinstance(event, e.OptionOrdered):
        return replace(state, ordered={**state.ordered, event.option: event.choice})
    if isinstance(event, e.OptionChanged):
        waiting = {name: choice for name, choice in state.ordered.items() if name != event.option}
        return replace(state, options={**state.options, event.option: event.choice}, ordered=waiting)
    return _with_ticket(state, event)


def fold(events: Iterable[e.HouseEvent], state: HouseState | None = None) -> HouseState:
    return reduce(evolve, events, state or HouseState())


def _with_ticket(state: HouseState, event: e.HouseEvent) -> HouseState:
    if isinstance(event, e.TicketRegistered):
        ticket = HouseTicket(event.cents, event.table, event.station, "issued")
    elif isinstance(event, e.TicketRedeemed):
        ticket = replace(state.tickets[event.ticket], status="paid")
    elif isinstance(event, e.TicketVoided):
        ticket = replace(state.tickets[event.ticket], status="void")
    else:
        return state
    return replace(state, tickets={**state.tickets, event.ticket: ticket})
