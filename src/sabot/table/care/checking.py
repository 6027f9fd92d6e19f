"""What a patron's own limits, breaks and checks say to a wager. Chips can be lifted at any time."""

from sabot.table.accounts.state import StationState
from sabot.table.care.figures import began_ms, net_cents, since_ms
from sabot.table.care.state import MINUTE_MS, OwnLimit, OwnLimitKind
from sabot.table.no import No
from sabot.table.refusal import Cause
from sabot.table.state import TableState

HOUR_MS = 60 * MINUTE_MS


def check_own_limits(state: TableState, name: str, station: StationState, wanted: int, at_ms: int) -> None:
    """Refuse a layout that comes to more than before and that the patron does not want to be able to lay."""
    care = station.care
    if at_ms < care.break_until_ms:
        raise No(Cause.ON_BREAK, until_ms=care.break_until_ms)
    if is_check_due(state, name):
        raise No(Cause.CHECK_DUE)
    for kind, limit in care.limits.items() if care.limits else ():
        most = limit.at(at_ms)
        if most:
            _CHECKS[kind](state, name, limit, most, wanted, at_ms)


def check_due_ms(state: TableState, name: str) -> int:
    """When the patron is next shown time and money, to be acknowledged; 0 where the house asks for no such thing."""
    every = state.configuration.care.reality_check_minutes
    if not every or not state.stations[name].is_open or state.session is not None:
        return 0
    return max(began_ms(state, name), state.stations[name].care.checked_ms) + every * MINUTE_MS


def is_check_due(state: TableState, name: str) -> bool:
    """Whether it was due before the wagering of this coup opened: none is lost in the middle of a wagering period."""
    if not state.configuration.care.reality_check_minutes:
        return False
    due = check_due_ms(state, name)
    return 0 < due <= (0 if state.period is None else state.period.opened_ms)


def raise_ms(state: TableState, limit: OwnLimit, at_ms: int) -> int:
    """When a raise takes effect: one that waits, or one that is asked for now."""
    if limit.from_ms > at_ms:
        return limit.from_ms
    return at_ms + state.configuration.care.limit_delay_hours * HOUR_MS


def ends_ms(state: TableState, name: str, minutes: int) -> int:
    """When a time limit of so many minutes has ended."""
    return since_ms(state, name) + minutes * MINUTE_MS


def left_cents(state: TableState, name: str, kind: OwnLimitKind, most: int) -> int:
    """What can still be laid beside what lies on the layout: all that lies there could be lost."""
    wagered = state.purse(name).wagered
    spent = 0 if kind is OwnLimitKind.WAGER else lost_cents(state, name)
    return max(0, most - spent - wagered)


def lost_cents(state: TableState, name: str) -> int:
    """What a limit of loss counts: the loss of the stay, and of earlier ones whose limits go on (G-231)."""
    return state.stations[name].care.lost_before - net_cents(state, name)


def _check_time(state: TableState, name: str, limit: OwnLimit, most: int, _wanted: int, at_ms: int) -> None:
    if at_ms >= ends_ms(state, name, most):
        raise No(Cause.OWN_TIME_LIMIT, minutes=most, raise_ms=raise_ms(state, limit, at_ms))


def _check_wager(state: TableState, name: str, limit: OwnLimit, most: int, wanted: int, at_ms: int) -> None:
    if wanted > most:
        left = left_cents(state, name, OwnLimitKind.WAGER, most)
        when = raise_ms(state, limit, at_ms)
        raise No(Cause.OWN_WAGER_LIMIT, limit_cents=most, left_cents=left, raise_ms=when)


def _check_loss(state: TableState, name: str, limit: OwnLimit, most: int, wanted: int, at_ms: int) -> None:
    if wanted + lost_cents(state, name) > most:
        left = left_cents(state, name, OwnLimitKind.LOSS, most)
        when = raise_ms(state, limit, at_ms)
        raise No(Cause.OWN_LOSS_LIMIT, limit_cents=most, left_cents=left, raise_ms=when)


_CHECKS = {
    OwnLimitKind.TIME: _check_time,
    OwnLimitKind.WAGER: _check_wager,
    OwnLimitKind.LOSS: _check_loss,
}
