"""What opening, signing on, signs and settings change."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.table import events as e
from sabot.table.accounts.state import StationState
from sabot.table.chips.state import FloatMoment
from sabot.table.configuration import Configuration, offered_bets, terms_of
from sabot.table.parts import put
from sabot.table.phase import Phase
from sabot.table.signs.posted import DISPLAY, aggregate_after, limits_after, seen_from
from sabot.table.state import CardCheck, NoticeKind, Scheduled, ShoeState, TableState


def beginning(event: e.Event) -> TableState:
    """A table of which nothing is known but the configuration that it is about to get."""
    assert isinstance(event, e.Configured), "a table begins with its configuration"
    return TableState(configuration=event.configuration, terms=terms_of(event.configuration))


def _configured(state: TableState, event: e.Configured) -> TableState:
    wanted = event.configuration
    closed, limits = state.phase is Phase.CLOSED, limits_after(state, wanted)
    return replace(
        state,
        configuration=wanted,
        terms=terms_of(wanted),
        rule_set_digest=event.rule_set_digest,
        offered=frozenset(offered_bets(wanted)),
        limits=limits,
        minimums={**state.minimums, **{bet: one.minimum for bet, one in limits.items()}},
        aggregate_minimum=aggregate_after(state, wanted),
        face_up=wanted.face_up if closed else state.face_up,
        notices=tuple(one for one in state.notices if _still_holds(one, state.configuration, wanted)),
        stations={name: state.stations.get(name, StationState()) for name in wanted.stations},
        out_of_service=state.out_of_service & wanted.stations.keys(),
        approved_builds=state.approved_builds | frozenset(wanted.approved_builds),
        keeps=event.keeps or state.keeps,
    )


def _still_holds(sign: Scheduled, before: Configuration, wanted: Configuration) -> bool:
    """A sign about the minimum of a bet falls with a new minimum, and with limits that it does not fit."""
    if sign.bet is None or before.limits.get(sign.bet) == wanted.limits.get(sign.bet):
        return True
    was, limits = before.limits.get(sign.bet), wanted.limits.get(sign.bet)
    return was is not None and limits is not None and was.minimum == limits.minimum and sign.cents <= limits.maximum


def _option_taken_up(state: TableState, event: e.OptionTakenUp) -> TableState:
    options = {**state.configuration.options, event.option: event.choice}
    configuration = replace(state.configuration, options=options)
    return replace(state, configuration=configuration, terms=terms_of(configuration))


def _signed_on(state: TableState, event: e.SignedOn) -> TableState:
    signed_on, sign_ons = put(state.signed_on, event.who, event.role), put(state.sign_ons, event.who, event.number)
    return replace(state, signed_on=signed_on, sign_ons=sign_ons)


def _signed_off(state: TableState, event: e.SignedOff) -> TableState:
    return replace(state, signed_on={who: role for who, role in state.signed_on.items() if who != event.who})


def _sign_on_dropped(state: TableState, event: e.SignOnDropped) -> TableState:
    return replace(state, sign_ons=put(state.sign_ons, event.who, event.number))


def _build_approved(state: TableState, event: e.BuildApproved) -> TableState:
    return replace(state, approved_builds=state.approved_builds | {event.build})


def _table_closed(state: TableState, event: e.TableClosed) -> TableState:  # noqa: ARG001
    kept = tuple(notice for notice in state.notices if notice.kind is not NoticeKind.CLOSURE)
    return replace(
        state,
        notices=kept,
        calls={},
        cards_checked=CardCheck.NONE,
        shoe=ShoeState(number=state.shoe.number),
        chip_float=replace(state.chip_float, counted=FloatMoment.NONE),
    )


def _locked(state: TableState, event: e.TableLocked) -> TableState:
    return replace(state, locked=event.why)


def _notice_given(state: TableState, event: e.NoticeGiven) -> TableState:
    late = dict.fromkeys((*state.signs, *state.faulted, *state.out_of_service))
    scheduled = Scheduled(event.kind, event.from_ms, event.bet, event.cents, event.shown_ms, late)
    """A newer sign takes the place of one that was still to come; one whose time has come still takes effect."""
    kept = tuple(
        one
        for one in state.notices
        if (one.kind, one.bet) != (event.kind, event.bet)
        or (one.kind is not NoticeKind.CLOSURE and one.from_ms <= event.shown_ms)
    )
    return replace(state, notices=(*kept, scheduled))


def _minimum_changed(state: TableState, event: e.MinimumChanged) -> TableState:
    due = (event.bet, event.cents)
    kept = tuple(one for one in state.notices if one.kind is NoticeKind.CLOSURE or (one.bet, one.cents) != due)
    if event.bet is None:
        return replace(state, aggregate_minimum=event.cents, notices=kept)
    limits = replace(state.limits[event.bet], minimum=event.cents)
    minimums = {**state.minimums, event.bet: event.cents}
    return replace(state, limits={**state.limits, event.bet: limits}, minimums=minimums, notices=kept)


def _device_reported(state: TableState, event: e.DeviceReported) -> TableState:
    down = state.down - {event.device} if event.up else state.down | {event.device}
    if event.device != DISPLAY:
        return replace(state, down=down)
    signs = {name: sign for name, sign in state.signs.items() if name != DISPLAY}
    notices = seen_from(state.notices, DISPLAY, event.at_ms if event.up else None)
    return replace(state, down=down, signs=signs if event.up else {**signs, DISPLAY: ""}, notices=notices)


def _day_ended(state: TableState, event: e.GamingDayEnded) -> TableState:
    return replace(state, days_ended_with=event.last_coup, day_ended=event.date)


APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    e.Configured: _configured,
    e.OptionTakenUp: _option_taken_up,
    e.SignedOn: _signed_on,
    e.SignedOff: _signed_off,
    e.SignOnDropped: _sign_on_dropped,
    e.BuildApproved: _build_approved,
    e.TableClosed: _table_closed,
    e.TableLocked: _locked,
    e.NoticeGiven: _notice_given,
    e.MinimumChanged: _minimum_changed,
    e.DeviceReported: _device_reported,
    e.GamingDayEnded: _day_ended,
}
