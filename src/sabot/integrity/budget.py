"""How often an honest floor raises an alarm, and how that is shared out: the only place where it is said.

Each light has an e-process (`evidence.py`), whose expectation at an honest table grows by one for each gaming day and
falls by the threshold at each alarm. So in the long run an honest light raises at most one alarm in `threshold` days,
and false alarms add up over tables, kinds and subjects (a union bound). The threshold of a light is one over its share
of `FALSE_ALARMS_A_DAY`.
"""

from typing import Final

from sabot.integrity.light import Kind

FALSE_ALARMS_A_DAY: Final = 0.01
"""All lights of a floor together raise so many false alarms a gaming day at most."""

TABLES: Final = 40
"""The tables of the floor that this holds for."""

WATCHES_FOR_AN_ALARM: Final = 100
"""A light is on watch at this part of its threshold: all together at most once a day on an honest floor."""

INTERVAL_MISSES: Final = 0.05
"""The fraction of honest subjects whose interval of the return ever leaves the theoretical return out."""

SHARES: Final[dict[Kind, float]] = {
    Kind.RETURN_OF_BET: 0.08,
    Kind.RETURN_OF_TABLE: 0.08,
    Kind.RETURN_OF_DEALER: 0.08,
    Kind.RETURN_OF_SEAT: 0.16,
    Kind.CENSUS: 0.05,
    Kind.SLUG: 0.08,
    Kind.CLUMPS: 0.04,
    Kind.REPEATS: 0.04,
    Kind.SOURCE: 0.04,
    Kind.LATE_WAGERS: 0.10,
    Kind.CORRECTIONS: 0.05,
    Kind.VOIDS: 0.04,
    Kind.CLAIMS: 0.04,
    Kind.OPPOSED_SEATS: 0.04,
    Kind.FAVOURS: 0.04,
    Kind.KNOWING: 0.04,
}
"""The part of a table's false alarms that each kind has; they add up to one."""

SUBJECTS: Final[dict[Kind, int]] = {
    Kind.RETURN_OF_BET: 16,
    Kind.RETURN_OF_DEALER: 8,
    Kind.RETURN_OF_SEAT: 50,
    Kind.LATE_WAGERS: 50,
    Kind.CORRECTIONS: 8,
    Kind.VOIDS: 8,
    Kind.CLAIMS: 50,
    Kind.OPPOSED_SEATS: 50,
    Kind.FAVOURS: 400,
    Kind.KNOWING: 200,
}
"""The usual number of subjects of a kind at a table; one where it is not named. They share nine tenths of the kind's
part alike, in the order in which they appear; any further ones share the last tenth, each less than the one before."""

_USUAL = 0.9


def threshold(kind: Kind, number: int = 0) -> float:
    """The evidence at which the light of a kind's subject is an alarm; subjects are numbered from 0 as they appear."""
    usual = SUBJECTS.get(kind)
    if usual is None:
        assert not number, f"{kind} has one subject at a table"
        part = 1.0
    elif number < usual:
        part = _USUAL / usual
    else:
        later = number - usual + 1
        part = (1 - _USUAL) / (later * (later + 1))
    return TABLES / (FALSE_ALARMS_A_DAY * SHARES[kind] * part)
