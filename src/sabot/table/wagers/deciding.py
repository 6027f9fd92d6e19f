"""Wagers: what a touch at a station comes to. Whatever was asked, the result is always a permitted layout."""

from collections.abc import Mapping

from sabot.basics.money import LARGEST_AMOUNT, write_amount
from sabot.basics.stamp import Stamp
from sabot.rules.limits import unqualified
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.accounts.state import StationState
from sabot.table.care.checking import check_own_limits
from sabot.table.events import Event, WagersChanged
from sabot.table.no import No
from sabot.table.phase import Phase
from sabot.table.refusal import Cause
from sabot.table.role import Role
from sabot.table.signs.posted import shows_limits
from sabot.table.state import TableState

OUT_OF_STEP_MS = 1000
"""A wager that comes this long after the close shows a station that did not lock (CROWN 1.6)."""

Layout = Mapping[Bet, int]

_STATION, _WAGERING = Role.STATION, Phase.WAGERING
"""To look a member of an enumeration up costs more than to compare with it, and every touch is compared."""


def set_wager(state: TableState, act: acts.SetWager, stamp: Stamp) -> tuple[Event, ...]:
    station = _station_that_may_wager(state, act, stamp)
    purse = state.ledger.purse(stamp.by)
    layout: Layout = purse.layout
    bet = act.bet
    now = layout.get(bet, 0)
    permitted = _permitted(state, bet, act.cents, now)
    if permitted - now > purse.balance:
        raise No(Cause.INSUFFICIENT_CREDIT, balance_cents=purse.balance, cost_cents=permitted - now)
    if permitted > now:
        _check_sign(state, stamp.by)
        if is_restricted(state, station):
            check_own_limits(state, stamp.by, station, purse.wagered + permitted - now, stamp.at_ms)
    if permitted and not now:
        _check_qualified(state, layout, bet)
    if permitted == now:
        return ()
    if permitted > now or len(layout) == 1:
        clause = state.terms.rule_set.wagering.placing
        before, after = {bet: now}, {bet: permitted}
        return (WagersChanged(station=stamp.by, before=before, after=after, clause=clause, at_ms=stamp.at_ms),)
    return _relaid(state, stamp, layout, {**layout, bet: permitted})


def move(state: TableState, act: acts.Move, stamp: Stamp) -> tuple[Event, ...]:
    _station_that_may_wager(state, act, stamp)
    layout = _layout(state, stamp.by)
    _check_sign(state, stamp.by)
    stack = layout.get(act.source, 0)
    if not stack or act.source == act.target:
        raise No(Cause.NOTHING_TO_MOVE, bet=act.source)
    there = layout.get(act.target, 0)
    wanted = {**layout, act.source: 0, act.target: _permitted(state, act.target, there + stack, there)}
    _check_qualified(state, wanted, act.target)
    return _relaid(state, stamp, layout, wanted)


def undo(state: TableState, act: acts.Undo, stamp: Stamp) -> tuple[Event, ...]:
    station = _station_that_may_wager(state, act, stamp)
    if not station.undo:
        raise No(Cause.NOTHING_TO_UNDO)
    _check_sign(state, stamp.by)
    layout, earlier = _layout(state, stamp.by), station.undo[-1]
    _check_affordable(state, stamp.by, layout, earlier)
    return _relaid(state, stamp, layout, earlier, undoes=True)


def clear(state: TableState, act: acts.Clear, stamp: Stamp) -> tuple[Event, ...]:
    _station_that_may_wager(state, act, stamp)
    return _relaid(state, stamp, _layout(state, stamp.by), {})


def repeat(state: TableState, act: acts.Repeat, stamp: Stamp) -> tuple[Event, ...]:
    """The last coup's wagers again, as far as today's bets and limits permit; what they do not is said."""
    station = _station_that_may_wager(state, act, stamp)
    if not station.last_wagers:
        raise No(Cause.NOTHING_TO_REPEAT)
    return _as_far_as_permitted(state, stamp, station.last_wagers)


def double(state: TableState, act: acts.Double, stamp: Stamp) -> tuple[Event, ...]:
    _station_that_may_wager(state, act, stamp)
    layout = _layout(state, stamp.by)
    if not layout:
        raise No(Cause.NOTHING_TO_DOUBLE)
    return _as_far_as_permitted(state, stamp, {bet: 2 * cents for bet, cents in layout.items()})


def lay(state: TableState, act: acts.Lay, stamp: Stamp) -> tuple[Event, ...]:
    """A whole layout at once, as it was saved, or nothing of it (G-211)."""
    _station_that_may_wager(state, act, stamp)
    wanted = act.wagers
    if not any(wanted.values()):
        raise No(Cause.NOTHING_TO_LAY)
    _check_sign(state, stamp.by)
    for bet, cents in wanted.items():
        permitted = _permitted(state, bet, cents, 0)
        if permitted != cents:
            raise No(Cause.NOT_AS_SAVED, bet=bet, wanted_cents=cents, permitted_cents=permitted)
    for bet, cents in wanted.items():
        if cents:
            _check_qualified(state, wanted, bet)
    layout = _layout(state, stamp.by)
    _check_affordable(state, stamp.by, layout, wanted)
    return _relaid(state, stamp, layout, wanted)


def cleared(state: TableState, station: str, clause: str) -> tuple[WagersChanged, ...]:
    """The lifting of all chips of a station whose patron leaves while wagering is open (G-58)."""
    layout = _layout(state, station)
    if not layout:
        return ()
    return (WagersChanged(station=station, before=dict(layout), after=dict.fromkeys(layout, 0), clause=clause),)


def _layout(state: TableState, station: str) -> Layout:
    return state.purse(station).layout


def _station_that_may_wager(state: TableState, act: acts.WagerAct, stamp: Stamp) -> StationState:
    """The checks that every touch must pass, in the order of their refusals. A station acts for itself alone."""
    name = stamp.by
    if stamp.role is not _STATION or (act.station and act.station != name):
        raise No(Cause.NOT_THIS_STATION, station=act.station or name)
    coup = state.coup
    if state.phase is not _WAGERING or coup is None or stamp.at_ms >= coup.deadline_ms:
        raise _closed(state, act, stamp)
    station = state.stations.get(name)
    if station is None:
        raise No(Cause.UNKNOWN_STATION, station=name)
    if not station.control:
        raise No(Cause.NO_ACCOUNT, station=name)
    if name in state.out_of_service:
        raise No(Cause.OUT_OF_SERVICE, station=name)
    if name in state.faulted:
        raise No(Cause.FAULTED, station=name)
    if station.directed_to_leave:
        raise No(Cause.DIRECTED_TO_LEAVE, station=name)
    if station.leaving:
        raise No(Cause.LEAVING, station=name)
    return station


def _closed(state: TableState, act: acts.WagerAct, stamp: Stamp) -> No:
    """Too late, or too early: the refusal says which clause, and whether the station failed to lock."""
    coup = state.coup
    if coup is not None and coup.dummy:
        return No(Cause.DUMMY_COUP)
    late = coup is not None and stamp.at_ms >= (coup.closed_at_ms or coup.deadline_ms) + OUT_OF_STEP_MS
    layout = _layout(state, stamp.by)
    lifts = isinstance(act, acts.Undo | acts.Clear) or (
        isinstance(act, acts.SetWager) and act.cents < layout.get(act.bet, 0)
    )
    clause = state.terms.rule_set.late_wagers.withdrawn_clause if lifts else None
    return No(Cause.WAGERING_CLOSED, clause=clause, alarm=f"station {stamp.by} is out of step" if late else None)


def _permitted(state: TableState, bet: Bet, cents: int, now: int) -> int:
    """The permitted wager that a request comes to (CROWN 5.3). Lifting chips to below the minimum clears (G-34)."""
    if bet not in state.offered:
        known = state.terms.rule_set.bets.get(bet)
        raise No(Cause.NOT_OFFERED, bet=bet, clause=known.clause if known else None)
    if not 0 <= cents <= LARGEST_AMOUNT:
        why = f"{write_amount(cents)} is less than nothing" if cents < 0 else "it is more than any account can hold"
        raise No(Cause.BAD_AMOUNT, why=why, clause="CROWN 4.1")
    permitted = state.limits[bet].permitted(cents)
    if not permitted and cents and cents >= now:
        raise No(Cause.BELOW_MINIMUM, bet=bet, minimum_cents=state.limits[bet].minimum)
    return permitted


def _check_sign(state: TableState, station: str) -> None:
    """A station that does not show the limits in force takes no wagers; its chips can still be lifted (G-180)."""
    if station in state.signs and not shows_limits(state, station):
        raise No(Cause.SIGN_NOT_SHOWN, location=station)


def _check_qualified(state: TableState, layout: Layout, bet: Bet) -> None:
    rules = state.terms.bets[bet]
    if rules.needs and not any(layout.get(qualifier, 0) for qualifier in rules.needs.bets):
        needs = " or ".join(state.terms.rule_set.bet(one).title for one in rules.needs.bets)
        raise No(Cause.NEEDS_QUALIFYING, clause=rules.needs.clause, bet=rules.title, needs=needs)


def _check_affordable(state: TableState, station: str, layout: Layout, wanted: Layout) -> None:
    cost, balance = sum(wanted.values()) - sum(layout.values()), state.purse(station).balance
    if cost > balance:
        raise No(Cause.INSUFFICIENT_CREDIT, balance_cents=balance, cost_cents=cost)


def _as_far_as_permitted(state: TableState, stamp: Stamp, wanted: Layout) -> tuple[Event, ...]:
    _check_sign(state, stamp.by)
    layout = _layout(state, stamp.by)
    target: dict[Bet, int] = {}
    left_out: dict[Bet, str] = {}
    for bet, cents in wanted.items():
        permitted = state.limits[bet].permitted(cents) if bet in state.offered else 0
        if permitted:
            target[bet] = permitted
        if permitted != cents:
            left_out[bet] = "not offered" if bet not in state.offered else f"{write_amount(permitted)} is permitted"
    _check_affordable(state, stamp.by, layout, target)
    return _relaid(state, stamp, layout, target, left_out=left_out)


def _relaid(
    state: TableState,
    stamp: Stamp,
    layout: Layout,
    wanted: Layout,
    *,
    undoes: bool = False,
    left_out: dict[Bet, str] | None = None,
) -> tuple[Event, ...]:
    """From one layout to another; wagers that lose what qualified them go back in the same step (G-31)."""
    target = {bet: cents for bet, cents in wanted.items() if cents}
    orphans = unqualified(state.terms.rule_set, target)
    for orphan in orphans:
        del target[orphan]
    changed = [bet for bet in {**layout, **target} if layout.get(bet, 0) != target.get(bet, 0)]
    if not changed:
        return ()
    _check_own(state, stamp, layout, target)
    return (
        WagersChanged(
            station=stamp.by,
            before={bet: layout.get(bet, 0) for bet in changed},
            after={bet: target.get(bet, 0) for bet in changed},
            clause=state.terms.rule_set.wagering.placing,
            undoes=undoes,
            returned=orphans,
            left_out=left_out or {},
            at_ms=stamp.at_ms,
        ),
    )


def is_restricted(state: TableState, station: StationState) -> bool:
    """Whether the patron's own limits, breaks and checks may refuse a wager; most patrons have none."""
    care = station.care
    return bool(care.limits or care.break_until_ms or state.configuration.care.reality_check_minutes)


def _check_own(state: TableState, stamp: Stamp, layout: Layout, target: Layout) -> None:
    """A patron's own limits are about what is laid, and never keep chips from being lifted (G-221)."""
    station, wanted = state.stations[stamp.by], sum(target.values())
    if wanted > sum(layout.values()) and is_restricted(state, station):
        check_own_limits(state, stamp.by, station, wanted, stamp.at_ms)
