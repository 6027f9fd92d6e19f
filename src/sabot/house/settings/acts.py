"""The house itself: its days and tickets as configured, its tables, and the options that all of them play by."""

from typing import Annotated

import msgspec

from sabot.basics.act import Act
from sabot.basics.bounds import CountSaid, NameSaid
from sabot.basics.role import Role


class ConfigureHouse(Act, frozen=True, kw_only=True):
    """Say where and when the house keeps its days, how long tickets are good, and whether a station may be at several
    tables; what is not said stays."""

    time_zone: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z_]+(/[A-Za-z_+-]+)*$")] | None = None
    gaming_day_starts: Annotated[str, msgspec.Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")] | None = None
    ticket_validity_days: Annotated[int, msgspec.Meta(ge=0, le=3650)] | None = None
    """Days of 24 hours from issue; with 0 tickets stay good."""
    several_tables: bool | None = None


class EnterTable(Act, frozen=True, kw_only=True):
    """A table joins the house, or changes what it offers; told again it changes nothing."""

    table: NameSaid
    offers: dict[NameSaid, CountSaid]
    """The choice by which it plays each optioned side bet."""
    choices: dict[NameSaid, CountSaid] = {}
    """How many choices its rule set has for each of them."""
    staff: dict[NameSaid, tuple[Role, ...]] = {}
    cited_as: dict[NameSaid, NameSaid] = {}
    """The house rule that is cited there for each number of the program's; none under CROWN's document."""
    time_zone: NameSaid | None = None
    gaming_day_starts: NameSaid | None = None


class TellBusy(Act, frozen=True, kw_only=True):
    """A coup has begun or ended at a table."""

    table: NameSaid
    busy: bool


class Option(Act, frozen=True, kw_only=True):
    option: NameSaid
    choice: CountSaid


SettingAct = ConfigureHouse | Option
CarriedSettingAct = EnterTable | TellBusy
