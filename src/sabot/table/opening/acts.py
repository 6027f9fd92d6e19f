"""Setting up, opening and closing a table, and what is said beside the game."""

from typing import Literal

from sabot.rules.rule_set import Bet
from sabot.table.act import Command
from sabot.table.configuration import Configuration
from sabot.table.role import Role


class Configure(Command, frozen=True, kw_only=True, tag="configure"):
    """Set up the table anew while it is closed, or between coups change what may be changed then."""

    configuration: Configuration


class TakeUpOption(Command, frozen=True, kw_only=True, tag="take_up_option"):
    """Play by the option that the house has chosen for all tables."""

    option: str
    choice: int


class SignOn(Command, frozen=True, kw_only=True, tag="sign_on"):
    """Sign on at the console; without `as_role`, in the first role that the staff list gives."""

    as_role: Role | None = None


class SignOff(Command, frozen=True, kw_only=True, tag="sign_off"):
    pass


class OpenTable(Command, frozen=True, kw_only=True, tag="open_table"):
    build: str = ""
    """The digest of the running program."""


class CloseTable(Command, frozen=True, kw_only=True, tag="close_table"):
    pass


class ApproveBuild(Command, frozen=True, kw_only=True, tag="approve_build"):
    """Record that the regulator has approved a program."""

    build: str
    reference: str


class GiveNotice(Command, frozen=True, kw_only=True, tag="notice"):
    """Show a sign: a bet's new minimum, or the closing of the table, from a time on."""

    kind: Literal["minimum", "aggregate_minimum", "closure"]
    from_ms: int
    bet: Bet | None = None
    cents: int = 0


class ReportDevice(Command, frozen=True, kw_only=True, tag="device"):
    """A device that is no part of the game system dropped out or came back: the display, the monitoring link."""

    device: Literal["display", "monitoring"]
    up: bool


class EndDay(Command, frozen=True, kw_only=True, tag="end_day"):
    """The house has closed the gaming day: the coups so far belong to it."""

    date: str


class RecordIncident(Command, frozen=True, kw_only=True, tag="incident"):
    """Something that people did and that has no effect on money: a claim of responsibility, conduct."""

    station: str
    text: str


OpeningAct = (
    Configure
    | TakeUpOption
    | SignOn
    | SignOff
    | OpenTable
    | CloseTable
    | ApproveBuild
    | GiveNotice
    | ReportDevice
    | EndDay
    | RecordIncident
)
