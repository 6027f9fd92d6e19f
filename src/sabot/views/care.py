"""What a station shows its patron of the own play: figures, own limits, breaks and checks (G-220 to G-223)."""

import msgspec

from sabot.table.care.checking import check_due_ms, ends_ms, is_check_due, lost_cents
from sabot.table.care.figures import began_ms, net_cents
from sabot.table.care.state import MINUTE_MS, OwnLimitKind
from sabot.table.state import TableState
from sabot.views.message import TimedMessage, say

NOTICE_MS = 10 * MINUTE_MS
"""How long before a patron's own time limit ends it is told."""


class OwnLimitShown(msgspec.Struct, frozen=True):
    """A limit in cents, or in minutes for the time; 0 is none."""

    limit: OwnLimitKind
    most: int
    left_cents: int | None
    """What may still be lost in the stay, or laid in a coup, before anything lies on the layout."""
    then: int
    from_ms: int
    """When it becomes that, or 0."""


class CareShown(msgspec.Struct, frozen=True):
    since_ms: int
    coups: int
    """In which the patron had wagers."""
    staked_cents: int
    won_cents: int
    lost_cents: int
    other_cents: int
    """What decisions of disputes and seizures changed beside the game."""
    net_cents: int
    limits: tuple[OwnLimitShown, ...]
    limit_delay_hours: int
    break_minutes: tuple[int, ...]
    """The breaks that the house offers."""
    break_until_ms: int
    check_due_ms: int
    """When time and money are to be acknowledged next; 0 is never."""
    check_binds: bool
    """Whether no wager is taken in this coup before that."""
    notices: tuple[TimedMessage, ...]


def care_shown(state: TableState, name: str, at_ms: int) -> CareShown | None:
    """For a patron who plays for money."""
    station = state.stations[name]
    if not station.is_open or state.session is not None:
        return None
    care, net, offered = station.care, net_cents(state, name), state.configuration.care
    return CareShown(
        since_ms=began_ms(state, name),
        coups=care.coups,
        staked_cents=care.staked,
        won_cents=care.won,
        lost_cents=care.lost,
        other_cents=net - care.won + care.lost,
        net_cents=net,
        limits=tuple(_limit(state, name, kind, at_ms) for kind in OwnLimitKind) if care.limits else _NO_LIMITS,
        limit_delay_hours=offered.limit_delay_hours,
        break_minutes=offered.break_minutes,
        break_until_ms=care.break_until_ms,
        check_due_ms=check_due_ms(state, name),
        check_binds=is_check_due(state, name),
        notices=tuple(_notices(state, name, at_ms)) if care.limits or care.break_until_ms else (),
    )


_NO_LIMITS = tuple(OwnLimitShown(kind, 0, None, 0, 0) for kind in OwnLimitKind)


def _limit(state: TableState, name: str, kind: OwnLimitKind, at_ms: int) -> OwnLimitShown:
    known = state.stations[name].care.limits.get(kind)
    if known is None:
        return OwnLimitShown(kind, 0, None, 0, 0)
    most = known.at(at_ms)
    left = None
    if most and kind is not OwnLimitKind.TIME:
        left = most if kind is OwnLimitKind.WAGER else max(0, most - lost_cents(state, name))
    waits = known.from_ms > at_ms
    return OwnLimitShown(kind, most, left, known.then if waits else 0, known.from_ms if waits else 0)


def _notices(state: TableState, name: str, at_ms: int) -> list[TimedMessage]:
    care, zone, found = state.stations[name].care, state.configuration.time_zone, []
    if care.since_ms is not None:
        until = began_ms(state, name) + NOTICE_MS
        found.append(TimedMessage(0, until, say("own_limits_go_on", "G-231", zone)))
    if care.break_until_ms:
        told = say("on_break", "G-223", zone, until_ms=care.break_until_ms)
        found.append(TimedMessage(0, care.break_until_ms, told))
    limit = care.limits.get(OwnLimitKind.TIME)
    if limit is not None and (most := limit.at(at_ms)):
        ends = ends_ms(state, name, most)
        found.append(TimedMessage(ends - NOTICE_MS, ends, say("own_time_ends", "G-221", zone, until_ms=ends)))
        found.append(TimedMessage(ends, limit.from_ms or None, say("own_time_ended", "G-221", zone, until_ms=ends)))
    return found
