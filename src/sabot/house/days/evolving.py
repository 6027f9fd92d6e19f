"""What gaming days change, and the papers that are put away or recalled."""

from collections.abc import Callable, Collection
from functools import reduce
from typing import Any

from msgspec.structs import astuple, replace

from sabot.house import events as e
from sabot.house.changing import put
from sabot.house.filed_book import DAY_MS
from sabot.house.state import (
    KEPT_GAMING_DAYS,
    Day,
    HouseSlip,
    HouseSlipStatus,
    HouseState,
    PapersAway,
    RegisteredTicket,
    TicketStatus,
)


def _day_opened(state: HouseState, event: e.GamingDayOpened) -> HouseState:
    day = replace(state.days.get(event.day, Day()), date=event.date)
    return replace(state, day=event.day, day_open=True, days=put(state.days, event.day, day))


def _day_closed(state: HouseState, event: e.GamingDayClosed) -> HouseState:
    kept = {day: one for day, one in state.days.items() if day > event.day - KEPT_GAMING_DAYS}
    before = reduce(_together, (one for day, one in state.days.items() if day not in kept), state.days_before)
    return replace(state, day=event.day + 1, day_open=False, days=kept, days_before=before)


def _together(one: Day, other: Day) -> Day:
    return Day(other.date, *(mine + its for mine, its in zip(astuple(one)[1:], astuple(other)[1:], strict=True)))


def _put_away(state: HouseState, event: e.PapersPutAway) -> HouseState:
    tickets, slips = state.tickets.ended_by(event.until_day), state.slips.ended_by(event.until_day)
    return replace(
        state,
        tickets=state.tickets.put_away(event.until_day),
        slips=state.slips.put_away(event.until_day),
        away=_moved_away(state.away, tickets.values(), slips.values(), 1),
        exclusions={name: one for name, one in state.exclusions.items() if not _was_over(one.until_ms, event)},
    )


def _was_over(until_ms: int | None, event: e.PapersPutAway) -> bool:
    return until_ms is not None and until_ms // DAY_MS <= event.until_day


def _recalled(state: HouseState, event: e.PapersRecalled) -> HouseState:
    tickets, slips = state.tickets, state.slips
    for number, ticket in event.tickets.items():
        tickets = tickets.file(number, ticket, event.at_ms)
    for number, slip in event.slips.items():
        slips = slips.file(number, slip, event.at_ms)
    away = _moved_away(state.away, event.tickets.values(), event.slips.values(), -1)
    return replace(state, tickets=tickets, slips=slips, away=away)


def _moved_away(
    away: PapersAway, tickets: Collection[RegisteredTicket], slips: Collection[HouseSlip], sign: int
) -> PapersAway:
    def cents_of(status: HouseSlipStatus) -> int:
        return sign * sum(one.cents for one in slips if one.status is status)

    expired = sign * sum(one.cents for one in tickets if one.status is TicketStatus.EXPIRED)
    return PapersAway(
        tickets=away.tickets + sign * len(tickets),
        slips=away.slips + sign * len(slips),
        unclaimed_cents=away.unclaimed_cents + expired + cents_of(HouseSlipStatus.EXPIRED),
        slips_taken_cents=away.slips_taken_cents + cents_of(HouseSlipStatus.TAKEN),
        slips_paid_cents=away.slips_paid_cents + cents_of(HouseSlipStatus.PAID),
    )


APPLY: dict[type[e.HouseEvent], Callable[[HouseState, Any], HouseState]] = {
    e.GamingDayOpened: _day_opened,
    e.GamingDayClosed: _day_closed,
    e.PapersPutAway: _put_away,
    e.PapersRecalled: _recalled,
}
