"""The house itself: its days and tickets as configured, its tables, and the options that all of them play by."""

from sabot.house.event import HouseEvent


class HouseConfigured(HouseEvent, frozen=True, kw_only=True):
    time_zone: str
    gaming_day_starts: str
    ticket_validity_days: int
    several_tables: bool = False
    by: str


class TableEntered(HouseEvent, frozen=True, kw_only=True):
    """A table of the house, and which of the optioned side bets it offers."""

    table: str
    offers: tuple[str, ...]
    choices: dict[str, int] = {}
    """How many choices its rule set has for each of them."""
    cited_as: dict[str, str] = {}
    """The house rule that is cited there for each number of the program's."""


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


SettingEvent = HouseConfigured | TableEntered | TableBusy | OptionOrdered | OptionChanged
