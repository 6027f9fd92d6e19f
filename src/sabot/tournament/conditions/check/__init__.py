"""Every problem of conditions (CROWN 12.2.1): keys and types first, then what the values say together."""

from sabot.tournament.conditions.check.conduct import conduct_problems
from sabot.tournament.conditions.check.ending import ending_problems
from sabot.tournament.conditions.check.entry import entry_problems
from sabot.tournament.conditions.check.game import game_problems
from sabot.tournament.conditions.check.rounds import round_problems
from sabot.tournament.conditions.check.written import read_written
from sabot.tournament.conditions.problem import ConditionsProblem, in_order

_CHECKS = (entry_problems, game_problems, round_problems, ending_problems, conduct_problems)


def problems_of(raw: object) -> tuple[ConditionsProblem, ...]:
    """All problems of conditions in plain values, in the order of the keys; none means that they can be saved.

    A part with a problem of keys or types is left out of the further checks; the other parts are checked in full.
    """
    found, written = read_written(raw)
    return in_order([*found, *(one for check in _CHECKS for one in check(written))])
