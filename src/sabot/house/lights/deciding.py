"""Alarms of the tables' integrity: raised once, and seen to by a named person (G-232)."""

from sabot.basics.stamp import Stamp
from sabot.house import acts
from sabot.house import events as e
from sabot.house.refusal import HouseCause, HouseNo
from sabot.house.state import HouseState, light_key

CLAUSE = "G-232"


def raise_light(state: HouseState, act: acts.RaiseLight, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """Told again it changes nothing, since a process that takes a table over finds the same light."""
    if act.table not in state.tables:
        raise HouseNo(HouseCause.UNKNOWN_TABLE, table=act.table)
    known = state.lights.get(light_key(act.table, act.kind, act.subject))
    if known is not None and known.until_ms >= act.day_ends_ms:
        return ()
    return (
        e.LightRaised(
            table=act.table,
            kind=act.kind,
            subject=act.subject,
            evidence=act.evidence,
            coups=act.coups,
            until_ms=act.day_ends_ms,
            at_ms=stamp.at_ms,
            clause=CLAUSE,
        ),
    )


def see_to_light(state: HouseState, act: acts.SeeToLight, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    known = state.lights.get(light_key(act.table, act.kind, act.subject))
    light = act.kind.replace("_", " ")
    if known is None:
        raise HouseNo(HouseCause.NO_SUCH_LIGHT, table=act.table, light=light)
    if known.seen_by:
        raise HouseNo(HouseCause.LIGHT_SEEN_TO, table=act.table, light=light, who=known.seen_by)
    if known.subject == stamp.by:
        raise HouseNo(HouseCause.OWN_LIGHT, who=stamp.by)
    if not act.reason.strip():
        raise HouseNo(HouseCause.REASON_MISSING)
    return (
        e.LightSeenTo(
            table=act.table,
            kind=act.kind,
            subject=act.subject,
            reason=act.reason,
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause=CLAUSE,
        ),
    )
