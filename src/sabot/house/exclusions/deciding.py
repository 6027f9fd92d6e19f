"""Exclusions: patrons who may not play at any table of the house, until a time or for good (CROWN 13.2.2)."""

from sabot.basics.stamp import Stamp
from sabot.house import acts
from sabot.house import events as e
from sabot.house.refusal import HouseCause, HouseNo
from sabot.house.state import Exclusion, HouseState

CLAUSE = "CROWN 13.2.2"


def exclude(state: HouseState, act: acts.Exclude, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """An exclusion can be made longer by another, and is made shorter only by readmitting."""
    if not act.reason.strip():
        raise HouseNo(HouseCause.REASON_MISSING, clause=CLAUSE)
    if act.until_ms is not None and act.until_ms <= stamp.at_ms:
        raise HouseNo(HouseCause.TIME_PAST)
    known = exclusion_of(state, act.patron, stamp.at_ms)
    if known is not None and not _is_longer(act.until_ms, known.until_ms):
        raise HouseNo(HouseCause.EXCLUDED_ALREADY, patron=act.patron)
    return (_made(act, stamp, by=stamp.by, until_ms=act.until_ms),)


def carry_exclusion(state: HouseState, act: acts.CarryExclusion, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """A table's case excludes once, however often the floor tells of it."""
    if act.source in state.exclusion_sources:
        return ()
    if not act.reason.strip():
        raise HouseNo(HouseCause.REASON_MISSING, clause=CLAUSE)
    return (_made(act, stamp, by=act.decided_by, source=act.source),)


def _made(
    act: acts.Exclude | acts.CarryExclusion, stamp: Stamp, *, by: str, until_ms: int | None = None, source: str = ""
) -> e.ExclusionMade:
    return e.ExclusionMade(
        patron=act.patron,
        reason=act.reason,
        until_ms=until_ms,
        source=source,
        by=by,
        at_ms=stamp.at_ms,
        clause=CLAUSE,
    )


def readmit(state: HouseState, act: acts.Readmit, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    if exclusion_of(state, act.patron, stamp.at_ms) is None:
        raise HouseNo(HouseCause.NOT_EXCLUDED, patron=act.patron)
    if not act.reason.strip():
        raise HouseNo(HouseCause.REASON_MISSING, clause=CLAUSE)
    return (e.PatronReadmitted(patron=act.patron, reason=act.reason, by=stamp.by, at_ms=stamp.at_ms, clause=CLAUSE),)


def exclusion_of(state: HouseState, patron: str, at_ms: int) -> Exclusion | None:
    """The exclusion that keeps a patron out at this time.

    Blanks and what cannot be seen make no other patron of one: no reference has any.
    """
    known = state.exclusions.get("".join(one for one in patron if one.isprintable() and not one.isspace()))
    if known is None or (known.until_ms is not None and at_ms >= known.until_ms):
        return None
    return known


def _is_longer(until_ms: int | None, than_ms: int | None) -> bool:
    return than_ms is not None and (until_ms is None or until_ms > than_ms)
