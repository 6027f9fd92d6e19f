"""A buy-in that the dealer keyed wrong, brought to what was tendered (CROWN 6.3.2, G-190).

The box of the tender, the meters and the account follow; the table's win does not move. From a patron who is here no
more is taken than is free in the account. One who has left is owed the difference, or it is uncollected (G-88).
"""

from collections.abc import Mapping

import msgspec

from sabot.basics.money import LARGEST_AMOUNT, write_amount
from sabot.basics.stamp import Stamp
from sabot.table import acts
from sabot.table.accounts.deciding import buy_in, closed_account, held_for_the_leaving
from sabot.table.accounts.state import Deferred, Tendered
from sabot.table.corrections.deciding import adjustment
from sabot.table.events import Adjustment, BuyInCorrected, Event, WaitingBuyInCorrected
from sabot.table.evolve import fold
from sabot.table.history.kept import MOST_NAMED, buy_ins_like, newest_first
from sabot.table.history.wanted import Wanted
from sabot.table.no import No
from sabot.table.refusal import Cause
from sabot.table.role import Role
from sabot.table.state import TableState


def correct_buy_in(state: TableState, act: acts.CorrectBuyIn, stamp: Stamp) -> tuple[Event, ...]:
    """One that still waits for the end of a freeze is put right where it waits; another is booked at once."""
    clause = state.terms.rule_set.accounts.buy_in
    _check_said(state, act, clause)
    place = _place_among_waiting(state, act)
    if place is not None:
        waiting = state.deferred[place]
        _check_another(act, waiting)
        events: tuple[Event, ...] = (_corrected_while_waiting(act, place, waiting, stamp.by, clause),)
        keyed: Deferred | Tendered = waiting
    else:
        number, keyed = _credited(state, act)
        _check_another(act, keyed)
        _check_day(state, keyed, stamp.role)
        events = _rebooked(state, act, number, keyed, stamp, clause)
    if not _is_elsewhere(act) or not act.true_cents:
        return events
    tender = act.true_tender or keyed.tender
    again = acts.BuyIn(
        station=act.true_station, cents=act.true_cents, tender=tender, reference=keyed.reference, top_up=True
    )
    return (*events, *buy_in(fold(events, state), again, stamp))


def _rebooked(
    state: TableState, act: acts.CorrectBuyIn, number: int, keyed: Tendered, stamp: Stamp, clause: str
) -> tuple[Event, ...]:
    cents = _left_here(act)
    adjustment = _adjustment(state, keyed, cents - keyed.cents)
    if adjustment.owed_cents and adjustment.same_patron:
        _check_rest_owed(state, act, keyed, adjustment, stamp.role)
    corrected = BuyInCorrected(
        buy_in=number,
        station=keyed.station,
        was_cents=keyed.cents,
        was_tender=keyed.tender,
        cents=cents,
        tender=(act.true_tender or keyed.tender) if cents else keyed.tender,
        adjustment=adjustment,
        reason=act.reason,
        by=stamp.by,
        clause=clause,
    )
    after = fold((corrected,), state)
    events = (corrected, *held_for_the_leaving(after))
    return (*events, *_closed_again(fold(events, state), keyed.station, clause))


def _closed_again(state: TableState, station: str, clause: str) -> tuple[Event, ...]:
    """An account for which nothing was ever tendered was never due, unless its patron won or owes something by it."""
    there = state.stations[station]
    if not there.is_open or there.brought or state.purse(station).total or state.owed(station):
        return ()
    return closed_account(state, station, clause)


def _adjustment(state: TableState, keyed: Tendered, change: int) -> Adjustment:
    """Money that came while the patron owed something is not set off against the debt (G-89)."""
    one = adjustment(state, keyed.station, keyed.control, change)
    if one.set_off_cents and one.same_patron and keyed.while_owing:
        return msgspec.structs.replace(one, set_off_cents=0, credited_cents=change)
    return one


def _check_rest_owed(state: TableState, act: acts.CorrectBuyIn, keyed: Tendered, one: Adjustment, role: Role) -> None:
    if not act.rest_owed:
        free = -one.change_cents - one.owed_cents
        raise No(
            Cause.NOT_IN_ACCOUNT,
            station=keyed.station,
            taken_cents=-one.change_cents,
            free_cents=free,
            wagered_cents=state.purse(keyed.station).wagered,
            least_cents=keyed.cents - free,
        )
    if role is not Role.CASINO_SUPERVISOR:
        needed = Role.CASINO_SUPERVISOR.in_words
        raise No(Cause.WRONG_ROLE, clause="G-190", needed=needed, role=role.in_words)


def _corrected_while_waiting(
    act: acts.CorrectBuyIn, place: int, waiting: Deferred, by: str, clause: str
) -> WaitingBuyInCorrected:
    cents = _left_here(act)
    return WaitingBuyInCorrected(
        place=place,
        station=waiting.station,
        was_cents=waiting.cents,
        was_tender=waiting.tender,
        cents=cents,
        tender=(act.true_tender or waiting.tender) if cents else waiting.tender,
        reason=act.reason,
        by=by,
        clause=clause,
    )


def _left_here(act: acts.CorrectBuyIn) -> int:
    """What stays with the station that was credited."""
    return 0 if _is_elsewhere(act) else act.true_cents


def _is_elsewhere(act: acts.CorrectBuyIn) -> bool:
    return act.true_station not in ("", act.station)


def _check_said(state: TableState, act: acts.CorrectBuyIn, clause: str) -> None:
    for station in (act.station, act.true_station or act.station):
        if station not in state.stations:
            raise No(Cause.UNKNOWN_STATION, station=station)
    if not act.reason.strip():
        raise No(Cause.REASON_MISSING, clause=clause)
    if not 0 <= act.true_cents <= LARGEST_AMOUNT:
        why = f"{write_amount(act.true_cents)} is not an amount that can be tendered"
        raise No(Cause.BAD_AMOUNT, why=why, clause=clause)
    if act.true_tender and act.true_tender not in state.configuration.tenders:
        raise No(Cause.UNKNOWN_TENDER, tender=act.true_tender)


def _check_another(act: acts.CorrectBuyIn, keyed: Deferred | Tendered) -> None:
    """What is corrected to what it is already is no correction."""
    same = act.true_cents == keyed.cents and act.true_tender in ("", keyed.tender)
    if same and not _is_elsewhere(act):
        why = f"{write_amount(keyed.cents)} in {keyed.tender} is what is on record at {keyed.station}"
        raise No(Cause.BAD_AMOUNT, why=why)


def _check_day(state: TableState, keyed: Tendered, role: Role) -> None:
    """After the end of its gaming day a buy-in is the Casino Supervisor's alone to put right (G-91)."""
    if keyed.day != state.day_ended and role is not Role.CASINO_SUPERVISOR:
        needed = Role.CASINO_SUPERVISOR.in_words
        raise No(Cause.WRONG_ROLE, clause="G-91", needed=needed, role=role.in_words)


def _place_among_waiting(state: TableState, act: acts.CorrectBuyIn) -> int | None:
    """The newest buy-in of this description that waits for the end of a freeze, if one does."""
    if act.control is not None:
        return None
    return next((place for place in reversed(range(len(state.deferred))) if _fits(act, state.deferred[place])), None)


def _credited(state: TableState, act: acts.CorrectBuyIn) -> tuple[int, Tendered]:
    """The newest buy-in of this description: that of the patron who is here, else of the only one who has left."""
    here = state.stations[act.station].control
    if here and act.control in (None, here):
        of_here = _matching(act, newest_first(state.buy_ins), here)
        if of_here:
            return of_here[0]
    wanted = Wanted("buy_ins", act.control or 0, act.station, cents=act.cents, tender=act.tender)
    found = _matching(act, buy_ins_like(state, wanted), act.control)
    if not found:
        raise No(Cause.NO_SUCH_BUY_IN, station=act.station, keyed_cents=act.cents)
    sessions = list(dict.fromkeys(one.control for _, one in found))
    if len(sessions) > 1:
        controls = ", ".join(map(str, sorted(sessions[:MOST_NAMED])))
        raise No(Cause.WHOSE_BUY_IN, station=act.station, controls=controls, keyed_cents=act.cents)
    return found[0]


def _matching(
    act: acts.CorrectBuyIn, buy_ins: Mapping[int, Tendered], control: int | None
) -> list[tuple[int, Tendered]]:
    return [(number, one) for number, one in buy_ins.items() if _fits(act, one) and control in (None, one.control)]


def _fits(act: acts.CorrectBuyIn, one: Deferred | Tendered) -> bool:
    return (one.station, one.cents) == (act.station, act.cents) and act.tender in ("", one.tender) and one.cents > 0
