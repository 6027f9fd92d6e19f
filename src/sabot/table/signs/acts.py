"""The signs that locations show, and signs that are taken down."""

from sabot.basics.act import Act
from sabot.basics.bounds import NameSaid
from sabot.rules.rule_set import Bet
from sabot.table.state import NoticeKind


class ShowsSign(Act, frozen=True, kw_only=True):
    """A location shows the limits and the signs that are posted now, or shows none."""

    location: NameSaid = ""
    """A station, or `display`. A station means itself; without a name, staff and the display's device mean it."""
    shows: bool = True
    sign: NameSaid = ""
    """What it shows, as the view's `posted` says it; without it, what is posted now."""


class WithdrawNotice(Act, frozen=True, kw_only=True):
    """Take a sign down that has not taken effect: a minimum stays as it is, or the table stays open."""

    kind: NoticeKind
    bet: Bet | None = None


SignAct = ShowsSign | WithdrawNotice
