"""Leaving a tournament: retirement and disqualification (CROWN 12.2.1(h))."""

from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.entry.entering import after_leaving, leaver_refunds
from sabot.tournament.refusal import TournamentCause, TournamentNo
from sabot.tournament.sittings.demands import an_entrant_in_play
from sabot.tournament.sittings.finding import is_closed, seat_of
from sabot.tournament.state import EntrantStatus, TournamentState

_LEAVING = "CROWN 12.2.1(h)"
_Events = tuple[e.TournamentEvent, ...]
GONE = frozenset({EntrantStatus.WITHDRAWN, EntrantStatus.LAPSED, EntrantStatus.DISQUALIFIED, EntrantStatus.EXCLUDED})
"""Who cannot be disqualified any more; who is eliminated still can."""


def retire(state: TournamentState, act: acts.Retire, stamp: Stamp) -> _Events:
    rule = state.conditions.leaving.retirement
    an_entrant_in_play(state, act.entrant)
    if not rule.allowed:
        raise TournamentNo(TournamentCause.NO_RETIREMENT)
    retired = e.EntrantRetired(
        entrant=act.entrant,
        reason=act.reason,
        order=close_order(state, act.entrant),
        by=stamp.by,
        at_ms=stamp.at_ms,
        clause=_LEAVING,
    )
    return (retired, *settled_with(state, act.entrant, rule.refund_percent, stamp))


def disqualify(state: TournamentState, act: acts.Disqualify, stamp: Stamp) -> _Events:
    an_entrant_in_play(state, act.entrant, GONE)
    ground = next((one for one in state.conditions.leaving.grounds if one.id == act.ground), None)
    if ground is None:
        raise TournamentNo(TournamentCause.UNKNOWN_GROUND, ground=act.ground)
    disqualified = e.EntrantDisqualified(
        entrant=act.entrant,
        ground=act.ground,
        reason=act.reason,
        order=close_order(state, act.entrant),
        by=stamp.by,
        at_ms=stamp.at_ms,
        clause=_LEAVING,
    )
    return (disqualified, *settled_with(state, act.entrant, ground.refund_percent, stamp))


def close_order(state: TournamentState, number: int) -> int:
    """The number of the order to close an entrant's seat; 0 where there is no seat to close."""
    found = seat_of(state, number)
    return 0 if found is None or is_closed(found.at, found.station) else state.orders + 1


def settled_with(state: TournamentState, number: int, percent: int, stamp: Stamp) -> _Events:
    """What is not paid is not wanted any more, and of what was paid so many per cent go back."""
    refunds = leaver_refunds(state, number, percent, _LEAVING)
    return after_leaving(state, state.entrants[str(number)], refunds, stamp)
