"""Entry: who enters, waits, is refused, withdraws, is briefed and signs (CROWN 12.2.1(f), (g), 12.2.3, 12.2.4)."""

from collections.abc import Iterable

from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.conditions.parts import Conditions
from sabot.tournament.entry import slips
from sabot.tournament.entry.entrants import (
    by_number,
    count,
    entrant_in,
    excludable,
    has_played,
    known_entrant,
    next_order,
    not_in_play,
    was_given_credits,
)
from sabot.tournament.entry.planning import approved_conditions
from sabot.tournament.phase import TournamentPhase
from sabot.tournament.refusal import TournamentCause, TournamentNo
from sabot.tournament.sittings.finding import seat_of
from sabot.tournament.state import OUT, Entrant, EntrantStatus, SavedConditions, TournamentState

_Events = tuple[e.TournamentEvent, ...]
ENTRY = "CROWN 12.2.1(g)"
_STATUS = EntrantStatus
HAS_A_PLACE = frozenset({_STATUS.REGISTERED, _STATUS.ENTERED})
"""Who takes up a place while entry is open."""
IN = frozenset(_STATUS) - OUT


# Opening and closing


def open_entry(state: TournamentState, _act: acts.OpenEntry, stamp: Stamp) -> _Events:
    """Entry opens once; where the clock was first, there is nothing left to do."""
    if state.phase is TournamentPhase.ENTRY_OPEN:
        return ()
    held = approved_conditions(state)
    if not state.director:
        raise TournamentNo(TournamentCause.NO_DIRECTOR)
    if not held.opens_ms <= stamp.at_ms < held.closes_ms:
        raise _time_no(held.conditions)
    return (e.EntryOpened(by=stamp.by, at_ms=stamp.at_ms, clause=ENTRY),)


def close_entry(state: TournamentState, _act: acts.CloseEntry, stamp: Stamp) -> _Events:
    """Entry closes at its time, or earlier once the maximum has paid. Who has not paid by then is not in.

    With fewer than the minimum it stays open. Those who registered in time may still pay, a version with another time
    or minimum may be approved, or the tournament is cancelled. Where the clock was first, there is nothing left to do.
    """
    if state.phase is not TournamentPhase.ENTRY_OPEN:
        return ()
    held, entered = state.plays_by, count(state, {_STATUS.ENTERED})
    conditions = held.conditions.entry
    if stamp.at_ms < held.closes_ms and entered < conditions.maximum_players:
        raise _time_no(held.conditions)
    if entered < conditions.minimum_players:
        raise TournamentNo(TournamentCause.TOO_FEW, entered=entered, minimum=conditions.minimum_players)
    left = by_number(state, {_STATUS.REGISTERED, _STATUS.WAITING})
    orders = [order for number, _ in left for order in slips.refund_orders(state, number, slips.WHOLE)]
    return (
        *(e.EntryLapsed(entrant=number, by=stamp.by, at_ms=stamp.at_ms, clause=ENTRY) for number, _ in left),
        *(slip for _, one in left for slip in slips.withdrawn(stamp, slips.open_slips(state, one))),
        *slips.all_raised(state, stamp, orders),
        e.EntryClosed(entered=entered, by=stamp.by, at_ms=stamp.at_ms, clause=ENTRY),
    )


def due(state: TournamentState, at_ms: int) -> type[acts.OpenEntry] | type[acts.CloseEntry] | None:
    """What the clock is to do about entry now; it does nothing that would be refused."""
    held = state.newest
    if held is None or not held.approval:
        return None
    if state.phase is TournamentPhase.APPROVED and state.director and held.opens_ms <= at_ms < held.closes_ms:
        return acts.OpenEntry
    enough = held.conditions.entry.minimum_players
    if state.phase is TournamentPhase.ENTRY_OPEN and at_ms >= held.closes_ms:
        return acts.CloseEntry if count(state, {_STATUS.ENTERED}) >= enough else None
    return None


def _time_no(conditions: Conditions) -> TournamentNo:
    entry = conditions.entry
    return TournamentNo(TournamentCause.ENTRY_TIME, opens=entry.opens, closes=entry.closes)


# Registering


def register_entrant(state: TournamentState, act: acts.RegisterEntrant, stamp: Stamp) -> _Events:
    """The next number, and a place or one in the list of alternates; the slips of what is due come with the place."""
    _check_open(state, stamp)
    held = state.plays_by
    _check_player(held.conditions, act, stamp)
    _check_not_in(state, act.player)
    taken, waiting = count(state, HAS_A_PLACE), count(state, {_STATUS.WAITING})
    places = held.conditions.entry.maximum_players - taken
    admitted = _alternates_admitted(state, places, stamp)
    if places > waiting:
        return (*admitted, *_registered(state, act, stamp, _slips_in(admitted)))
    still = waiting - max(places, 0)
    if still >= held.conditions.entry.alternates:
        raise TournamentNo(TournamentCause.FULL, entered=taken, waiting=waiting)
    return (*admitted, _waitlisted(state, act, stamp, still + 1))


def _registered(state: TournamentState, act: acts.RegisterEntrant, stamp: Stamp, nth: int) -> _Events:
    entrant = len(state.entrants) + 1
    registered = e.EntrantRegistered(
        entrant=entrant,
        player=act.player,
        form_digest=act.form_digest,
        criteria=act.criteria,
        by=stamp.by,
        at_ms=stamp.at_ms,
        clause=ENTRY,
    )
    return (registered, *_due_for_a_place(state, entrant, act.player, stamp, nth))


def _waitlisted(state: TournamentState, act: acts.RegisterEntrant, stamp: Stamp, waiting: int) -> e.Waitlisted:
    return e.Waitlisted(
        entrant=len(state.entrants) + 1,
        player=act.player,
        form_digest=act.form_digest,
        criteria=act.criteria,
        waiting=waiting,
        by=stamp.by,
        at_ms=stamp.at_ms,
        clause=ENTRY,
    )


def _check_open(state: TournamentState, stamp: Stamp) -> None:
    if state.phase is not TournamentPhase.ENTRY_OPEN:
        raise TournamentNo(TournamentCause.ENTRY_NOT_OPEN)
    if stamp.at_ms >= state.plays_by.closes_ms:
        raise _time_no(state.conditions)


def _check_player(conditions: Conditions, act: acts.RegisterEntrant, stamp: Stamp) -> None:
    if stamp.is_staff:
        raise TournamentNo(TournamentCause.STAFF_MAY_NOT_ENTER, player=act.player)
    if not act.identity_checked:
        raise TournamentNo(TournamentCause.IDENTITY_UNCHECKED, player=act.player)
    if stamp.excluded:
        raise TournamentNo(TournamentCause.NOT_ENTITLED, player=act.player)
    asked = [one.id for one in conditions.eligibility.criteria]
    for criterion in act.criteria:
        if criterion not in asked:
            raise TournamentNo(TournamentCause.UNKNOWN_CRITERION, criterion=criterion)
    for criterion in asked:
        if criterion not in act.criteria:
            raise TournamentNo(TournamentCause.CRITERION_UNMET, player=act.player, criterion=criterion)
    if not act.form_digest.strip():
        raise TournamentNo(TournamentCause.FORM_MISSING, player=act.player)


def _check_not_in(state: TournamentState, player: str) -> None:
    """One entry each; who withdrew or lapsed may enter again under a new number."""
    number = state.players.get(player)
    if number is None:
        return
    if state.entrants[str(number)].status not in (_STATUS.WITHDRAWN, _STATUS.LAPSED):
        raise TournamentNo(TournamentCause.ENTERED_ALREADY, player=player, entrant=number)


def _due_for_a_place(state: TournamentState, entrant: int, player: str, stamp: Stamp, nth: int) -> _Events:
    """The slips of fee and buy-in; where nothing is due, the entrant has entered."""
    orders = slips.entry_orders(state.conditions, entrant, player)
    if not orders:
        return (slips.entered_now(entrant, stamp),)
    return slips.all_raised(state, stamp, orders, nth)


def _alternates_admitted(state: TournamentState, places: int, stamp: Stamp, nth: int = 0) -> _Events:
    """The first who wait get the places, in the order of their numbers, each with the slips of what is due."""
    events: list[e.TournamentEvent] = []
    for number, one in by_number(state, {_STATUS.WAITING})[: max(places, 0)]:
        events.append(e.AlternateAdmitted(entrant=number, by=stamp.by, at_ms=stamp.at_ms, clause=ENTRY))
        events += _due_for_a_place(state, number, one.player, stamp, nth + _slips_in(events))
    return tuple(events)


def _slips_in(events: Iterable[e.TournamentEvent]) -> int:
    return sum(isinstance(one, e.SlipRaised) for one in events)


def refuse_application(state: TournamentState, act: acts.RefuseApplication, stamp: Stamp) -> _Events:
    """Without a general right to refuse, a refusal names a criterion of the conditions (CROWN 12.2.1(f)(ii))."""
    _check_open(state, stamp)
    eligibility = state.conditions.eligibility
    if act.criterion and act.criterion not in [one.id for one in eligibility.criteria]:
        raise TournamentNo(TournamentCause.UNKNOWN_CRITERION, criterion=act.criterion)
    if not act.criterion and not eligibility.may_refuse:
        raise TournamentNo(TournamentCause.MAY_NOT_REFUSE)
    _check_not_in(state, act.player)
    clause = "CROWN 12.2.1(f)(iii)" if act.criterion else "CROWN 12.2.1(f)(ii)"
    return (
        e.ApplicationRefused(
            player=act.player,
            criterion=act.criterion,
            reason=act.reason,
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause=clause,
        ),
    )


# Leaving


def withdraw_entrant(state: TournamentState, act: acts.WithdrawEntrant, stamp: Stamp) -> _Events:
    """Before the free time ends, all is given back that was paid; after it the fee stays."""
    entrant = known_entrant(state, act.entrant)
    if not may_withdraw(state, act.entrant):
        raise not_in_play(act.entrant, entrant)
    in_time = stamp.at_ms < state.plays_by.withdraw_free_until_ms
    anew = not in_time and _may_leave_anew(state, entrant)
    clause = "G-134" if anew else ENTRY
    orders = leaver_refunds(state, act.entrant, 100 if in_time or anew else 0, clause)
    withdrawn = e.EntrantWithdrawn(
        entrant=act.entrant,
        refund_cents=sum(order.cents for order in orders),
        by=stamp.by,
        at_ms=stamp.at_ms,
        clause=clause,
    )
    return (withdrawn, *after_leaving(state, entrant, orders, stamp))


def may_withdraw(state: TournamentState, number: int) -> bool:
    """Who has not played may withdraw; between sessions also who may leave for a new version (G-134)."""
    entrant = state.entrants[str(number)]
    if seat_of(state, number) is not None:
        return False
    if entrant.status in (_STATUS.REGISTERED, _STATUS.WAITING, _STATUS.ENTERED):
        return True
    if entrant.status not in (_STATUS.SEATED, _STATUS.THROUGH, _STATUS.BOUGHT_BACK):
        return False
    return not has_played(state, number) or _may_leave_anew(state, entrant)


def _may_leave_anew(state: TournamentState, entrant: Entrant) -> bool:
    """A version approved after entry opened lets go who entered before, until the next session is called (G-134)."""
    held = state.plays_by
    unplayed = held.called_before == state.sessions_called
    return held.after_entry and unplayed and 0 < entrant.entered_version < held.version


def leaver_refunds(state: TournamentState, number: int, percent: int, clause: str) -> tuple[slips.SlipOrder, ...]:
    """So many per cent of what was paid. A stake goes back whole if no credits were given for it (G-135); for others
    its sitting pays the balance."""
    orders = []
    for known in state.entrants[str(number)].slips:
        slip = state.slips[known]
        stake = slip.purpose == slips.BUY_IN and slips.STAKES in slip.parts
        share = (0 if was_given_credits(state, number, slip.of) else 100) if stake else percent
        orders.append(slips.refund_order(state, known, share, clause))
    return tuple(order for order in orders if order is not None)


def after_leaving(state: TournamentState, leaver: Entrant, orders: Iterable[slips.SlipOrder], stamp: Stamp) -> _Events:
    """Open slips are withdrawn, what was paid goes back as ordered, and an alternate gets the place in open entry."""
    events = (
        *slips.withdrawn(stamp, slips.open_slips(state, leaver)),
        *slips.all_raised(state, stamp, orders),
    )
    if state.phase is not TournamentPhase.ENTRY_OPEN or leaver.status not in HAS_A_PLACE:
        return events
    places = state.conditions.entry.maximum_players - count(state, HAS_A_PLACE) + 1
    return (*events, *_alternates_admitted(state, places, stamp, _slips_in(events)))


def note_exclusion(state: TournamentState, act: acts.NoteExclusion, stamp: Stamp) -> _Events:
    """Who is excluded is out, and a table where this player sits closes the seat (G-132).

    The fee stays, unless the conditions have a ground `excluded` that gives a part back. Who was out before stays as
    they were.
    """
    number = state.players.get(act.player)
    if number is None or not excludable(state, number):
        return ()
    entrant = state.entrants[str(number)]
    percent = next((one.refund_percent for one in state.conditions.leaving.grounds if one.id == "excluded"), 0)
    orders = leaver_refunds(state, number, percent, "G-132")
    excluded = e.EntrantExcluded(
        entrant=number,
        player=act.player,
        reason=act.reason,
        order=next_order(state) if seat_of(state, number) else 0,
        by=stamp.by,
        at_ms=stamp.at_ms,
        clause="G-132",
    )
    return (excluded, *after_leaving(state, entrant, orders, stamp))


# Briefing and signatures


def require_signatures(_state: TournamentState, act: acts.RequireSignatures, stamp: Stamp) -> _Events:
    """The Director's word counts in place of the conditions'."""
    return (e.SignaturesRequired(on=act.on, by=stamp.by, at_ms=stamp.at_ms, clause="CROWN 12.2.4"),)


def brief(state: TournamentState, act: acts.Brief, stamp: Stamp) -> _Events:
    """On the version that is played by; a version approved later is briefed anew (G-134)."""
    held = _in_force(state)
    numbers = act.entrants or tuple(number for number, _ in by_number(state, IN))
    if not numbers:
        raise TournamentNo(TournamentCause.NOBODY_ENTERED)
    for number in numbers:
        entrant_in(state, number)
    return (
        e.EntrantsBriefed(
            entrants=tuple(sorted(set(numbers))),
            version=held.version,
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause="CROWN 12.2.3",
        ),
    )


def sign_conditions(state: TournamentState, act: acts.SignConditions, stamp: Stamp) -> _Events:
    held = _in_force(state)
    entrant_in(state, act.entrant)
    return (
        e.ConditionsSigned(
            entrant=act.entrant, version=held.version, by=stamp.by, at_ms=stamp.at_ms, clause="CROWN 12.2.4"
        ),
    )


def _in_force(state: TournamentState) -> SavedConditions:
    """The newest approved version, even while a newer one waits for its approval."""
    return state.approved or approved_conditions(state)
