"""The gaming day: opened and closed by the house, one after another, each with its date.

Which date a moment belongs to depends on the time zone and the start of the day. The opener of the day has worked it
out, and the house checks that it follows the day before.
"""

from datetime import date

from sabot.basics.stamp import Stamp
from sabot.house import acts
from sabot.house import events as e
from sabot.house.days.expiry import expired_by
from sabot.house.evolve import fold
from sabot.house.refusal import HouseCause, HouseNo
from sabot.house.state import Day, HouseState

CLAUSE = "G-91"


def open_day(state: HouseState, act: acts.OpenDay, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    if state.day_open:
        raise HouseNo(HouseCause.DAY_OPEN, day=state.day, date=state.days[state.day].date)
    _check_date(act.date, state.days.get(state.day - 1, Day()).date)
    return (e.GamingDayOpened(day=state.day, date=act.date, by=stamp.by, at_ms=stamp.at_ms, clause=CLAUSE),)


def close_day(state: HouseState, _act: acts.CloseDay, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """Between coups, so that every coup and its corrections belong to one day; what is due expires with it."""
    if not state.day_open:
        raise HouseNo(HouseCause.NO_DAY_OPEN)
    busy = [name for name, table in state.tables.items() if table.busy]
    if busy:
        raise HouseNo(HouseCause.COUP_IN_PROGRESS, tables=", ".join(busy))
    expired = expired_by(state, stamp.at_ms)
    after = fold(expired, state)
    day = after.days[state.day]
    closed = e.GamingDayClosed(
        day=state.day,
        date=day.date,
        issued_cents=day.issued,
        paid_cents=day.paid,
        by_hand_cents=day.by_hand,
        taken_in_cents=day.taken_in,
        void_cents=day.void,
        expired_cents=day.expired,
        reinstated_cents=day.reinstated,
        outstanding_cents=after.liability,
        slips_taken_cents=day.slips_taken,
        slips_paid_cents=day.slips_paid,
        slips_owed_cents=after.slips_owed,
        by=stamp.by,
        at_ms=stamp.at_ms,
        clause=CLAUSE,
    )
    return (*expired, closed)


def _check_date(written: str, before: str) -> None:
    """A date has other forms, of weeks for one; only in this one do later dates come after earlier ones."""
    try:
        plain = date.fromisoformat(written).isoformat() == written
    except ValueError:
        plain = False
    if not plain:
        raise HouseNo(HouseCause.BAD_DATE, why=f"{written!r} is no date: write it as 2026-11-16")
    if written <= before:
        raise HouseNo(HouseCause.BAD_DATE, why=f"{written} does not come after {before}, the gaming day before")
