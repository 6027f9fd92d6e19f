"""What happened to signs."""

from sabot.rules.rule_set import Bet
from sabot.table.event import Event
from sabot.table.state import NoticeKind


class SignShown(Event, frozen=True, kw_only=True):
    """A location told that it shows what is posted, or was found to show none."""

    location: str
    shows: bool
    sign: str
    """A digest of the limits that it shows, or nothing."""
    at_ms: int
    by: str
    clause: str


class NoticeWithdrawn(Event, frozen=True, kw_only=True):
    kind: NoticeKind
    bet: Bet | None
    cents: int
    from_ms: int
    by: str
    clause: str


SignEvent = SignShown | NoticeWithdrawn
