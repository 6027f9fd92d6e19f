"""Setting up, opening and closing a table, and what is said beside the game."""

from typing import Literal

from sabot.basics.act import Act
from sabot.basics.bounds import AmountSaid, CountSaid, NameSaid, TextSaid, TimeSaid
from sabot.rules.rule_set import Bet
from sabot.table.configuration import Configuration
from sabot.table.role import Role
from sabot.table.state import NoticeKind


class Configure(Act, frozen=True, kw_only=True):
    """Set up the table anew while it is closed, or between coups change what may be changed then."""

    configuration: Configuration
    keeps: CountSaid = 0
    """How many of the newest coups the state keeps from now on, which the floor says with the first configuration."""


class TakeUpOption(Act, frozen=True, kw_only=True):
    """Play by the option that the house has chosen for all tables."""

    option: NameSaid
    choice: CountSaid


class SignOn(Act, frozen=True, kw_only=True):
    """Sign on at the console; without `as_role`, in the first role that the staff list gives."""

    as_role: Role | None = None


class SignOff(Act, frozen=True, kw_only=True):
    pass


class DropSignOn(Act, frozen=True, kw_only=True):
    """Refuse from now on what the house has announced and nobody has taken up: a sign-on of which the word was lost."""

    person: NameSaid
    number: CountSaid


class OpenTable(Act, frozen=True, kw_only=True):
    """Open the table for play, with the program that runs now."""


class CloseTable(Act, frozen=True, kw_only=True):
    pass


class ApproveBuild(Act, frozen=True, kw_only=True):
    """Record that the regulator has approved a program."""

    build: NameSaid
    reference: NameSaid


class Notice(Act, frozen=True, kw_only=True):
    """Show a sign: a bet's new minimum, or the closing of the table, from a time on."""

    kind: NoticeKind
    from_ms: TimeSaid | None = None
    """Now, unless given."""
    bet: Bet | None = None
    cents: AmountSaid = 0


class Device(Act, frozen=True, kw_only=True):
    """A device that is no part of the game system dropped out or came back: the display, the monitoring link."""

    device: Literal["display", "monitoring"]
    up: bool


class EndDay(Act, frozen=True, kw_only=True):
    """The house has closed the gaming day: the coups so far belong to it."""

    date: NameSaid


class Incident(Act, frozen=True, kw_only=True):
    """Something that people did and that has no effect on money: a claim of responsibility, conduct."""

    station: NameSaid = ""
    text: TextSaid
    patron: NameSaid = ""
    """By reference, where no station is named."""
    person: TextSaid = ""
    """A description of a person who is not known by a reference: a bystander (G-145)."""


OpeningAct = SignOn | SignOff | OpenTable | CloseTable | ApproveBuild | Notice | Device | Incident
