"""Exclusions: patrons who may not play at any table of the house, until a time or for good (CROWN 13.2.2)."""

from sabot.basics.role import Role
from sabot.house import commands as c
from sabot.house import events as e
from sabot.house.refusal import Cause, No
from sabot.house.state import Exclusion, HouseState

CLAUSE = "CROWN 13.2.2"


def exclude(state: HouseState, command: c.Exclude) -> tuple[e.HouseEvent, ...]:
    """An exclusion can be made longer by another, and is made shorter only by readmitting.

    A table's own case excludes once, however often the floor tells of it, and whoever it names has decided it.
    """
    if command.source and command.source in state.exclusion_sources:
        return ()
    if not command.reason.strip():
        raise No(Cause.REASON_MISSING, clause=CLAUSE)
    if command.until_ms is not None and command.until_ms <= command.at_ms:
        raise No(Cause.TIME_PAST)
    known = exclusion_of(state, command.patron, command.at_ms)
    if known is not None and not command.source and not _is_longer(command.until_ms, known.until_ms):
        raise No(Cause.EXCLUDED_ALREADY, patron=command.patron)
    return (
        e.ExclusionMade(
            patron=command.patron,
            reason=command.reason,
            until_ms=command.until_ms,
            source=command.source,
            by=command.decided_by if command.role is Role.CLOCK and command.decided_by else command.by,
            at_ms=command.at_ms,
            clause=CLAUSE,
        ),
    )


def readmit(state: HouseState, command: c.Readmit) -> tuple[e.HouseEvent, ...]:
    if exclusion_of(state, command.patron, command.at_ms) is None:
        raise No(Cause.NOT_EXCLUDED, patron=command.patron)
    if not command.reason.strip():
        raise No(Cause.REASON_MISSING, clause=CLAUSE)
    return (
        e.PatronReadmitted(
            patron=command.patron, reason=command.reason, by=command.by, at_ms=command.at_ms, clause=CLAUSE
        ),
    )


def exclusion_of(state: HouseState, patron: str, at_ms: int) -> Exclusion | None:
    """The exclusion that keeps a patron out at this time."""
    known = state.exclusions.get(patron)
    if known is None or (known.until_ms is not None and at_ms >= known.until_ms):
        return None
    return known


def _is_longer(until_ms: int | None, than_ms: int | None) -> bool:
    return than_ms is not None and (until_ms is None or until_ms > than_ms)
