"""Progress from round to round (CROWN 12.2.1(d)), and what a correction does to it (G-133)."""

from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.conditions.parts import AfterNextRound, RoundPart, TieBreak
from sabot.tournament.entry import slips
from sabot.tournament.entry.entrants import known_entrant
from sabot.tournament.phase import TournamentPhase
from sabot.tournament.places import awarding
from sabot.tournament.places.advancing import TieAtCut
from sabot.tournament.places.outcomes import RoundOutcome, label_to_open, outcome, reasons
from sabot.tournament.refusal import TournamentCause, TournamentNo
from sabot.tournament.seats import draw
from sabot.tournament.seats.seating import (
    LOTS,
    WILD_CARDS,
    check_list_closed,
    lots_label,
    opened_seed,
    seat_draws_due,
    to_be_seated,
)
from sabot.tournament.sittings.attendance import check_not_too_late
from sabot.tournament.sittings.demands import session_on, the_round
from sabot.tournament.sittings.finding import (
    PLAY_OFF_MARK,
    PLAYS,
    next_rounds,
    ranked_sittings,
    sessions_due,
    sitting_at,
    sources,
)
from sabot.tournament.state import SITTING_OVER, EntrantStatus, TournamentState

_PROGRESS = "CROWN 12.2.1(d)"
_TIES = "G-103"
_Events = tuple[e.TournamentEvent, ...]


def draws_due(state: TournamentState, at_ms: int) -> tuple[str, ...]:
    """The draws whose commitment is to be published now: it is settled who is drawn, and nobody has seen the words."""
    if state.phase is TournamentPhase.DECIDED:
        due = [awarding.prize_label_to_open(state)]
    elif state.phase in (TournamentPhase.READY, TournamentPhase.IN_SESSION):
        due = [*seat_draws_due(state, at_ms), *(label_to_open(state, one.name) for one in state.conditions.rounds)]
    else:
        due = []
    return tuple(label for label in due if label and label not in state.commitments)


# Confirming


def confirm_round(state: TournamentState, act: acts.ConfirmRound, stamp: Stamp) -> _Events:
    """Who goes on, once every tie at a cut is broken. Each confirmation opens one draw at most."""
    part = the_round(state, act.round)
    if state.progress(part.name).confirmed:
        raise TournamentNo(TournamentCause.CONFIRMED_ALREADY, round=part.name)
    if state.progress(part.name).drawn is None:
        return _confirm_empty(state, part, stamp)
    _check_played(state, part.name)
    opened = ""
    broken: list[e.TournamentEvent] = []
    lots: list[tuple[int, ...]] = []
    drawn: tuple[int, ...] = ()
    while True:
        found = outcome(state, part, lots, drawn)
        tie = found.tie
        if tie is None:
            told = reasons(state, part, found, drawn)
            broken += [_broken(part.name, how.value, equals, stamp) for how, equals in told]
            return (*broken, *_confirmed(state, part, found, stamp))
        if tie.due is TieBreak.PLAY_OFF:
            return (*broken, _tie_found(state, part.name, tie, stamp))
        what = WILD_CARDS if tie.due is None else LOTS
        if opened and opened != what:
            return tuple(broken)
        opened = what
        numbers = found.ranked if tie.due is None else tie.entrants
        by_lot = _drawn(state, part.name, what, numbers, act.words, stamp)
        broken.append(_broken(part.name, what.replace("-", "_"), by_lot, stamp, act.words))
        lots, drawn = (lots, by_lot) if tie.due is None else ([*lots, by_lot], drawn)


def _confirm_empty(state: TournamentState, part: RoundPart, stamp: Stamp) -> _Events:
    """A round that nobody came into, as a repechage without buy-backs, is confirmed without play."""
    check_list_closed(state, part, stamp.at_ms)
    if to_be_seated(state, part):
        raise TournamentNo(TournamentCause.NOT_DRAWN, round=part.name)
    return _confirmed(state, part, RoundOutcome({}, (), None), stamp)


def _check_played(state: TournamentState, name: str) -> None:
    """No sitting is open, no claim either, and no play-off of the round is on."""
    if state.on is not None and state.on[0] != name and state.on[0].startswith(f"{name}{PLAY_OFF_MARK}"):
        on, session = state.on
        raise TournamentNo(TournamentCause.SESSION_ON, session=session, round=on)
    for sitting in ranked_sittings(state, name).values():
        if sitting.state not in SITTING_OVER:
            raise TournamentNo(TournamentCause.SITTING_OPEN, table=sitting.table, state=sitting.state.value)
        if sitting.claims_open:
            raise TournamentNo(TournamentCause.CLAIMS_OPEN, table=sitting.table)
    progress = state.progress(name)
    due = sessions_due(state, name) - progress.ended
    for placed in progress.drawn or ():
        if placed.session in due:
            raise TournamentNo(TournamentCause.SITTING_OPEN, table=placed.table, state="planned")


def _tie_found(state: TournamentState, name: str, tie: TieAtCut, stamp: Stamp) -> e.TieFound:
    held = state.progress(name).play_offs
    if any(not one.done and set(one.entrants) == set(tie.entrants) for one in held):
        entrants = ", ".join(map(str, tie.entrants))
        raise TournamentNo(TournamentCause.TIES_UNBROKEN, entrants=entrants)
    return e.TieFound(
        round=name,
        entrants=tie.entrants,
        places=tie.places,
        play_off=len(held) + 1,
        by=stamp.by,
        at_ms=stamp.at_ms,
        clause=_TIES,
    )


def _drawn(
    state: TournamentState, name: str, what: str, numbers: tuple[int, ...], words: str, stamp: Stamp
) -> tuple[int, ...]:
    label = lots_label(state, name, what)
    return draw.drawn_order(opened_seed(state, label, words, stamp), label, numbers, words)


def _broken(name: str, how: str, entrants: tuple[int, ...], stamp: Stamp, words: str = "") -> e.TieBroken:
    return e.TieBroken(
        round=name,
        entrants=entrants,
        how=how,
        seed=stamp.seed if words else "",
        words=words,
        by=stamp.by,
        at_ms=stamp.at_ms,
        clause="G-139" if how == "wild_cards" else _TIES,
    )


def _confirmed(state: TournamentState, part: RoundPart, found: RoundOutcome, stamp: Stamp) -> _Events:
    """The record of who goes where, and the buy-ins that are due where a next round asks for one.

    Who bought back before the round was worked out again, and is through now, has the price back (G-133).
    """
    gone = {number for numbers in found.through.values() for number in numbers}
    goes_on = bool(next_rounds(state, part.name))
    out = [
        number
        for number in found.ranked
        if goes_on and number not in gone and state.entrants[str(number)].status in PLAYS
    ]
    record = e.RoundConfirmed(
        round=part.name,
        through=found.through,
        eliminated=tuple(out),
        ranked=found.ranked,
        by=stamp.by,
        at_ms=stamp.at_ms,
        clause=_PROGRESS,
    )
    buy_ins = [
        slips.buy_in_order(state.conditions.round(to), number, state.entrants[str(number)].player)
        for to, numbers in found.through.items()
        for number in numbers
    ]
    bought_back = [one for one in gone if state.entrants[str(one)].status is EntrantStatus.BOUGHT_BACK]
    given_back = [
        order
        for one in sorted(bought_back)
        for order in slips.refund_orders(state, one, {slips.BUY_BACK: 100}, "G-133")
    ]
    return (record, *slips.all_raised(state, stamp, [*buy_ins, *given_back]))


# After the fact


def reopen_round(state: TournamentState, act: acts.ReopenRound, stamp: Stamp) -> _Events:
    """Work a confirmed round out again, as long as nobody plays by it."""
    part = the_round(state, act.round)
    if not state.progress(part.name).confirmed:
        raise TournamentNo(TournamentCause.ROUND_UNCONFIRMED, round=part.name)
    for following in next_rounds(state, part.name):
        progress = state.progress(following.name)
        if progress.called or progress.confirmed:
            raise TournamentNo(TournamentCause.NEXT_ROUND_BEGUN, round=following.name)
    return (
        e.RoundReopened(
            round=part.name,
            reason=act.reason,
            second=stamp.second,
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause="G-133",
        ),
    )


def admit_place(state: TournamentState, act: acts.AdmitPlace, stamp: Stamp) -> _Events:
    """Seat an entrant whom a correction shows to be through: as a late arrival without penalty; nobody loses a seat."""
    if state.conditions.conduct.after_next_round is not AfterNextRound.ADDS_A_PLACE:
        raise TournamentNo(TournamentCause.PLACES_STAND)
    name, _ = session_on(state)
    entrant = known_entrant(state, act.entrant)
    if entrant.status is not EntrantStatus.ELIMINATED or act.entrant not in _wronged(state, name):
        raise TournamentNo(TournamentCause.NOT_THROUGH, entrant=act.entrant, round=name)
    at = sitting_at(state, act.table)
    if at is None:
        raise TournamentNo(TournamentCause.NO_SITTING, table=act.table)
    check_not_too_late(at[1], act.entrant, state.conditions.attendance.late.latest_coup, "G-133")
    part = the_round(state, name)
    return (
        e.PlaceAdmitted(
            entrant=act.entrant,
            round=name,
            table=act.table,
            station=_free_station(state, act, at[0]),
            credit=part.credit,
            reason=act.reason,
            order=state.orders + 1,
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause="G-133",
        ),
    )


def _wronged(state: TournamentState, name: str) -> frozenset[int]:
    """Who would be in this round by the scores as they are now, and is not."""
    part = state.round(name)
    drawn = {placed.entrant for placed in state.progress(name).drawn or ()}
    found = {
        number
        for source in (() if part is None else sources(part))
        for number in outcome(state, state.conditions.round(source)).through.get(name, ())
    }
    return frozenset(found - drawn)


def _free_station(state: TournamentState, act: acts.AdmitPlace, known: str) -> str:
    taken = state.sittings[known].seats
    designated = state.tables.get(act.table)
    free = [one for one in (designated.stations if designated else ()) if one not in taken]
    if act.station and act.station in free:
        return act.station
    if act.station or not free:
        raise TournamentNo(TournamentCause.NO_STATION, table=act.table, station=act.station or "at all")
    return free[0]
