"""What fills, credits and counts change beside the ledger."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.table import events as e
from sabot.table.chips.state import FloatMoment
from sabot.table.state import TableState


def _on_a_slip(state: TableState, event: e.ChipsFilled | e.ChipsCredited) -> TableState:
    known = state.chip_float.known or isinstance(event, e.ChipsFilled)
    return replace(state, slips=(*state.slips, event.slip), chip_float=replace(state.chip_float, known=known))


def _counted(state: TableState, event: e.FloatCounted) -> TableState:
    counted = replace(
        state.chip_float,
        known=True,
        counted=event.when,
        counted_cents=event.cents,
        difference_cents=event.difference_cents,
        missed=FloatMoment.NONE,
    )
    return replace(state, chip_float=counted)


def _uncounted(state: TableState, event: e.FloatUncounted) -> TableState:
    return replace(state, chip_float=replace(state.chip_float, missed=event.when))


APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    e.ChipsFilled: _on_a_slip,
    e.ChipsCredited: _on_a_slip,
    e.FloatCounted: _counted,
    e.FloatUncounted: _uncounted,
}
