"""What happened in the house. One frozen class each, in the past tense."""

import msgspec


class HouseEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag=True, gc=False):
    """Something that concerns more than one table; its tag is the name of its class."""


class TableEntered(HouseEvent, frozen=True, kw_only=True):
    """A table of the house, and which of the optioned side bets it offers."""

    table: str
    offers: tuple[str, ...]


class TableBusy(HouseEvent, frozen=True, kw_only=True):
    """Whether a coup is under way at a table."""

    table: str
    busy: bool


class OptionOrdered(HouseEvent, frozen=True, kw_only=True):
    """An option was chosen for all tables; it waits until every table that offers the bet is between coups."""

    option: str
    choice: int
    by: str
    clause: str


class OptionChanged(HouseEvent, frozen=True, kw_only=True):
    """From now on every table that offers the bet plays by this option."""

    option: str
    choice: int
    clause: str


class TicketRegistered(HouseEvent, frozen=True, kw_only=True):
    ticket: str
    cents: int
    table: str
    station: str
    clause: str


class TicketVoided(HouseEvent, frozen=True, kw_only=True):
    ticket: str
    reason: str
    clause: str


class TicketRedeemed(HouseEvent, frozen=True, kw_only=True):
    ticket: str
    cents: int
    by: str
    at_ms: int
    clause: str
