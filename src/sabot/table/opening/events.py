"""Setting a table up, opening and closing it, and the signs it shows."""

from sabot.ledger.audit import Disagreement
from sabot.rules.rule_set import Bet
from sabot.table.configuration import Configuration
from sabot.table.event import Event
from sabot.table.role import Role
from sabot.table.state import NoticeKind


class Configured(Event, frozen=True, kw_only=True, omit_defaults=True):
    configuration: Configuration
    rule_set_digest: str
    keeps: int = 0
    """How many of the newest coups the state keeps from now on; 0 changes nothing."""


class SignedOn(Event, frozen=True, kw_only=True):
    who: str
    role: Role
    at_ms: int
    number: int = 0
    """The house's number of the sign-on."""


class SignedOff(Event, frozen=True, kw_only=True):
    who: str
    number: int = 0
    """That of the sign-on which is over."""


class SignOnDropped(Event, frozen=True, kw_only=True):
    """Nobody is signed on under this number any more: the house announced it, and the word of it was lost."""

    who: str
    number: int


class Countersigned(Event, frozen=True, kw_only=True):
    """A second person approved what the events before it in the record say."""

    act: str
    by: str
    second: str
    clause: str


class BuildApproved(Event, frozen=True, kw_only=True):
    build: str
    reference: str
    by: str


class TableOpened(Event, frozen=True, kw_only=True):
    operator: str
    """Whom reports name where a document says House."""
    by: str
    at_ms: int
    rule_set_digest: str
    build: str


class TableClosed(Event, frozen=True, kw_only=True):
    by: str
    at_ms: int


class TableLocked(Event, frozen=True, kw_only=True):
    """The self-audit failed: nothing moves until the cause is found."""

    why: str
    found: tuple[Disagreement, ...] = ()
    """What disagrees, with both figures."""


class GamingDayEnded(Event, frozen=True, kw_only=True):
    """The coups so far belong to a gaming day that is over."""

    date: str
    last_coup: int
    clause: str


class NoticeGiven(Event, frozen=True, kw_only=True):
    kind: NoticeKind
    from_ms: int
    shown_ms: int
    bet: Bet | None = None
    cents: int = 0
    clause: str


class MinimumChanged(Event, frozen=True, kw_only=True):
    bet: Bet | None
    """None for the aggregate minimum."""
    cents: int
    clause: str


class DeviceReported(Event, frozen=True, kw_only=True):
    device: str
    up: bool
    at_ms: int
    clause: str


class IncidentRecorded(Event, frozen=True, kw_only=True):
    station: str
    text: str
    control: int
    """The control session of the station at the time, or 0."""
    patron: str
    person: str
    by: str
    clause: str


class OptionTakenUp(Event, frozen=True, kw_only=True):
    option: str
    choice: int
    clause: str


OpeningEvent = (
    Configured
    | SignedOn
    | SignedOff
    | SignOnDropped
    | Countersigned
    | BuildApproved
    | TableOpened
    | TableClosed
    | TableLocked
    | GamingDayEnded
    | NoticeGiven
    | MinimumChanged
    | DeviceReported
    | IncidentRecorded
    | OptionTakenUp
)
