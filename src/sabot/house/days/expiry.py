"""Expiry: tickets and slips that nobody presented in time become unclaimed money, which stays owed."""

from sabot.basics.stamp import Stamp
from sabot.house import acts
from sabot.house import events as e
from sabot.house.slips.deciding import slips_expired_by
from sabot.house.state import HouseState
from sabot.house.tickets.deciding import tickets_expired_by


def expire(state: HouseState, _act: acts.Expire, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    return expired_by(state, stamp.at_ms)


def expired_by(state: HouseState, at_ms: int) -> tuple[e.HouseEvent, ...]:
    return (*tickets_expired_by(state, at_ms), *slips_expired_by(state, at_ms))
