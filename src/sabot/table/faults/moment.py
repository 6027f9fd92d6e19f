"""When something failed: the time that the dealer states, within what the records allow (CROWN 11.14, 11.15, G-152)."""

from collections.abc import Collection

from sabot.basics.stamp import Stamp
from sabot.table.no import No
from sabot.table.refusal import Cause
from sabot.table.role import GAME_SUPERVISOR_OR_ABOVE, Role
from sabot.table.state import TableState


def failed_at(state: TableState, stated_ms: int | None, stamp: Stamp, stations: Collection[str], clause: str) -> int:
    """The time of the failure: now unless one is stated, and none that the records speak against.

    A station that was heard with a wager worked until then, and so did the game system.
    """
    if stated_ms is None:
        return stamp.at_ms
    if stated_ms > stamp.at_ms:
        raise No(Cause.FAILS_LATER, clause=clause, now_ms=stamp.at_ms)
    period = state.period
    if period is not None and stated_ms < period.opened_ms:
        raise No(Cause.FAILED_BEFORE_THE_COUP, clause=clause, coup=period.coup, opened_ms=period.opened_ms)
    heard = {name: state.stations[name].wagered_ms for name in stations}
    last = max(heard, key=lambda name: heard[name], default=None)
    if last is not None and heard[last] > stated_ms:
        raise No(Cause.WORKED_AFTER, clause=clause, station=last, wagered_ms=heard[last])
    return stated_ms


def is_before_the_end(state: TableState, at_ms: int) -> bool:
    """Whether that time lies before the end of the wagering period of the newest coup."""
    period, coup = state.period, state.coup
    if period is None:
        return False
    if period.ended_ms is not None:
        return at_ms < period.ended_ms
    if coup is None or coup.number != period.coup:  # It was void before its period ended.
        return False
    if state.frozen_at_ms is not None:  # A freeze stops the countdown (G-90).
        at_ms = min(at_ms, state.frozen_at_ms)
    return at_ms < coup.deadline_ms


def signature(state: TableState, at_ms: int, stamp: Stamp, *, voids: bool, clause: str) -> str:
    """The supervisor who signs for the time: due for one in the past, and where it voids what was seen already.

    `voids` says that wagers become void by it. A dealer's supervisor signs as second person.
    """
    seen = state.coup is None or bool(state.coup.cards) or not state.coup.had_wagering
    if stamp.at_ms - at_ms <= state.figures.fault_grace_ms and not (voids and seen):
        return ""
    if stamp.role in GAME_SUPERVISOR_OR_ABOVE:
        return stamp.by
    if not stamp.second:
        raise No(Cause.WRONG_ROLE, clause=clause, needed=Role.GAME_SUPERVISOR.in_words, role=stamp.role.in_words)
    return stamp.second
