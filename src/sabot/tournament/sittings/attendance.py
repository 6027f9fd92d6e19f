"""Who comes late, who does not come, and who plays in an entrant's place (CROWN 12.2.1(i), 12.3.3)."""

from collections.abc import Iterator

from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.conditions.parts import AbsentOutcome
from sabot.tournament.entry import slips
from sabot.tournament.entry.entrants import known_entrant, not_in_play
from sabot.tournament.refusal import TournamentCause, TournamentNo
from sabot.tournament.sittings.demands import an_entrant_in_play, session_on
from sabot.tournament.sittings.finding import SeatFound, is_closed, is_there, seat_of
from sabot.tournament.state import OUT, EntrantStatus, Sitting, SittingState, TournamentState

_LATE = "CROWN 12.2.1(i)"
_SUBSTITUTES = "CROWN 12.3.3"
_MINUTE_MS = 60_000
_Events = tuple[e.TournamentEvent, ...]


def record_arrival(state: TournamentState, act: acts.RecordArrival, stamp: Stamp) -> _Events:
    """Seat a late arrival; the table takes the penalty for each coup that was missed."""
    found = _expected(state, act.entrant)
    late = state.conditions.attendance.late
    begun = found.at.counted > 0 or found.at.state is SittingState.PLAYED
    after_grace = stamp.at_ms > _grace_until(state, found.at)
    if not late.admitted and (begun or after_grace):
        raise TournamentNo(TournamentCause.NOT_ADMITTED_LATE)
    check_not_too_late(found.at, act.entrant, late.latest_coup)
    return (
        e.ArrivalRecorded(
            entrant=act.entrant,
            order=state.orders + 1,
            late=after_grace,
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause=_LATE,
        ),
    )


def _expected(state: TournamentState, number: int) -> SeatFound:
    """The seat that waits for an entrant."""
    session_on(state)
    entrant = known_entrant(state, number)
    found = seat_of(state, number)
    if found is None:
        raise TournamentNo(TournamentCause.NOT_SEATED, entrant=number)
    if entrant.status in OUT:
        raise not_in_play(number, entrant)
    if is_there(found.at, found.station):
        raise TournamentNo(TournamentCause.ARRIVED_ALREADY, entrant=number)
    return found


def check_not_too_late(sitting: Sitting, number: int, latest: int | None, clause: str = _LATE) -> None:
    """The next coup is the first that an entrant seated now can play."""
    coup = sitting.counted + 1
    over = sitting.state is SittingState.PLAYED
    if over or (latest is not None and coup > latest):
        last = min(latest, sitting.counted) if over and latest is not None else latest or sitting.counted
        raise TournamentNo(TournamentCause.TOO_LATE, clause=clause, entrant=number, coup=coup, latest=last)


def _grace_until(state: TournamentState, sitting: Sitting) -> int:
    return sitting.called_ms + state.conditions.attendance.grace_minutes * _MINUTE_MS


def declare_absent(state: TournamentState, act: acts.DeclareAbsent, stamp: Stamp) -> _Events:
    found = _expected(state, act.entrant)
    if stamp.at_ms < _grace_until(state, found.at):
        raise TournamentNo(TournamentCause.WITHIN_GRACE, minutes=state.conditions.attendance.grace_minutes)
    return absent(state, (act.entrant,), found.at.round, stamp)


def absent(state: TournamentState, numbers: tuple[int, ...], name: str, stamp: Stamp) -> _Events:
    """The record that entrants did not come, with what the conditions give back to each."""
    outcome = state.conditions.attendance.absent.outcome
    orders = [order for number in numbers for order in absent_refunds(state, number, name)]
    return (
        *(
            e.EntrantAbsent(
                entrant=number, round=name, outcome=outcome.value, by=stamp.by, at_ms=stamp.at_ms, clause=_LATE
            )
            for number in numbers
        ),
        *slips.all_raised(state, stamp, orders),
    )


def absent_refunds(state: TournamentState, number: int, name: str) -> Iterator[slips.SlipOrder]:
    """What was paid for the round, in the parts that the conditions give back; who catches up is given nothing back."""
    rule = state.conditions.attendance.absent
    part = state.round(name)
    if part is None or rule.outcome is AbsentOutcome.CATCH_UP:
        return
    first = any(line.entrants for line in part.from_)
    for known in state.entrants[str(number)].slips:
        slip = state.slips[known]
        percent = rule.buy_in_refund_percent if slip.purpose == slips.BUY_IN else rule.refund_percent
        if slip.of == name or (first and slip.purpose == slips.FEE):
            order = slips.refund_order(state, known, percent, _LATE)
            if order is not None:
                yield order


def approve_substitute(state: TournamentState, act: acts.ApproveSubstitute, stamp: Stamp) -> _Events:
    """Somebody else plays in an entrant's place, to the end of the present round unless another is named (G-136)."""
    rule = state.conditions.conduct.substitutes
    if not rule.allowed:
        raise TournamentNo(TournamentCause.NO_SUBSTITUTES)
    an_entrant_in_play(state, act.entrant)
    if not act.approved:
        return (_refused(act, stamp),)
    _check_fit(state, act, stamp)
    found = seat_of(state, act.entrant)
    if found is not None and is_closed(found.at, found.station):
        raise not_in_play(act.entrant, known_entrant(state, act.entrant))
    if found is not None:
        check_not_too_late(found.at, act.entrant, rule.latest_coup, _SUBSTITUTES)
    until = act.until or _present_round(state, act.entrant)
    if state.round(until) is None or state.progress(until).confirmed:
        raise TournamentNo(TournamentCause.UNKNOWN_ROUND, round=until, session=1)
    return (
        e.SubstituteApproved(
            entrant=act.entrant,
            substitute=act.substitute,
            until=until,
            order=0 if found is None else state.orders + 1,
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause=_SUBSTITUTES,
        ),
    )


def _refused(act: acts.ApproveSubstitute, stamp: Stamp) -> e.SubstituteRefused:
    if not act.reason.strip():
        raise TournamentNo(TournamentCause.REASON_MISSING)
    return e.SubstituteRefused(
        entrant=act.entrant,
        substitute=act.substitute,
        reason=act.reason,
        by=stamp.by,
        at_ms=stamp.at_ms,
        clause=_SUBSTITUTES,
    )


def _check_fit(state: TournamentState, act: acts.ApproveSubstitute, stamp: Stamp) -> None:
    why = _unfit(state, act, stamp)
    if why:
        raise TournamentNo(TournamentCause.UNFIT_SUBSTITUTE, substitute=act.substitute, why=why)


def _unfit(state: TournamentState, act: acts.ApproveSubstitute, stamp: Stamp) -> str:
    if stamp.excluded:
        return "excluded from the casino"
    if stamp.is_staff:
        return "on the staff list"
    number = state.players.get(act.substitute)
    if number is not None and state.entrants[str(number)].status not in OUT:
        return f"still in the tournament as entrant {number}"
    for other, entrant in state.entrants.whole().items():
        if entrant.substitute == act.substitute and entrant.status not in OUT:
            return f"substitute of entrant {other} already"
    return ""


_SITS = frozenset({EntrantStatus.SEATED, EntrantStatus.PLAYING, EntrantStatus.BUST})


def _present_round(state: TournamentState, number: int) -> str:
    """The round in which the entrant has a place, or else the first that is not confirmed."""
    rounds = [part.name for part in state.conditions.rounds if not state.progress(part.name).confirmed]
    sits = state.entrants[str(number)].status in _SITS
    for name in rounds if sits else ():
        if any(placed.entrant == number for placed in state.progress(name).drawn or ()):
            return name
    return rounds[0] if rounds else ""
