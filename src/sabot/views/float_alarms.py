"""The alarms about a table's float, for the console and for the floor."""

from sabot.table.chips.deciding import COUNT_CLAUSE
from sabot.table.chips.state import FloatMoment
from sabot.table.state import TableState
from sabot.views.message import ScreenMessage, say

_SAID = {
    FloatMoment.OPENING: "opening",
    FloatMoment.SHIFT_CHANGE: "change of dealer",
    FloatMoment.CHECK: "between coups",
    FloatMoment.CLOSING: "closing",
}
"""As the console's form calls them."""


def float_alarms(state: TableState) -> list[ScreenMessage]:
    """A difference that the newest count found, and a count that was left out, until the next one."""
    counted, clause = state.chip_float, state.cites(COUNT_CLAUSE)
    found = []
    if counted.difference_cents:
        found.append(say("alarm_float_difference", clause, difference_cents=counted.difference_cents))
    if counted.missed is not FloatMoment.NONE:
        found.append(say("alarm_float_uncounted", clause, moment=_SAID[counted.missed]))
    return found
