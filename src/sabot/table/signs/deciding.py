"""Signs: which location shows what is posted, and signs that are taken down (CROWN 5.1, 5.2, 13.7)."""

from sabot.basics.stamp import Stamp
from sabot.table import acts
from sabot.table.events import Event, NoticeWithdrawn, SignShown
from sabot.table.no import No
from sabot.table.refusal import Cause
from sabot.table.role import CASINO_SUPERVISOR, Role, in_words
from sabot.table.signs.posted import DISPLAY, posted_of, sign_of
from sabot.table.state import NoticeKind, TableState

MAY_ANNOUNCE_CLOSURE = CASINO_SUPERVISOR
"""Who closes a table also announces it, and takes that back; the other signs are the Dealer's (CROWN 13.7)."""


def clause_of(kind: NoticeKind) -> str:
    return "CROWN 13.7" if kind is NoticeKind.CLOSURE else "CROWN 5 footnote s66(2)"


def tell_sign(state: TableState, act: acts.ShowsSign, stamp: Stamp) -> tuple[Event, ...]:
    """A station speaks for itself; what it says again changes nothing."""
    location = act.location or (stamp.by if stamp.role is Role.STATION else DISPLAY)
    if stamp.role is Role.STATION and location != stamp.by:
        raise No(Cause.NOT_THIS_STATION, station=location)
    if location != DISPLAY and location not in state.stations:
        raise No(Cause.UNKNOWN_STATION, station=location)
    if act.shows and act.sign not in ("", posted_of(state)):
        raise No(Cause.SIGN_CHANGED, location=location)
    sign = sign_of(state) if act.shows else ""
    late = any(one.late.get(location, 0) is None for one in state.notices)
    if state.signs.get(location) == sign and not (act.shows and late):
        return ()
    clause = "CROWN 5.1" if location == DISPLAY else "CROWN 5.2"
    return (SignShown(location=location, shows=act.shows, sign=sign, at_ms=stamp.at_ms, by=stamp.by, clause=clause),)


def withdraw_notice(state: TableState, act: acts.WithdrawNotice, stamp: Stamp) -> tuple[Event, ...]:
    check_may_announce(act.kind, stamp)
    taken_down = withdrawn(state, act.kind, act.bet, stamp.by)
    if not taken_down:
        raise No(Cause.NO_NOTICE, clause=clause_of(act.kind))
    return taken_down


def check_may_announce(kind: NoticeKind, stamp: Stamp) -> None:
    if kind is NoticeKind.CLOSURE and stamp.role not in MAY_ANNOUNCE_CLOSURE:
        needed = in_words(MAY_ANNOUNCE_CLOSURE)
        raise No(Cause.WRONG_ROLE, needed=needed, role=stamp.role.in_words, clause=clause_of(kind))


def withdrawn(state: TableState, kind: NoticeKind, bet: str | None, by: str) -> tuple[NoticeWithdrawn, ...]:
    """All signs of this kind that have not taken effect are taken down."""
    return tuple(
        NoticeWithdrawn(
            kind=one.kind, bet=one.bet, cents=one.cents, from_ms=one.from_ms, by=by, clause=clause_of(one.kind)
        )
        for one in state.notices
        if (one.kind, one.bet) == (kind, bet)
    )
