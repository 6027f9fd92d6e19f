"""Which hands of the coup a station may squeeze: turn over card by card on its own screen (G-230)."""

from collections.abc import Iterable

from sabot.rules.hand import Side
from sabot.rules.rule_set import Bet
from sabot.table.state import CoupUnderWay, TableState


def squeezed_by(state: TableState, name: str) -> tuple[Side, ...]:
    """The hands on which this station has the largest wager of the coup, from the close of wagering to the result."""
    coup = state.coup
    if not state.configuration.squeeze or coup is None or coup.dummy:
        return ()
    if state.session is not None or state.frozen_at_ms is not None or state.awaits_confirmation:
        return ()
    layout = state.purse(name).layout
    # A patron who was moved, or whose wagers are void, has nothing there any more; no other patron squeezes instead.
    return tuple(side for side in Side if layout.get(Bet(side)) and _largest(coup, side, state.stations) == name)


def _largest(coup: CoupUnderWay, side: Side, in_order: Iterable[str]) -> str:
    """Whose wager was the largest at the close, nobody's before; of equal ones that of the first listed station."""
    wagers = {name: coup.sealed[name].get(Bet(side), 0) for name in in_order if name in coup.sealed}
    return max(wagers, key=lambda name: wagers[name], default="")
